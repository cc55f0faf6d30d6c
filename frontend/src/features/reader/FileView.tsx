/** A file that was read or written: its path and numbered lines in their colours. */
import { CodeBlock } from "../../components/CodeBlock";
import { bytes, plural } from "../../lib/format";
import { languageOfPath } from "../../lib/highlight/languages";
import { Cut, LongText } from "./LongText";
import { numberIn, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import { fileLines } from "./fileLines";
import type { ToolViewProps } from "./toolView";

const PATHS = ["path", "file_path", "filename", "name"];

export function ReadView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const path = textIn(args, ...PATHS);
  const content = answer?.fields ? textIn(answer.fields, "content", "text") : isFailed ? "" : (answer?.text ?? "");
  const { text, numbers } = fileLines(content);
  const total = numberIn(answer?.fields, "total_lines");
  const size = numberIn(answer?.fields, "file_size");
  const note = [total !== null && plural(total, "line"), size !== null && bytes(size)].filter(Boolean).join(" · ");
  return (
    <>
      {content && <CodeBlock text={text} language={languageOfPath(path)} title={path || call.name} note={note} numbers={numbers} />}
      {rest && <Cut rest={rest} />}
      {!answer?.fields && isFailed && <LongText text={answer?.text ?? ""} tone="bad" label="Error" />}
      <Facts fields={answer?.fields} without={["content", "text", "total_lines", "file_size", "is_binary", "is_image", "base64_content"]} />
    </>
  );
}

export function WriteView({ call, args, answer, isFailed }: ToolViewProps) {
  const path = textIn(args, ...PATHS);
  const content = textIn(args, "content", "text");
  const written = numberIn(answer?.fields, "bytes_written");
  return (
    <>
      <CodeBlock text={content} language={languageOfPath(path)} title={path || call.name} note={written === null ? undefined : `${bytes(written)} written`} numbers={content.split("\n").map((_, index) => index + 1)} />
      {answer && !answer.fields && <LongText text={answer.text} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={answer?.fields} without={["bytes_written", "dirs_created", "path", "lint"]} />
      {answer?.fields && <Lint value={answer.fields.lint} />}
    </>
  );
}

/** What a checker said of the file; nothing where it was content. */
export function Lint({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null) return null;
  const { status, output } = value as Record<string, unknown>;
  return status === "error" && typeof output === "string" ? <LongText text={output} tone="bad" label="What the checker found" /> : null;
}
