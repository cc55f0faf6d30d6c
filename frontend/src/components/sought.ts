/** What somebody is looking for and was sent to: what cuts a long text opens where it stands. */
import { createContext } from "react";

export interface Sought {
  /** The id of the message that somebody was sent to. */
  message: string;
  words: readonly string[];
}

export const SoughtContext = createContext<Sought | null>(null);

/** Whether a text holds one of these words, without regard to case. */
export function holds(text: string | null | undefined, words: readonly string[]): boolean {
  const folded = text?.toLowerCase() ?? "";
  return words.some((word) => folded.includes(word.toLowerCase()));
}
