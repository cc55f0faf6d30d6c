/** Cuts the middle out of a huge output: what a person wants is how it began and how it ended. */
export interface Cut {
  head: string;
  tail: string;
  /** Lines left out; 0 when the whole stands in `head`. */
  hidden: number;
}

export function cutMiddle(text: string, headLines: number, tailLines: number): Cut {
  const lines = text.split("\n");
  const hidden = lines.length - headLines - tailLines;
  if (hidden <= 1) return { head: text, tail: "", hidden: 0 };
  return {
    head: lines.slice(0, headLines).join("\n"),
    tail: lines.slice(-tailLines).join("\n"),
    hidden,
  };
}

// oxlint-disable-next-line no-control-regex -- terminal sequences are made of control characters
const TERMINAL_SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;

/** Text without the sequences that colour a terminal or move its cursor. */
export const withoutTerminalSequences = (text: string): string => text.replace(TERMINAL_SEQUENCES, "");
