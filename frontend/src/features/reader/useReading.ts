/**
 * The one owner of the scroll position. Rows stand in normal flow, so that the browser's own scroll anchoring keeps what is
 * read in place, also during a fling; where a browser has none, or stands at the very top, the landmark is put back here.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { keepsPlace, type Landmark, landmarkOf, NOWHERE, putAt, type Sight, sightOf } from "./scrolling";

const isSame = (a: Sight, b: Sight) => a.top === b.top && a.bottom === b.bottom && a.above === b.above && a.below === b.below && a.of === b.of;

/** `rows` changes whenever other rows are mounted; `settle` puts the reader where it was sent, and tells whether it did. */
export function useReading(scroller: RefObject<HTMLDivElement | null>, rows: unknown, settle: (scroller: HTMLDivElement) => boolean) {
  const [sight, setSight] = useState(NOWHERE);
  const landmark = useRef<Landmark | null>(null);
  const mounted = useRef(rows);
  const isHeld = useScrollbarHold(scroller);

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    landmark.current = landmarkOf(element);
    const next = sightOf(element, mounted.current);
    setSight((before) => (isSame(before, next) ? before : next));
  }, [scroller]);

  /** After the next frame: by then the browser has put back what it keeps in place. */
  const lookSoon = useCallback(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [look]);

  const latest = useRef(settle);
  useLayoutEffect(() => {
    latest.current = settle;
    mounted.current = rows;
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const hasSettled = latest.current(element);
    const isLeftAlone = !keepsPlace() || element.scrollTop < 1;
    if (!hasSettled && isLeftAlone && landmark.current) putAt(element, landmark.current);
    landmark.current = landmarkOf(element);
    return lookSoon();
    // oxlint-disable-next-line react/exhaustive-deps -- measured anew for other rows
  }, [scroller, rows, lookSoon]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const onResize = () => {
      if (!keepsPlace() && landmark.current) putAt(element, landmark.current);
      lookSoon();
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    // At once, not in the next frame: rows that come in between would be held by a landmark of before.
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, look, lookSoon]);

  return { sight, isHeld };
}

/** Whether somebody drags the scrollbar: its thumb and the pointer would part if the content changed under them. */
function useScrollbarHold(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const hold = (event: PointerEvent) => setHeld(event.target === element && event.offsetX > element.clientWidth);
    const release = () => setHeld(false);
    // Browsers do not tell everywhere that the pointer left a scrollbar: what cannot happen while it is held tells, too.
    const releaseUnpressed = (event: PointerEvent) => event.buttons === 0 && release();
    element.addEventListener("pointerdown", hold);
    element.addEventListener("scrollend", release);
    window.addEventListener("pointerup", release);
    window.addEventListener("pointermove", releaseUnpressed);
    return () => {
      element.removeEventListener("pointerdown", hold);
      element.removeEventListener("scrollend", release);
      window.removeEventListener("pointerup", release);
      window.removeEventListener("pointermove", releaseUnpressed);
    };
  }, [scroller]);
  return isHeld;
}
