/** Titles that were typed and refused, until they are kept or given up: going to see who has the title does not lose them. */
import type { RefusedTitle } from "./useConversationActions";

export interface TitleDraft {
  text: string;
  refused: RefusedTitle;
}

const drafts = new Map<string, TitleDraft>();

export const titleDraft = (nodeId: string): TitleDraft | undefined => drafts.get(nodeId);
export const keepTitleDraft = (nodeId: string, draft: TitleDraft): void => void drafts.set(nodeId, draft);
export const dropTitleDraft = (nodeId: string): void => void drafts.delete(nodeId);
