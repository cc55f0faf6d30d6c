/** How much of a transcript is shown: answers alone, with tools, with reasoning, or everything there is. */
import { plural } from "../../lib/format";
import type { Mode } from "../../lib/view";
import type { Item, Message, MessageItem } from "./transcript";

/** Work between answers that a mode leaves out: counted in one line, which opens where it stands. */
export interface QuietItem {
  type: "quiet";
  key: string;
  position: number;
  parts: MessageItem[];
}

export type Row = Item | QuietItem;

export const MODE_NAMES: Record<Mode, string> = {
  answers: "Answers",
  tools: "+ tools",
  reasoning: "+ reasoning",
  everything: "All",
};

/** What a mode shows unfolded; raw JSON is never. */
export const opensAtFirst = (mode: Mode) => (key: string): boolean => {
  if (key.endsWith(" raw") || key.endsWith(" quiet")) return false;
  return mode === "everything" || (mode === "reasoning" && key.endsWith(" reasoning"));
};

export const showsReasoning = (mode: Mode): boolean => opensAtFirst(mode)(" reasoning");

/** The states of messages that a mode asks for; null: those that a transcript shows. */
const ALL_STATES = ["LIVE", "COMPACTED", "REWOUND"] as const;
export const statesIn = (mode: Mode) => (mode === "everything" ? ALL_STATES : null);

/** Rows with which a segment begins, by key, and the session that it is: where everything is shown, what came before all messages is, too. */
export function segmentStarts(rows: readonly Row[], mode: Mode, hasBefore: boolean): ReadonlyMap<string, Message["session"]> {
  const starts = new Map<string, Message["session"]>();
  if (mode !== "everything") return starts;
  rows.forEach((row, index) => {
    const isStart = (row.type === "seam" && row.seam.kind === "CONTINUATION") || (index === 0 && !hasBefore);
    const first = isStart && rows.slice(index).find((each) => each.type === "message");
    if (first) starts.set(row.key, first.message.session);
  });
  return starts;
}

export const quietKeys = (item: QuietItem): string[] => item.parts.map((part) => `${part.key} quiet`);

export function quietLabel({ parts }: QuietItem): string {
  const calls = parts.reduce((sum, part) => sum + part.calls.length, 0);
  const results = parts.filter((part) => part.message.role === "tool").length;
  const named = [calls > 0 && plural(calls, "tool call"), results > 0 && plural(results, "result")].filter(Boolean);
  return named.join(", ") || "reasoning";
}

/** `withThoughts`: also what was only thought counts as work. */
export function inMode(items: readonly Item[], mode: Mode, withThoughts = false): Row[] {
  if (mode !== "answers") return [...items];
  const rows: Row[] = [];
  const leaveOut = (part: MessageItem) => {
    const last = rows.at(-1);
    if (last?.type === "quiet") last.parts.push(part);
    else rows.push({ type: "quiet", key: `${part.key} quiet`, position: part.position, parts: [part] });
  };
  for (const item of items) {
    if (item.type === "seam") {
      rows.push(item);
      continue;
    }
    if (hasAnswer(item)) rows.push(answerOf(item));
    if (hasWork(item) || (withThoughts && item.message.reasoning)) leaveOut(hasAnswer(item) ? workOf(item) : item);
  }
  return rows;
}

const hasAnswer = ({ message }: MessageItem): boolean =>
  message.role !== "tool" && (Boolean(message.content?.trim()) || message.parts.some((part) => part.__typename !== "TextPart") || message.warnings.length > 0);

const hasWork = (item: MessageItem): boolean => item.calls.length > 0 || !hasAnswer(item);

/** Derived once for a message: what is shown of it keeps its identity while others come and go. */
const answers = new WeakMap<object, MessageItem["message"]>();
const works = new WeakMap<object, MessageItem["message"]>();

function derived(cache: WeakMap<object, MessageItem["message"]>, item: MessageItem, change: Partial<MessageItem["message"]>) {
  const known = cache.get(item.message) ?? { ...item.message, ...change };
  cache.set(item.message, known);
  return known;
}

const answerOf = (item: MessageItem): MessageItem => ({ ...item, calls: [], message: derived(answers, item, { reasoning: null }) });

const workOf = (item: MessageItem): MessageItem => ({
  ...item,
  isSameVoice: true,
  message: derived(works, item, { content: null, contentTruncated: false, parts: [], warnings: [] }),
});
