/** Takes the line numbers that `read_file` puts before each line ("    12|text") off the text. */
const NUMBERED = /^\s*(\d{1,9})\|(.*)$/s;

export function fileLines(content: string): { text: string; numbers: number[] | undefined } {
  const lines = content.replace(/\n$/, "").split("\n").map((line) => NUMBERED.exec(line));
  // The last one may be a note on what follows, or cut.
  const isNumbered = lines.slice(0, Math.max(1, lines.length - 1)).every((line) => line !== null);
  if (!isNumbered) return { text: content, numbers: undefined };
  const found = lines.filter((line) => line !== null);
  return { text: found.map(([, , text]) => text).join("\n"), numbers: found.map(([, number]) => Number(number)) };
}
