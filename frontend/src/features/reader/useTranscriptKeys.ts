/** The reader's keys: each goes as far as the transcript does, also where it is not loaded. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { useAction } from "../../lib/useAction";
import { quietKeys, type Row } from "./modes";
import { type Mark, nextMark, type OutlineKind } from "./outline";
import type { Wanted } from "./places";
import { putAt, TURN_BAR } from "./scrolling";
import { findItem, shows } from "./transcript";
import type { FoldStore } from "./useFolds";
import type { TranscriptWindow } from "./useTranscriptWindow";

type Step = 1 | -1;
type Fits = (row: Row) => boolean;

interface KeysOptions {
  scroller: RefObject<HTMLDivElement | null>;
  window: TranscriptWindow;
  rows: readonly Row[];
  /** The first and the last row in sight. */
  inView: readonly [number, number];
  cursor: string | null;
  setCursor: (key: string) => void;
  folds: FoldStore;
  /** Another stretch is on its way: what is shown is left. */
  isMoving: boolean;
  /** Null until it has come. */
  marks: readonly Mark[] | null;
  go: (wanted: Wanted, scroller: HTMLElement | null) => void;
}

const isMessage: Fits = (row) => row.type !== "seam";
const isPrompt: Fits = (row) => row.type === "message" && row.isPrompt;
const isToolCall: Fits = (row) => row.type === "quiet" || (row.type === "message" && row.calls.length > 0);

export function useTranscriptKeys({ scroller, window, rows, inView, cursor, setCursor, folds, isMoving, marks, go }: KeysOptions) {
  const { start, hasAfter, hasBefore, loadAfter, loadBefore } = window;
  const cursorIndex = rows.findIndex((row) => row.key === cursor);
  /** The row that keys start from: the cursor's, as long as it is in sight. */
  const here = cursorIndex >= inView[0] && cursorIndex <= inView[1] ? cursorIndex : inView[0];

  const goToRow = (index: number) => {
    const key = rows[index]?.key;
    if (!key || !scroller.current) return;
    setCursor(key);
    putAt(scroller.current, { key, offset: TURN_BAR });
  };

  /** What is looked for while it is not loaded yet: ended at once when it is found, before anything renders again. */
  const sought = useRef<{ step: Step; fits: Fits } | null>(null);
  const [isSeeking, setSeeking] = useState(false);
  const seek = (step: Step, fits: Fits) => {
    const found = findItem(rows, here, step, fits);
    const isMore = step > 0 ? hasAfter : hasBefore;
    sought.current = found === null && isMore ? { step, fits } : null;
    setSeeking(sought.current !== null);
    if (found !== null) goToRow(found);
    else if (isMore) (step > 0 ? loadAfter : loadBefore)();
  };
  const resume = useRef(() => {});
  useEffect(() => {
    resume.current = () => sought.current && seek(sought.current.step, sought.current.fits);
  });
  useEffect(() => {
    resume.current();
    // oxlint-disable-next-line react/exhaustive-deps -- goes on with what has come
  }, [rows]);

  const last = useRef<Mark | null>(null);
  const goToMark = (kind: OutlineKind, step: Step, opens: boolean) => {
    const row = rows[here];
    const own = row && row.type !== "seam" && start !== null ? start + row.position : 0;
    // A message may show several of them, with its calls.
    const isThere = last.current !== null && row !== undefined && shows(row, last.current.message);
    const mark = nextMark(marks ?? [], kind, isThere ? (last.current?.position ?? own) : own, step);
    if (!mark) return;
    last.current = mark;
    go({ message: mark.message, opens }, scroller.current);
  };

  const toPrompt = (step: Step) => {
    if (marks === null || findItem(rows, here, step, isPrompt) !== null) seek(step, isPrompt);
    else goToMark("PROMPT", step, false);
  };

  const isHere = !isMoving;
  useAction("reader.next", () => seek(1, isMessage), isHere);
  useAction("reader.previous", () => seek(-1, isMessage), isHere);
  useAction("reader.nextPrompt", () => toPrompt(1), isHere);
  useAction("reader.previousPrompt", () => toPrompt(-1), isHere);
  useAction("reader.nextTool", () => seek(1, isToolCall), isHere);
  useAction("reader.previousTool", () => seek(-1, isToolCall), isHere);
  useAction("reader.nextError", () => goToMark("ERROR", 1, true), isHere);
  useAction("reader.previousError", () => goToMark("ERROR", -1, true), isHere);
  useAction("reader.start", () => go("start", scroller.current));
  useAction("reader.end", () => go("end", scroller.current));
  useAction("reader.unfold", () => {
    const row = rows[here];
    if (row?.type === "quiet") folds.toggleAll(quietKeys(row));
    if (row?.type === "message") folds.toggleAll([`${row.key} reasoning`, ...row.calls.map((call) => call.key)]);
  });
  return { here, isSeeking };
}
