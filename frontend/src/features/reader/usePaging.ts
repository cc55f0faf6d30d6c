/** Loads what comes next while reading, and gives up what was left far behind. */
import { type RefObject, useEffect } from "react";
import type { Row } from "./modes";
import { rowsOf, type Sight } from "./scrolling";
import type { TranscriptWindow } from "./useTranscriptWindow";

/** In heights of the reader: where loading begins, and how much around the reader stays. */
const AHEAD = 1.5;
const KEPT = 2.5;

interface PagingOptions {
  scroller: RefObject<HTMLDivElement | null>;
  window: TranscriptWindow;
  rows: readonly Row[];
  sight: Sight;
  /** Nothing may come or go for the moment. */
  isPaused: boolean;
  /** Somebody looks for something far off: what is on the way to it must not be given up. */
  isSeeking: boolean;
}

export function usePaging({ scroller, window, rows, sight, isPaused, isSeeking }: PagingOptions): void {
  const { hasAfter, hasBefore, loading, error, loadAfter, loadBefore, keep } = window;
  useEffect(() => {
    const element = scroller.current;
    if (!element || isPaused || loading !== null || error || sight.of !== rows) return;
    const height = element.clientHeight;
    // First what was left behind: who scrolls without a rest would otherwise pile it up.
    const isLong = !isSeeking && Math.max(sight.above, sight.below) > 2 * KEPT * height;
    if (isLong && keep(...edgesNear(element, rows, KEPT * height))) return;
    if (hasAfter && sight.below < AHEAD * height) loadAfter();
    else if (hasBefore && sight.above < AHEAD * height) loadBefore();
  }, [scroller, rows, sight, isPaused, isSeeking, hasAfter, hasBefore, loading, error, loadAfter, loadBefore, keep]);
}

/** The loaded messages that are shown at most so many pixels outside the reader. */
function edgesNear(scroller: HTMLElement, rows: readonly Row[], distance: number): [number, number] {
  const { top, bottom } = scroller.getBoundingClientRect();
  const boxes = rowsOf(scroller).map((row) => row.getBoundingClientRect());
  const first = boxes.findIndex((box) => box.bottom > top - distance);
  const beyond = boxes.findIndex((box) => box.top > bottom + distance);
  const positionFrom = (index: number) => rows.slice(index).find((row) => row.type !== "seam")?.position;
  return [positionFrom(Math.max(first, 0)) ?? 0, (beyond < 0 ? undefined : positionFrom(beyond)) ?? Infinity];
}
