/** The rows of a comparison in their order, each with the words that name it. */
import { count, plural } from "../../lib/format";
import type { Message, Side } from "./comparison";
import { isPrompt, type Pair, type alignTurns } from "./turns";

interface Row {
  key: string;
  label: string;
  /** Where `n` and `p` stop. */
  isTurn: boolean;
}
export type Item = Row &
  (
    | { type: "shared"; messages: number; turns: number; isWhole: boolean }
    | { type: "message"; message: Message }
    | { type: "fork"; text: string }
    | { type: "pair"; pair: Pair; turn: number | null; ends: { left: boolean; right: boolean } }
    | { type: "end"; text: string }
  );

interface Parts {
  left: Side;
  right: Side;
  from: { left: number; right: number };
  shared: number;
  isSame: boolean;
  isUnfolded: boolean;
  turns: ReturnType<typeof alignTurns>;
}

export function toItems({ left, right, from, shared, isSame, isUnfolded, turns }: Parts): Item[] {
  // The right side has what both have and nothing that was passed over, unless it was the one that was compacted.
  const common = (from.left === shared ? left : right).messages.slice(0, shared);
  const prompts = common.filter(isPrompt).length;
  const items: Item[] = [];
  if (shared > 0) {
    const label = `The shared beginning: ${plural(shared, "message")}`;
    items.push({ type: "shared", key: "shared", label, isTurn: true, messages: shared, turns: prompts, isWhole: isSame });
  }
  if (isUnfolded) {
    for (const message of common) items.push({ type: "message", key: message.nodeId, label: "Shared message", isTurn: isPrompt(message), message });
  }
  if (!isSame) {
    const text = shared === 0 ? "Different from the first message on" : `First difference: message ${count(shared + 1)}, in turn ${count(prompts + Number(opensTurn(left, right, from)))}`;
    items.push({ type: "fork", key: "fork", label: text, isTurn: true, text });
  }
  const last = { left: lastOf(turns.pairs, "left"), right: lastOf(turns.pairs, "right") };
  turns.pairs.forEach((pair, index) => {
    const turn = pair.isPrompt ? prompts + pair.turn : null;
    const ends = { left: left.isComplete && index === last.left + 1, right: right.isComplete && index === last.right + 1 };
    items.push({ type: "pair", key: pair.key, label: labelOf(pair, prompts + pair.turn), isTurn: pair.isPrompt, pair, turn, ends });
  });
  const text = turns.wanted.length > 0 ? "Loading more…" : isSame ? "Both end here, without a difference" : "Both end here";
  items.push({ type: "end", key: "end", label: text, isTurn: false, text });
  return items;
}

const lastOf = (pairs: readonly Pair[], side: "left" | "right") => pairs.findLastIndex((pair) => pair[side] !== null);

/** Whether the first difference is a prompt on every side that goes on. */
function opensTurn(left: Side, right: Side, from: { left: number; right: number }): boolean {
  const next = [left.messages[from.left], right.messages[from.right]].filter((message) => message !== undefined);
  return next.every(isPrompt);
}

function labelOf({ left, right, isSame }: Pair, turn: number): string {
  if (!right) return `Turn ${turn}: A alone`;
  if (!left) return `Turn ${turn}: B alone`;
  return `Turn ${turn}: ${isSame ? "the same in A and B" : "A and B differ"}`;
}
