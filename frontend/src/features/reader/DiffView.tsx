/** What a call changed, file by file: lines that went and came, and the words that differ. */
import { useMemo } from "react";
import { CodeFrame } from "../../components/CodeBlock";
import type { Row } from "../../components/Lines";
import { languageOfPath } from "../../lib/highlight/languages";
import { useHighlight } from "../../lib/highlight/useHighlight";
import { type Line, sliceLine } from "../../lib/spans";
import { Cut, LongText } from "./LongText";
import { recordsIn, textIn } from "./toolAnswer";
import { type ChangedLine, changeOfTexts, changesOfPatch, type FileChange } from "./changes";
import { Facts } from "./Facts";
import { Lint } from "./FileView";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

export function DiffView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const changes = useMemo(() => changesOf(args, answer), [args, answer]);
  return (
    <>
      {changes.map((change, index) => (
        <FileDiff key={index} change={change} />
      ))}
      {rest && <Cut rest={rest} />}
      {answer && !answer.fields && <LongText text={answer.text} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={answer?.fields} without={["diff", "files_modified", "files_created", "lint", "strategy"]} />
      {answer?.fields && <Lint value={answer.fields.lint} />}
    </>
  );
}

/** The patch that was applied, where the tool tells; else what was asked for. */
function changesOf(args: ToolViewProps["args"], answer: ToolViewProps["answer"]): FileChange[] {
  const path = textIn(args, "path", "file_path");
  const patch = textIn(answer?.fields, "diff") || textIn(args, "patch", "diff", "input");
  if (patch) return changesOfPatch(patch, path);
  const edits = Array.isArray(args.edits) ? recordsIn(args.edits) : [args];
  return edits.map((edit) => changeOfTexts(path, textIn(edit, "old_string", "old_str", "old_text"), textIn(edit, "new_string", "new_str", "new_text")));
}

export function FileDiff({ change }: { change: FileChange }) {
  const { path, lines, added, removed } = change;
  const language = languageOfPath(path);
  const before = useHighlight(lines.filter((line) => line.change !== "added").map(toCode).join("\n"), language);
  const after = useHighlight(lines.filter((line) => line.change !== "removed").map(toCode).join("\n"), language);
  const rows = useMemo(() => toRows(lines, before, after), [lines, before, after]);
  const note = (
    <>
      <span className={styles.added}>+{added}</span> <span className={styles.removed}>−{removed}</span>
    </>
  );
  return <CodeFrame rows={rows} text={lines.map(toPatchLine).join("\n")} title={path || "Change"} note={note} />;
}

/** A line of the patch as code: one that says where the next stand is none. */
const toCode = ({ text, change }: ChangedLine) => (change === "place" ? "" : text);
const toPatchLine = ({ text, change }: ChangedLine) => `${change === "place" ? "" : signOf(change).replace("−", "-")}${text}`;
const signOf = (change: ChangedLine["change"]) => (change === "added" ? "+" : change === "removed" ? "−" : " ");

function toRows(lines: readonly ChangedLine[], before: readonly Line[], after: readonly Line[]): Row[] {
  const hasNumbers = lines.some(({ numbers }) => numbers.some((number) => number !== null));
  let [old, now] = [0, 0];
  return lines.map((line) => {
    const tokens = line.change === "removed" ? before[old] : after[now];
    if (line.change !== "added") old += 1;
    if (line.change !== "removed") now += 1;
    const code = line.change === "place" || !tokens ? [{ text: line.text }] : tokens;
    return { line: marked(code, line), numbers: hasNumbers ? line.numbers : undefined, change: line.change, sign: signOf(line.change) };
  });
}

function marked(code: Line, { changed, text }: ChangedLine): Line {
  let at = 0;
  const parts = changed.flatMap(([from, to]) => {
    const part = [...sliceLine(code, at, from), ...sliceLine(code, from, to).map((span) => ({ text: span.text, look: `${span.look ?? ""} changed`.trim() }))];
    at = to;
    return part;
  });
  return [...parts, ...sliceLine(code, at, text.length)];
}
