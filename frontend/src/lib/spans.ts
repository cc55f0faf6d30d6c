/** Text in pieces that look alike, by line: what code, terminal output and diffs are drawn from. */
export interface Span {
  text: string;
  /** Names of looks, with a space between: a kind of token ("keyword"), or colours of a terminal ("red bold"). */
  look?: string;
}

export type Line = readonly Span[];

export const plainLines = (text: string): Line[] => text.split("\n").map((line) => [{ text: line }]);

export const textOf = (line: Line): string => line.map(({ text }) => text).join("");

/** Spans of a whole text to spans by line. */
export function splitLines(spans: readonly Span[]): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, look } of spans) {
    const [first = "", ...others] = text.split("\n");
    if (first) lines.at(-1)?.push({ text: first, look });
    for (const other of others) lines.push(other ? [{ text: other, look }] : []);
  }
  return lines;
}

/** As much of a line as one is drawn of: browsers lay out a line of a megabyte for seconds. */
export const LONGEST_LINE = 4_000;

/** A line that is too long to be drawn, in pieces that are not. */
export function softBroken(line: Line): Line[] {
  if (textOf(line).length <= LONGEST_LINE) return [line];
  const pieces: Span[][] = [[]];
  let room = LONGEST_LINE;
  for (const { text, look } of line) {
    for (let at = 0; at < text.length; ) {
      if (room === 0) {
        pieces.push([]);
        room = LONGEST_LINE;
      }
      const part = text.slice(at, at + room);
      pieces.at(-1)?.push({ text: part, look });
      at += part.length;
      room -= part.length;
    }
  }
  return pieces;
}

/** The part of a line between two columns, in characters. */
export function sliceLine(line: Line, from: number, to: number): Line {
  let at = 0;
  return line.flatMap(({ text, look }) => {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part ? [{ text: part, look }] : [];
  });
}
