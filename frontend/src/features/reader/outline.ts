/** What stands where in the whole transcript, loaded or not. */
import { graphql } from "../../graphql/generated";
import type { OutlineKind, Outline_MarksFragment } from "../../graphql/generated/graphql";

export type { OutlineKind };
export type Mark = Outline_MarksFragment["marks"][number];

export const OutlineMarks = graphql(`
  fragment Outline_marks on Outline {
    messageCount
    truncated
    counts { kind count }
    marks { position message kind label }
  }
`);

export const ConversationOutline = graphql(`
  query ConversationOutline($id: ID!, $profile: String, $filter: MessageFilter, $find: String, $findFields: [SearchField!], $maxMarks: Int!) {
    conversation(id: $id, profile: $profile) {
      nodeId
      outline(filter: $filter, find: $find, findFields: $findFields, maxMarks: $maxMarks) { ...Outline_marks }
    }
  }
`);

export const SessionOutline = graphql(`
  query SessionOutline($id: ID!, $profile: String, $filter: MessageFilter, $find: String, $findFields: [SearchField!], $maxMarks: Int!) {
    session(id: $id, profile: $profile) {
      nodeId
      outline(filter: $filter, find: $find, findFields: $findFields, maxMarks: $maxMarks) { ...Outline_marks }
    }
  }
`);

/** The nearest mark of a kind after a position, or before it; undefined past the ends. */
export function nextMark(marks: readonly Mark[], kind: OutlineKind, position: number, step: 1 | -1): Mark | undefined {
  return step > 0
    ? marks.find((mark) => mark.kind === kind && mark.position > position)
    : marks.findLast((mark) => mark.kind === kind && mark.position < position);
}

/** The mark nearest to a position. */
export function nearestMark(marks: readonly Mark[], position: number): Mark | undefined {
  let nearest: Mark | undefined;
  for (const mark of marks) {
    if (!nearest || Math.abs(mark.position - position) < Math.abs(nearest.position - position)) nearest = mark;
  }
  return nearest;
}

/** The rarer a kind usually is, the earlier: where marks fall on the same pixels, the first of these is shown. */
const RARITY: readonly OutlineKind[] = ["HIT", "SEAM", "ERROR", "SUMMARY", "SUBAGENT", "PROMPT"];

export interface Tick {
  /** From the top of the rail, 0 to 1. */
  at: number;
  mark: Mark;
}

/** One tick for each of so many slots that has a mark: that of the rarest kind in it. */
export function ticksOf(marks: readonly Mark[], total: number, slots: number): Tick[] {
  const ticks = new Map<number, Mark>();
  const counts = new Map<OutlineKind, number>();
  for (const { kind } of marks) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const isRarer = (a: Mark, b: Mark) => {
    if (a.kind === "HIT" || b.kind === "HIT") return a.kind === "HIT" && b.kind !== "HIT";
    const difference = (counts.get(a.kind) ?? 0) - (counts.get(b.kind) ?? 0);
    return difference < 0 || (difference === 0 && RARITY.indexOf(a.kind) < RARITY.indexOf(b.kind));
  };
  for (const mark of marks) {
    const slot = Math.min(slots - 1, Math.floor((mark.position / Math.max(1, total)) * slots));
    const known = ticks.get(slot);
    if (!known || isRarer(mark, known)) ticks.set(slot, mark);
  }
  return [...ticks].map(([slot, mark]) => ({ at: (slot + 0.5) / slots, mark }));
}
