/** Where a hit stands: in words, and as what the reader opens. */
import { KINDS } from "../../components/kinds";
import type { SearchField, SessionKind } from "../../graphql/generated/graphql";
import type { OpenView } from "../../lib/view";

interface Hit {
  field: SearchField;
  profile: { name: string };
  conversation: { id: string; segments: readonly { id: string }[] };
  session: { id: string };
  message: { id: string } | null;
}

/** The very message; for an id the segment that it names; for a title the conversation from its beginning. */
export function toOpen({ field, profile, conversation, session, message }: Hit): OpenView {
  const segment = conversation.segments.findIndex(({ id }) => id === session.id);
  const where = { profile: profile.name, message: message?.id ?? null, segment: null };
  if (segment < 0) return { ...where, type: "session", id: session.id };
  return { ...where, type: "conversation", id: conversation.id, segment: field === "ID" && segment > 0 ? session.id : null };
}

/** The conversation from its hit on, with its find bar on these words; from its beginning for a subagent's hit. */
export function toOpenAll(hit: Hit, within: string): OpenView {
  const open = toOpen(hit);
  const withinReasoning = hit.field === "REASONING" || undefined;
  if (open.type === "conversation") return { ...open, within, withinReasoning };
  return { type: "conversation", profile: open.profile, id: hit.conversation.id, message: null, segment: null, within, withinReasoning };
}

/**
 * What a find bar, which knows literal text alone, looks for: the words of a search as they were typed where a hit has
 * them side by side, else the longest of them.
 */
export function literalOf(search: string, snippet: string): string {
  const words = search.trim().split(/\s+/);
  const phrase = words.join(" ");
  if (snippet.toLowerCase().includes(phrase.toLowerCase())) return phrase;
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}

export function isOpen(hit: Hit, open: OpenView | null): boolean {
  const { type, profile, id, message, segment } = toOpen(hit);
  return open?.type === type && open.profile === profile && open.id === id && open.message === message && open.segment === segment;
}

interface Writer {
  role: string;
  toolName: string | null;
  toolCalls: readonly { name: string | null }[];
}

const NAMES: Partial<Record<SearchField, string>> = { ID: "Id", TITLE: "Title", REASONING: "Reasoning" };
const WRITERS: Record<string, string> = { user: "You", assistant: "Assistant" };

/** Whose words they are: "You", "Assistant", "Title", "Result of terminal", "Call of terminal". */
export function voiceOf(field: SearchField, message: Writer | null): string {
  const name = NAMES[field];
  if (name !== undefined || !message) return name ?? "Message";
  const { role, toolName, toolCalls } = message;
  if (role === "tool") return `Result of ${toolName ?? "a tool"}`;
  if (field !== "TOOL") return WRITERS[role] ?? role;
  const tools = new Set(toolCalls.map((call) => call.name ?? "a tool"));
  return `Call of ${[...tools].join(", ") || "a tool"}`;
}

interface Holder {
  id: string;
  kind: SessionKind;
  displayTitle: string;
}

/** Which part of its conversation a hit stands in; null where it is the first. */
export function partOf(session: Holder, segments: readonly { id: string }[]): string | null {
  const segment = segments.findIndex(({ id }) => id === session.id);
  if (segment < 0) return `${KINDS[session.kind].word}: ${session.displayTitle}`;
  return segment === 0 ? null : `Part ${segment + 1} of ${segments.length}`;
}
