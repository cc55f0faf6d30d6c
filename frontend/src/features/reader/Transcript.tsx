/** The transcript as a feed: only what is in sight is mounted, older and newer pages come while reading. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FragmentType } from "../../graphql/generated";
import type { usePageWindow } from "../../graphql/usePageWindow";
import { useAction } from "../../lib/useAction";
import { MessageArticle } from "./MessageArticle";
import { SeamRow } from "./SeamRow";
import styles from "./Transcript.module.css";
import { callsAnsweredBy, findItem, type Item, promptBefore, shows, toItems, type TranscriptEdge } from "./transcript";
import { TurnBar } from "./TurnBar";
import { useFolds } from "./useFolds";

type Window = ReturnType<typeof usePageWindow<unknown, FragmentType<typeof TranscriptEdge>, unknown>>;
export type TranscriptWindow = Pick<Window, "edges" | "hasAfter" | "hasBefore" | "loading" | "error" | "key" | "loadAfter" | "loadBefore" | "retry"> & {
  total: number | null;
};

interface TranscriptProps {
  window: TranscriptWindow;
  /** The message to start at; null: the first one. */
  target: string | null;
  onLink: (messageId: string) => void;
}

const ESTIMATE = 110;
const NEAR = 8;
const TOP = 12;
const TURN_BAR = 36;
const isMessage = (item: Item) => item.type === "message";
const isPrompt = (item: Item) => item.type === "message" && item.isPrompt;

/** The item to start at: the one that shows a message, or the seam that it follows. */
function placeOf(items: readonly Item[], messageId: string | null): number {
  const index = items.findIndex((item) => messageId !== null && shows(item, messageId));
  return items[index - 1]?.type === "seam" ? index - 1 : Math.max(0, index);
}

/** Whether the reader may take the focus when it opens: from the list that it was opened from, or from nothing. */
const isFree = (focused: Element | null) => focused === null || focused === document.body || focused.getAttribute("role") === "grid";

export function Transcript({ window, target, onLink }: TranscriptProps) {
  const { edges, hasAfter, hasBefore, loadAfter, loadBefore, total } = window;
  const scroller = useRef<HTMLDivElement>(null);
  const items = useMemo(() => toItems(edges), [edges]);
  const folds = useFolds(() => callsAnsweredBy(items, target));
  const start = placeOf(items, target);
  const [cursorKey, setCursorKey] = useState((items[start]?.type === "seam" ? items[start + 1] : items[start])?.key);
  const cursor = Math.max(0, items.findIndex((item) => item.key === cursorKey));

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    paddingStart: TOP,
    paddingEnd: 80,
    scrollPaddingStart: TURN_BAR,
    // Keeps what is being read in place when older messages come in above it.
    anchorTo: "end",
    // Unfolding the last message grows downwards, like all the others.
    scrollEndThreshold: -1,
  });
  const shown = virtual.getVirtualItems();
  const firstShown = shown[0]?.index ?? 0;
  const lastShown = shown.at(-1)?.index ?? 0;

  const hasArrived = useRef(false);
  useEffect(() => {
    if (hasArrived.current) return;
    hasArrived.current = true;
    if (isFree(document.activeElement)) scroller.current?.focus({ preventScroll: true });
    if (start > 0) virtual.scrollToIndex(start, { align: "start" });
  }, [start, virtual]);
  useEffect(() => {
    if (hasAfter && lastShown >= items.length - NEAR) loadAfter();
    else if (hasBefore && firstShown <= NEAR && hasArrived.current) loadBefore();
  }, [hasAfter, hasBefore, firstShown, lastShown, items.length, loadAfter, loadBefore]);

  const goTo = (index: number | null) => {
    const item = index === null ? undefined : items[index];
    if (index === null || !item) return;
    setCursorKey(item.key);
    virtual.scrollToIndex(index, { align: "start" });
  };
  useAction("reader.next", () => goTo(findItem(items, cursor, 1, isMessage)));
  useAction("reader.previous", () => goTo(findItem(items, cursor, -1, isMessage)));
  useAction("reader.nextPrompt", () => goTo(findItem(items, cursor, 1, isPrompt)));
  useAction("reader.previousPrompt", () => goTo(findItem(items, cursor, -1, isPrompt)));
  useAction("reader.start", () => goTo(0));
  useAction("reader.end", () => goTo(items.length - 1));
  useAction("reader.unfold", () => {
    const item = items[cursor];
    if (item?.type === "message") folds.toggleAll([`${item.key} reasoning`, ...item.calls.map((call) => call.key)]);
  });

  const atTop = virtual.getVirtualItemForOffset((virtual.scrollOffset ?? 0) + TURN_BAR)?.index ?? 0;
  const turn = promptBefore(items, atTop);
  return (
    <div className={styles.frame}>
      <TurnBar item={turn === null || turn === atTop ? undefined : items[turn]} onGo={() => goTo(turn)} />
      <div ref={scroller} className={styles.scroller} role="feed" aria-label="Transcript" aria-busy={window.loading !== null} tabIndex={0}>
        <div className={styles.content} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ key, index, start: top }) => {
            const item = items[index];
            if (!item) return null;
            const place = { ref: virtual.measureElement, "data-index": index, className: styles.row, style: { top } };
            if (item.type === "seam") {
              return (
                <article key={key} {...place} aria-label="Seam">
                  <SeamRow seam={item.seam} />
                </article>
              );
            }
            const position = hasBefore ? undefined : item.position + 1;
            return (
              <article
                key={key}
                {...place}
                data-message={item.message.id}
                data-cursor={key === cursorKey || undefined}
                data-close={item.isSameVoice || undefined}
                aria-posinset={position}
                aria-setsize={position === undefined ? -1 : (total ?? -1)}
                aria-label={`${item.message.role} message`}
                onClick={() => setCursorKey(item.key)}
              >
                <MessageArticle item={item} folds={folds} onLink={() => onLink(item.message.id)} />
              </article>
            );
          })}
        </div>
      </div>
    </div>
  );
}
