/** Where a reader is sent in a transcript, and where among the loaded rows that is. */
import { holds } from "../../components/sought";
import type { Position } from "../../graphql/pageWindow";
import { quietKeys, type Row } from "./modes";
import { FIRST_SIZE, PAGE_SIZE } from "./readerQueries";
import { TURN_BAR } from "./scrolling";
import { parseJson } from "./toolAnswer";
import { callsAnsweredBy, type MessageItem, shows } from "./transcript";

export type Wanted = "start" | "end" | Target;

export interface Target {
  message: string;
  /** Pixels from the top of the reader; where it is not given the message begins under the bar. */
  offset?: number;
  /** Whether what hides it is unfolded. */
  opens?: boolean;
  /** What it was found by: tool calls that hold one of these words are unfolded, too. */
  words?: readonly string[];
  /** Reasoning that holds one of them, too. */
  inReasoning?: boolean;
}

/** The page to load for a place that is not there. */
export function anchorFor(wanted: Wanted): Position {
  if (wanted === "start") return { first: FIRST_SIZE };
  return wanted === "end" ? { last: PAGE_SIZE } : { first: PAGE_SIZE, around: wanted.message };
}

export interface Stretch {
  rows: readonly Row[];
  hasBefore: boolean;
  hasAfter: boolean;
  /** More is on its way at the end, also where nothing is known of it yet. */
  isGrowing: boolean;
}

/** Whether it goes to the end of the transcript as far as anybody knows. */
export const isWhole = ({ hasAfter, isGrowing }: Stretch): boolean => !hasAfter && !isGrowing;

/** The row that a place is at, or null while it is not loaded. */
export function rowFor(wanted: Wanted, { rows, hasBefore, hasAfter }: Stretch): number | null {
  if (rows.length === 0) return null;
  if (wanted === "start") return hasBefore ? null : 0;
  if (wanted === "end") return hasAfter ? null : rows.length - 1;
  const index = rows.findIndex((row) => shows(row, wanted.message));
  if (index < 0) return null;
  // What was said may stand in one row, and what was called and thought beside it in the next.
  const [said, done] = [rows[index], rows[index + 1]];
  const isSaidThere = !wanted.words || (said?.type === "message" && holds(said.message.content, wanted.words));
  return !isSaidThere && done && shows(done, wanted.message) ? index + 1 : index;
}

/** The row that goes to the top, and where: a seam comes along with the message that it opens. */
export function placeAt(rows: readonly Row[], index: number, wanted: Wanted): { index: number; offset: number } {
  const offset = typeof wanted === "object" ? wanted.offset : undefined;
  if (offset !== undefined) return { index, offset };
  return { index: rows[index - 1]?.type === "seam" ? index - 1 : index, offset: TURN_BAR };
}

/** The folds that hide a message, and what it was found by. */
export function foldsOver(rows: readonly Row[], { message, words = [], inReasoning = false }: Target): string[] {
  return rows.flatMap((row) => {
    if (row.type === "seam" || !shows(row, message)) return [];
    const parts = row.type === "quiet" ? row.parts : [row];
    return [...(row.type === "quiet" ? quietKeys(row) : []), ...callsAnsweredBy(parts, message), ...foldsHolding(parts, message, words, inReasoning)];
  });
}

function foldsHolding(parts: readonly MessageItem[], id: string, words: readonly string[], inReasoning: boolean): string[] {
  const own = parts.filter(({ message }) => message.id === id);
  const calls = own.flatMap((part) => part.calls).filter((call) => argumentsHold(call.argumentsText, words));
  const thoughts = own.filter(({ message }) => inReasoning && holds(message.reasoning, words));
  return [...calls.map(({ key }) => key), ...thoughts.map(({ key }) => `${key} reasoning`)];
}

/** As they are stored, or as they read. */
const argumentsHold = (text: string | null, words: readonly string[]) => holds(text, words) || holds(JSON.stringify(parseJson(text)), words);
