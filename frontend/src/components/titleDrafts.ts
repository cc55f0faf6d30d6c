/** Titles that were typed and refused, until they are kept or given up: going to see who has the title does not lose them. */
import type { RefusedTitle } from "./useConversationActions";

export interface TitleDraft {
  text: string;
  refused: RefusedTitle;
}

const drafts = new Map<string, TitleDraft>();

export const titleDraft = (key: string): TitleDraft | undefined => drafts.get(key);
export const keepTitleDraft = (key: string, draft: TitleDraft): void => void drafts.set(key, draft);
export const dropTitleDraft = (key: string): void => void drafts.delete(key);
