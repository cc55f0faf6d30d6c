/** Aligns what two branches went on with: turn against turn, prompt against prompt, last answer against last answer. */
import { isAlike, type Message, type Side } from "./comparison";

export interface Pair {
  key: string;
  left: Message | null;
  right: Message | null;
  /** The turn after the fork, from 1; 0 for what still belongs to the shared prompt. */
  turn: number;
  /** Opens the turn. */
  isPrompt: boolean;
  isSame: boolean;
}

interface Turn {
  messages: Message[];
  isComplete: boolean;
}

export const isPrompt = ({ role, isSummary }: Message): boolean => role === "user" && !isSummary;

/** What follows a shared beginning by turns: before the first prompt, then one for each prompt. */
function toTurns({ messages, isComplete }: Side, from: number): Turn[] {
  const turns: Turn[] = [{ messages: [], isComplete: true }];
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as Message;
    if (isPrompt(message)) turns.push({ messages: [], isComplete: true });
    turns.at(-1)?.messages.push(message);
  }
  const last = turns.at(-1);
  if (last) last.isComplete = isComplete;
  return turns;
}

/** The pairs of the turns that are loaded on both sides, and which sides have to be loaded for more. */
export function alignTurns(left: Side, right: Side, from: { left: number; right: number }) {
  const lefts = toTurns(left, from.left);
  const rights = toTurns(right, from.right);
  const limit = Math.min(left.isComplete ? Infinity : lefts.length, right.isComplete ? Infinity : rights.length);
  const count = Math.min(limit, Math.max(lefts.length, rights.length));
  const pairs: Pair[] = [];
  for (let turn = 0; turn < count; turn += 1) pairs.push(...pairTurn(turn, lefts[turn], rights[turn]));
  const wanted: ("left" | "right")[] = [];
  if (!left.isComplete && lefts.length <= count) wanted.push("left");
  if (!right.isComplete && rights.length <= count) wanted.push("right");
  return { pairs, wanted };
}

function pairTurn(turn: number, left: Turn | undefined, right: Turn | undefined): Pair[] {
  const isWhole = (left?.isComplete ?? true) && (right?.isComplete ?? true);
  const [lefts, leftAnswer] = splitAnswer(left?.messages ?? [], isWhole);
  const [rights, rightAnswer] = splitAnswer(right?.messages ?? [], isWhole);
  const rows = Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) => [lefts[index] ?? null, rights[index] ?? null] as const);
  if (leftAnswer || rightAnswer) rows.push([leftAnswer, rightAnswer]);
  return rows.map(([a, b], index) => ({
    key: `${turn} ${index}`,
    left: a,
    right: b,
    turn,
    isPrompt: turn > 0 && index === 0,
    isSame: a !== null && b !== null && isAlike(a, b) && !a.contentTruncated,
  }));
}

/** The messages of a turn without its last answer, and that. */
function splitAnswer(messages: readonly Message[], isWhole: boolean): [readonly Message[], Message | null] {
  const last = messages.at(-1);
  if (!isWhole || last?.role !== "assistant" || last.toolCalls.length > 0) return [messages, null];
  return [messages.slice(0, -1), last];
}
