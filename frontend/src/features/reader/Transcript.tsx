/** The transcript as a feed: the stretch that is read is mounted, older and newer pages come and go while reading. */
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { Position } from "../../graphql/pageWindow";
import type { Mode } from "../../lib/view";
import { isFree } from "./focus";
import type { Place } from "./keptPlace";
import { inMode, opensAtFirst, type Row, segmentStarts, statesIn } from "./modes";
import type { Mark } from "./outline";
import type { Wanted } from "./places";
import { landmarkOf } from "./scrolling";
import styles from "./Transcript.module.css";
import { promptBefore, shows, toItems } from "./transcript";
import { TranscriptRow } from "./TranscriptRow";
import { TurnBar } from "./TurnBar";
import { FoldStore } from "./useFolds";
import { useCopyMessage } from "./useCopyMessage";
import { useGoing } from "./useGoing";
import { type Highlights, useHighlights } from "./useHighlights";
import { usePaging } from "./usePaging";
import { useReading } from "./useReading";
import { useTranscriptKeys } from "./useTranscriptKeys";
import type { TranscriptWindow } from "./useTranscriptWindow";

/** What is in sight, by position in the whole transcript, from 0. */
export interface InSight {
  from: number;
  to: number;
}

export interface TranscriptHandle {
  go: (wanted: Wanted) => void;
  focus: () => void;
}

interface TranscriptProps {
  handle: RefObject<TranscriptHandle | null>;
  window: TranscriptWindow;
  isMoving: boolean;
  mode: Mode;
  marks: readonly Mark[] | null;
  /** Where to start to read. */
  first: Wanted;
  onJump: (position: Position) => void;
  onLink: (messageId: string) => void;
  /** What is read now: the message at the top, and what is in sight; null for a place that need not be kept. */
  onRead: (place: Place | null, inSight: InSight | null, cursor: string | null) => void;
  highlights: Highlights;
}

export function Transcript({ handle, window, isMoving, mode, marks, first, onJump, onLink, onRead, highlights }: TranscriptProps) {
  const { edges, start, hasAfter, hasBefore, total } = window;
  const { words, at, inReasoning } = highlights;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => inMode(toItems(edges), mode, inReasoning), [edges, mode, inReasoning]);
  const starts = useMemo(() => segmentStarts(rows, mode, hasBefore), [rows, mode, hasBefore]);
  const folds = useMemo(() => new FoldStore(opensAtFirst(mode)), [mode]);
  const { go, settle, cursor, setCursor } = useGoing({ stretch: { rows, hasBefore, hasAfter, isGrowing: window.loading === "after" }, windowKey: window.key, folds, first, onJump });
  const place = useRef<Place | null>(null);
  const settleInMode = useModeChange(mode, place, go, settle);
  const { sight, isHeld } = useReading(scroller, rows, settleInMode);
  const indexOf = (key: string | null) => Math.max(0, rows.findIndex((row) => row.key === key));
  const [top, bottom] = [indexOf(sight.top), indexOf(sight.bottom)];
  const { here, isSeeking } = useTranscriptKeys({ scroller, window, rows, inView: [top, bottom], cursor, setCursor, folds, isMoving, marks, go });
  useCopyMessage(rows[here]);
  usePaging({ scroller, window, rows, sight, isPaused: isHeld || isMoving, isSeeking });
  useHighlights(scroller, highlights);
  const sought = useMemo(() => (at === null || words.length === 0 ? null : { message: at, words }), [at, words]);

  useEffect(() => {
    const send = (wanted: Wanted) => go(wanted, scroller.current);
    handle.current = { go: send, focus: () => scroller.current?.focus({ preventScroll: true }) };
    return () => {
      handle.current = null;
    };
  }, [handle, go]);
  useEffect(() => {
    if (isFree(document.activeElement)) scroller.current?.focus({ preventScroll: true });
  }, []);

  const positionOf = (row: Row | undefined) => (row && row.type !== "seam" && start !== null ? start + row.position : null);
  useEffect(() => {
    const element = scroller.current;
    if (!element || isMoving || sight.of !== rows) return;
    place.current = placeIn(element, rows);
    const [from, to] = [rows.slice(top).find((row) => row.type !== "seam"), rows.slice(0, bottom + 1).findLast((row) => row.type !== "seam")];
    const inSight = start === null || !from || !to ? null : { from: positionOf(from) ?? 0, to: positionOf(to) ?? 0 };
    const current = rows[here];
    onRead(!hasBefore && sight.above < 1 ? null : place.current, inSight, current?.type === "message" ? current.message.id : null);
    // oxlint-disable-next-line react/exhaustive-deps -- positionOf follows from start, top and bottom from sight
  }, [rows, sight, start, hasBefore, isMoving, here, onRead]);

  const turn = promptBefore(rows, top);
  const above = turn === null || turn === top ? undefined : rows[turn];
  const prompt = above?.type === "message" ? above : undefined;
  return (
    <div className={styles.frame}>
      <TurnBar item={prompt} onGo={() => prompt && go({ message: prompt.message.id }, scroller.current)} />
      <div
        ref={scroller}
        className={styles.scroller}
        role="feed"
        aria-label="Transcript"
        aria-busy={window.loading !== null || isMoving}
        data-moving={isMoving || undefined}
        tabIndex={0}
      >
        <div className={styles.content}>
          {rows.map((row) => (
            <TranscriptRow key={row.key} row={row} begins={starts.get(row.key)} sought={sought && shows(row, sought.message) ? sought : null} position={positionOf(row)} total={total ?? -1} isCursor={row.key === cursor} folds={folds} onPick={setCursor} onLink={onLink} />
          ))}
        </div>
        {window.error && (
          <p className={styles.failure} role="alert">
            More messages could not be loaded. <button type="button" onClick={window.retry}>Try again</button>
          </p>
        )}
      </div>
    </div>
  );
}

/** The message at the top of the reader, and where it begins. */
function placeIn(scroller: HTMLElement, rows: readonly Row[]): Place | null {
  const mark = landmarkOf(scroller);
  const row = rows.find((each) => each.key === mark?.key);
  if (!mark || !row) return null;
  if (row.type === "seam") {
    const next = rows[rows.indexOf(row) + 1];
    return next?.type === "message" ? { message: next.message.id, offset: mark.offset } : null;
  }
  return { message: row.type === "quiet" ? (row.parts[0]?.message.id ?? "") : row.message.id, offset: mark.offset };
}

/** Another mode shows other rows, or other messages: what was at the top stays there. */
function useModeChange(mode: Mode, place: RefObject<Place | null>, go: ReturnType<typeof useGoing>["go"], settle: (scroller: HTMLDivElement) => boolean) {
  const before = useRef(mode);
  return useCallback(
    (scroller: HTMLDivElement) => {
      const hasOtherMessages = statesIn(before.current) !== statesIn(mode);
      const hasChanged = before.current !== mode;
      before.current = mode;
      if (!hasChanged || !place.current) return settle(scroller);
      go(place.current, scroller, hasOtherMessages);
      return true;
    },
    [mode, place, go, settle],
  );
}
