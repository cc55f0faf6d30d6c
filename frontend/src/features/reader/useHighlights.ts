/** Keeps words marked in the mounted rows, and brings the one that somebody went to into sight. */
import { type RefObject, useEffect, useRef } from "react";
import { clearRanges, rangesIn, showRanges } from "./highlight";
import { TURN_BAR } from "./scrolling";

export interface Highlights {
  words: readonly string[];
  /** The message that the reader was sent to. */
  at: string | null;
  /** Whether they are looked for in reasoning, too. */
  inReasoning: boolean;
  /** Another value whenever the reader was sent to one of them. */
  sentTo: unknown;
}

const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-cursor", "aria-busy"] };

export function useHighlights(scroller: RefObject<HTMLElement | null>, { words, sentTo }: Highlights): void {
  const isToBeShown = useRef(false);
  const schedule = useRef(() => {});
  const key = JSON.stringify(words);

  useEffect(() => {
    const wanted = JSON.parse(key) as string[];
    const element = scroller.current;
    if (!element || wanted.length === 0) return undefined;
    let frame = 0;
    const mark = () => {
      frame = 0;
      const cursor = element.querySelector("[data-cursor]");
      const ranges = rangesIn(element, wanted);
      const here = ranges.find((range) => cursor?.contains(range.startContainer)) ?? null;
      showRanges(ranges, here);
      if (!here || !isToBeShown.current || element.getAttribute("aria-busy") === "true") return;
      isToBeShown.current = false;
      bringIntoSight(element, here);
    };
    schedule.current = () => {
      frame ||= requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(() => schedule.current());
    observer.observe(element, OBSERVED);
    schedule.current();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      schedule.current = () => {};
      clearRanges();
    };
  }, [scroller, key]);

  useEffect(() => {
    isToBeShown.current = sentTo !== null;
    schedule.current();
  }, [sentTo]);
}

function bringIntoSight(scroller: HTMLElement, range: Range): void {
  // Long code scrolls in a box of its own.
  range.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
  const box = range.getBoundingClientRect();
  const { top, bottom, height } = scroller.getBoundingClientRect();
  if (box.top >= top + TURN_BAR && box.bottom <= bottom) return;
  scroller.scrollTop += box.top - top - height / 3;
}
