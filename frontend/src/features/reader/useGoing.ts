/** Sends the reader to a place: at once where it is loaded, else once the stretch around it has come. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Position } from "../../graphql/pageWindow";
import { anchorFor, foldsOver, isWhole, placeAt, rowFor, type Stretch, type Wanted } from "./places";
import { putAt, rowsOf, TURN_BAR } from "./scrolling";
import type { FoldStore } from "./useFolds";

const SEEN_AT_LEAST = 24;
/** What somebody does who no longer waits for the end. */
const TURNING_AWAY = ["wheel", "touchmove", "pointerdown", "keydown"];

interface GoingOptions {
  stretch: Stretch;
  /** Of the window that the stretch is of. */
  windowKey: string;
  folds: FoldStore;
  first: Wanted;
  onJump: (position: Position) => void;
}

export function useGoing({ stretch, windowKey, folds, first, onJump }: GoingOptions) {
  const wanted = useRef<Wanted | null>(first);
  const leftFrom = useRef<string | null>(null);
  /** The end as it was when it was asked for is here; what has come since is on its way. */
  const isFollowing = useRef(false);
  const [cursor, setCursor] = useState<string | null>(null);
  const latest = useRef({ stretch, windowKey, folds, onJump });
  useLayoutEffect(() => {
    latest.current = { stretch, windowKey, folds, onJump };
  });

  /** `rest`: what is wanted on, though the reader is there. */
  const arrive = useCallback((rest: "end" | null = null) => {
    wanted.current = rest;
    leftFrom.current = null;
    isFollowing.current = rest !== null;
  }, []);

  /** Puts the reader where it is wanted, as far as that is loaded; true when it did. */
  const settle = useCallback((scroller: HTMLElement): boolean => {
    const where = wanted.current;
    if (where === null) return false;
    const { stretch: there, windowKey: key, folds: store } = latest.current;
    const index = rowFor(where, there);
    const hasCome = there.rows.length > 0 && leftFrom.current !== null && key !== leftFrom.current;
    if (where === "end" && (index !== null || hasCome || isFollowing.current)) {
      arrive(isWhole(there) ? null : "end");
      setCursor(there.rows.at(-1)?.key ?? null);
      scroller.scrollTop = scroller.scrollHeight;
      return true;
    }
    if (index === null) {
      if (hasCome) arrive();
      return false;
    }
    arrive();
    if (typeof where === "object" && where.opens) store.set(foldsOver(there.rows, where), true);
    setCursor(there.rows[index]?.key ?? null);
    if (where === "start") scroller.scrollTop = 0;
    else {
      const place = placeAt(there.rows, index, where);
      const row = rowsOf(scroller)[place.index];
      // A row that was longer when its place was kept, unfolded, still ends in sight.
      const least = TURN_BAR + SEEN_AT_LEAST - (row?.offsetHeight ?? 0);
      putAt(scroller, { key: row?.dataset.key ?? "", offset: Math.max(place.offset, least) });
    }
    return true;
  }, [arrive]);

  // What came may be nothing that this list shows: no row tells then that all of it is here.
  useEffect(() => {
    if (isFollowing.current && isWhole(stretch)) arrive();
  });
  useEffect(() => {
    const stay = () => isFollowing.current && arrive();
    for (const event of TURNING_AWAY) window.addEventListener(event, stay, { capture: true, passive: true });
    return () => {
      for (const event of TURNING_AWAY) window.removeEventListener(event, stay, { capture: true });
    };
  }, [arrive]);

  /** `isFresh`: the stretch around the place is loaded anew in any case. */
  const go = useCallback(
    (where: Wanted, scroller: HTMLElement | null, isFresh = false) => {
      const { stretch: there, windowKey: key, onJump: jump } = latest.current;
      wanted.current = where;
      isFollowing.current = false;
      if (isFresh || rowFor(where, there) === null) {
        leftFrom.current = key;
        jump(anchorFor(where));
      } else if (scroller) settle(scroller);
    },
    [settle],
  );
  return { go, settle, cursor, setCursor };
}
