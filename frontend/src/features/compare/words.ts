/** Which words two texts have alone: the library that finds them is loaded with this module. */
import { diffWordsWithSpace } from "diff";

export interface Word {
  text: string;
  isOwn: boolean;
}

/** Edits after which two texts are different texts, and marks would be noise. */
const MOST_EDITS = 1_500;
const LEAST_COMMON = 0.3;

/** Each text in stretches; null where they have too little in common for marks to help. */
export function compareWords(left: string, right: string): { left: Word[]; right: Word[] } | null {
  const changes = diffWordsWithSpace(left, right, { maxEditLength: MOST_EDITS });
  if (!changes) return null;
  const common = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0);
  if (common < LEAST_COMMON * Math.max(left.length, right.length)) return null;
  const words = (other: "added" | "removed") =>
    changes.filter((change) => !change[other]).map(({ value, added, removed }) => ({ text: value, isOwn: added || removed }));
  return { left: words("added"), right: words("removed") };
}
