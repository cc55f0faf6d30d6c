/** What a call changed in files, as lines with their numbers: out of a patch, or out of the text before and after. */
import { diffLines, diffWordsWithSpace } from "diff";
import type { Change } from "../../components/Lines";

export interface ChangedLine {
  text: string;
  /** Null on lines that only say where they stand. */
  numbers: readonly [before: number | null, after: number | null];
  change?: Change;
  /** Columns of what differs from the line that it stands for, each from and to. */
  changed: readonly (readonly [number, number])[];
}

export interface FileChange {
  path: string;
  lines: ChangedLine[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const FILE = /^\*\*\* (?:Update|Add|Delete) File: (.*)$/;
const MARKER = /^(?:\*\*\* |diff --git |index [\da-f]+\.\.|new file mode |deleted file mode |similarity index |rename (?:from|to) )/;
const PATIENCE = { timeout: 200, maxEditLength: 4_000 };
const LONGEST_FOR_WORDS = 400;

/** A unified diff, or the patches that models write ("*** Update File"): by file; `path` where the patch names none. */
export function changesOfPatch(patch: string, path = ""): FileChange[] {
  const files: FileChange[] = [];
  const rows = patch.replace(/\n$/, "").split("\n");
  let before: number | null = null;
  let after: number | null = null;
  let left = [0, 0];
  const start = (name: string) => files.push({ path: name, lines: [], added: 0, removed: 0 });
  const put = (text: string, change?: Change) => {
    if (files.length === 0) start(path);
    const old = change === "added" || change === "place" ? null : before;
    const now = change === "removed" || change === "place" ? null : after;
    files.at(-1)?.lines.push({ text, numbers: [old, now], change, changed: [] });
    if (change !== "added" && change !== "place" && before !== null) before += 1;
    if (change !== "removed" && change !== "place" && after !== null) after += 1;
  };
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] ?? "";
    const isInside = (left[0] ?? 0) > 0 || (left[1] ?? 0) > 0;
    const hunk = isInside ? null : HUNK.exec(row);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[3])];
      left = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      put(row, "place");
    } else if (!isInside && row.startsWith("--- ") && rows[index + 1]?.startsWith("+++ ")) {
      start(pathOf(row, rows[index + 1] ?? ""));
      index += 1;
    } else if (!isInside && FILE.test(row)) {
      start(FILE.exec(row)?.[1] ?? "");
      [before, after] = [null, null];
    } else if (!isInside && (row.startsWith("@@") || row.startsWith("\\"))) put(row.replace(/^@@ ?/, ""), "place");
    else if (isInside || !MARKER.test(row)) {
      const sign = row[0];
      const change = sign === "+" ? "added" : sign === "-" ? "removed" : undefined;
      left = [(left[0] ?? 0) - Number(sign !== "+"), (left[1] ?? 0) - Number(sign !== "-")];
      put(change || sign === " " ? row.slice(1) : row, change);
    }
  }
  return files.map(finished);
}

const withoutSide = (row: string) => row.slice(4).split("\t", 1)[0]?.replace(/^[ab]\//, "") ?? "";
const pathOf = (before: string, after: string) => (withoutSide(after) === "/dev/null" ? withoutSide(before) : withoutSide(after));

/** What differs between two texts, line by line; all of both where that cannot be told in a moment. */
export function changeOfTexts(path: string, before: string, after: string): FileChange {
  const parts = diffLines(before, after, PATIENCE) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = parts.flatMap(({ value, added, removed }) =>
    value === "" ? [] : value.replace(/\n$/, "").split("\n").map((text): ChangedLine => ({ text, numbers: [null, null], change: added ? "added" : removed ? "removed" : undefined, changed: [] })),
  );
  return finished({ path, lines, added: 0, removed: 0 });
}

function finished(file: FileChange): FileChange {
  const count = (change: Change) => file.lines.filter((line) => line.change === change).length;
  return { ...file, lines: withWords(file.lines), added: count("added"), removed: count("removed") };
}

/** Lines that were changed one for one show which words. */
function withWords(lines: readonly ChangedLine[]): ChangedLine[] {
  const result = [...lines];
  for (let start = 0; start < lines.length; ) {
    const middle = endOf(lines, start, "removed");
    const end = endOf(lines, middle, "added");
    if (middle - start === end - middle) {
      for (let offset = 0; offset < middle - start; offset += 1) markWords(result, start + offset, middle + offset);
    }
    start = Math.max(end, start + 1);
  }
  return result;
}

function endOf(lines: readonly ChangedLine[], start: number, change: Change): number {
  let end = start;
  while (lines[end]?.change === change) end += 1;
  return end;
}

function markWords(lines: ChangedLine[], old: number, now: number): void {
  const [before, after] = [lines[old], lines[now]];
  if (!before || !after || before.text.length + after.text.length > 2 * LONGEST_FOR_WORDS) return;
  const parts = diffWordsWithSpace(before.text, after.text, { timeout: 20 }) ?? [];
  const kept = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.trim().length, 0);
  if (3 * kept < Math.min(before.text.trim().length, after.text.trim().length)) return;
  lines[old] = { ...before, changed: ranges(parts.filter((part) => !part.added), "removed") };
  lines[now] = { ...after, changed: ranges(parts.filter((part) => !part.removed), "added") };
}

function ranges(parts: readonly { value: string; added: boolean; removed: boolean }[], change: "added" | "removed"): [number, number][] {
  let at = 0;
  return parts.flatMap((part): [number, number][] => {
    const from = at;
    at += part.value.length;
    return part[change] ? [[from, at]] : [];
  });
}
