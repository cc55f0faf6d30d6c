/** Markdown to tokens, where that can be done in a moment: hostile text nests or marks more than any parser likes. */
import { marked, type Token } from "marked";

const DEEPEST = 24;
/** A parser tries each emphasis mark of a paragraph with each other one. */
const MOST_MARKS = 1_500;
const MOST_MARKS_IN_ALL = 5_000;

const TOO_DEEP = new RegExp(String.raw`^(?:[ \t]{0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){${DEEPEST + 1}}`, "m");

const marks = (text: string) => text.match(/[*_~]/g)?.length ?? 0;

function isTame(text: string): boolean {
  if (TOO_DEEP.test(text) || marks(text) > MOST_MARKS_IN_ALL) return false;
  return marks(text) <= MOST_MARKS || text.split(/\n[ \t]*\n/).every((paragraph) => marks(paragraph) <= MOST_MARKS);
}

/** Null where the text is to be shown as it is. */
export function lexMarkdown(text: string): Token[] | null {
  if (!isTame(text)) return null;
  try {
    return marked.lexer(text, { gfm: true, breaks: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
