/** The transcript as a feed: only what is in sight is mounted, older and newer pages come while reading. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FragmentType } from "../../graphql/generated";
import type { usePageWindow } from "../../graphql/usePageWindow";
import { useAction } from "../../lib/useAction";
import { MessageArticle } from "./MessageArticle";
import { SeamRow } from "./SeamRow";
import styles from "./Transcript.module.css";
import { findItem, type Item, promptBefore, toItems, type TranscriptEdge } from "./transcript";
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
const isMessage = (item: Item) => item.type === "message";
const isPrompt = (item: Item) => item.type === "message" && item.isPrompt;

export function Transcript({ window, target, onLink }: TranscriptProps) {
  const { edges, hasAfter, hasBefore, loadAfter, loadBefore, total } = window;
  const scroller = useRef<HTMLDivElement>(null);
  const items = useMemo(() => toItems(edges), [edges]);
  const folds = useFolds();
  const start = target === null ? 0 : Math.max(0, items.findIndex((item) => item.type === "message" && item.message.id === target));
  const [cursorKey, setCursorKey] = useState(items[start]?.key);
  const cursor = Math.max(0, items.findIndex((item) => item.key === cursorKey));

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    paddingStart: TOP,
    paddingEnd: 80,
    scrollPaddingStart: target === null ? 0 : 36,
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

  const atTop = virtual.getVirtualItemForOffset(virtual.scrollOffset ?? 0)?.index ?? 0;
  const turn = promptBefore(items, atTop);
  return (
    <div className={styles.frame}>
      <TurnBar item={turn === null || turn === atTop ? undefined : items[turn]} onGo={() => goTo(turn)} />
      <div ref={scroller} className={styles.scroller} role="feed" aria-label="Transcript" aria-busy={window.loading !== null} tabIndex={0}>
        <div className={styles.content} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ key, index, start: top }) => {
            const item = items[index];
            if (!item) return null;
            const place = { ref: virtual.measureElement, "data-index": index, className: styles.row, style: { transform: `translateY(${top}px)` } };
            if (item.type === "seam") {
              return (
                <div key={key} {...place}>
                  <SeamRow seam={item.seam} />
                </div>
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
