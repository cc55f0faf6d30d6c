/** Turns the messages of a transcript into what is read: seams, prompts and answers, tool calls with their results. */
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import type { Transcript_EdgeFragment, Transcript_MessageFragment } from "../../graphql/generated/graphql";

export const TranscriptMessage = graphql(`
  fragment Transcript_message on Message {
    nodeId
    id
    role
    state
    content(maxBytes: 32768)
    contentTruncated(maxBytes: 32768)
    contentBytes
    parts {
      __typename
      ... on ImagePart { mediaType bytes }
      ... on OtherPart { type }
    }
    reasoning
    contentTail(maxBytes: 4096, headBytes: 32768)
    isError
    toolCalls { id name argumentsText result { nodeId isError contentBytes timestamp } }
    toolCallId
    toolName
    timestamp
    finishReason
    isSummary
    warnings
    session { nodeId id profile { nodeId name } }
  }
`);

export const TranscriptEdge = graphql(`
  fragment Transcript_edge on MessageEdge {
    cursor
    seam {
      kind
      at
      fromSession { nodeId id endReason }
      toSession { nodeId id startedAt model }
    }
    node { nodeId ...Transcript_message }
  }
`);

export type Message = Transcript_MessageFragment;
export type Seam = NonNullable<Transcript_EdgeFragment["seam"]>;

export interface Call {
  key: string;
  name: string;
  argumentsText: string | null;
  /** The tool message that answers, where it has been loaded. */
  result: Message | null;
  /** The answering message's id, to load it; null when nothing answered. */
  resultId: string | null;
  /** What is known of the answer wherever it stands; null when nothing answered. */
  answer: { isError: boolean; contentBytes: number; timestamp: string | null } | null;
}

export interface SeamItem {
  type: "seam";
  key: string;
  seam: Seam;
}

export interface MessageItem {
  type: "message";
  key: string;
  message: Message;
  calls: Call[];
  /** Where it stands among the loaded messages, from 0. */
  position: number;
  /** Opens a turn. */
  isPrompt: boolean;
  /** Goes on in the voice of the item before: its author need not be named again. */
  isSameVoice: boolean;
}

export type Item = SeamItem | MessageItem;

/** Edges in order to items in order. A result that a loaded call claims is shown with the call and nowhere else. */
export function toItems(edges: readonly FragmentType<typeof TranscriptEdge>[]): Item[] {
  const rows = edges.map((edge) => {
    const { seam, node } = readFragment(TranscriptEdge, edge);
    return { seam, message: readFragment(TranscriptMessage, node) };
  });
  const byId = new Map(rows.map(({ message }) => [message.nodeId, message]));
  const byCall = new Map(rows.toReversed().map(({ message }) => [answerKey(message.session.id, message.toolCallId), message]));
  const claimed = new Set<string>();
  const calls = new Map(rows.map(({ message }) => [message.nodeId, toCalls(message, byId, byCall, claimed)]));

  const items: Item[] = [];
  let voice = "";
  rows.forEach(({ seam, message }, position) => {
    if (seam) {
      items.push({ type: "seam", key: `seam ${message.nodeId}`, seam });
      voice = "";
    }
    if (claimed.has(message.nodeId)) return;
    items.push({
      type: "message",
      key: message.nodeId,
      message,
      calls: calls.get(message.nodeId) ?? [],
      position,
      isPrompt: message.role === "user" && !message.isSummary,
      isSameVoice: voiceKey(message) === voice && message.role === "assistant" && !message.isSummary,
    });
    voice = voiceKey(message);
  });
  return items;
}

/** What the agent no longer sees is not read on as if it did. */
const voiceKey = ({ role, state, isSummary }: Message) => `${role} ${state} ${isSummary}`;

const answerKey = (session: string, toolCallId: string | null) => `${toolCallId ?? ""} ${session}`;

/** A call that was loaded before its result was stored finds it among the messages that came since. */
function toCalls(message: Message, byId: ReadonlyMap<string, Message>, byCall: ReadonlyMap<string, Message>, claimed: Set<string>): Call[] {
  return message.toolCalls.map((call, index) => {
    const late = call.result === null && call.id ? byCall.get(answerKey(message.session.id, call.id)) : undefined;
    const resultId = call.result?.nodeId ?? late?.nodeId ?? null;
    const result = (resultId && byId.get(resultId)) || null;
    if (result) claimed.add(result.nodeId);
    return {
      key: `${message.nodeId} ${call.id ?? index}`,
      name: call.name ?? result?.toolName ?? "tool",
      argumentsText: call.argumentsText,
      result,
      resultId,
      answer: call.result ?? late ?? null,
    };
  });
}

/** Whether an item is where a message is read: its own, or that of the call which it answers. */
export function shows(item: Item | { type: "quiet"; parts: MessageItem[] }, messageId: string): boolean {
  if (item.type === "quiet") return item.parts.some((part) => shows(part, messageId));
  return item.type === "message" && (item.message.id === messageId || item.calls.some((call) => call.result?.id === messageId));
}

/** The keys of the calls whose result a message is: folded, they hide it. */
export function callsAnsweredBy(items: readonly Item[], messageId: string | null): string[] {
  const calls = items.flatMap((item) => (item.type === "message" ? item.calls : []));
  return calls.filter((call) => call.result !== null && call.result.id === messageId).map((call) => call.key);
}

/** Whether nothing that is shown of an item has changed; its position does not matter for that. */
export function isSameItem(a: MessageItem, b: MessageItem): boolean {
  const isSameCall = (call: Call, index: number) => call.result === b.calls[index]?.result && call.key === b.calls[index]?.key;
  return a.message === b.message && a.isSameVoice === b.isSameVoice && a.calls.length === b.calls.length && a.calls.every(isSameCall);
}

/** The prompt that an item answers: the nearest one at or before it. */
export function promptBefore(items: readonly { type: string; isPrompt?: boolean }[], index: number): number | null {
  const found = items.slice(0, index + 1).findLastIndex((item) => item.isPrompt === true);
  return found < 0 ? null : found;
}

/** The next item in a direction that fits, or null. */
export function findItem<T>(items: readonly T[], from: number, step: 1 | -1, fits: (item: T) => boolean): number | null {
  for (let index = from + step; index >= 0 && index < items.length; index += step) {
    const item = items[index];
    if (item && fits(item)) return index;
  }
  return null;
}
