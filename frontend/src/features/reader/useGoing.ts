/** Sends the reader to a place: at once where it is loaded, else once the stretch around it has come. */
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Position } from "../../graphql/pageWindow";
import { anchorFor, foldsOver, placeAt, rowFor, type Stretch, type Wanted } from "./places";
import { putAt, rowsOf, TURN_BAR } from "./scrolling";
import type { FoldStore } from "./useFolds";

const SEEN_AT_LEAST = 24;

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
  const [cursor, setCursor] = useState<string | null>(null);
  const latest = useRef({ stretch, windowKey, folds, onJump });
  useLayoutEffect(() => {
    latest.current = { stretch, windowKey, folds, onJump };
  });

  /** Puts the reader where it is wanted, as far as that is loaded; true when it did. */
  const settle = useCallback((scroller: HTMLElement): boolean => {
    const where = wanted.current;
    if (where === null) return false;
    const { stretch: there, windowKey: key, folds: store } = latest.current;
    const index = rowFor(where, there);
    if (index === null) {
      const hasCome = there.rows.length > 0 && leftFrom.current !== null && key !== leftFrom.current;
      if (hasCome) wanted.current = leftFrom.current = null;
      return false;
    }
    wanted.current = leftFrom.current = null;
    if (typeof where === "object" && where.opens) store.set(foldsOver(there.rows, where.message, where.words), true);
    setCursor(there.rows[index]?.key ?? null);
    if (where === "end") scroller.scrollTop = scroller.scrollHeight;
    else if (where === "start") scroller.scrollTop = 0;
    else {
      const place = placeAt(there.rows, index, where);
      const row = rowsOf(scroller)[place.index];
      // A row that was longer when its place was kept, unfolded, still ends in sight.
      const least = TURN_BAR + SEEN_AT_LEAST - (row?.offsetHeight ?? 0);
      putAt(scroller, { key: row?.dataset.key ?? "", offset: Math.max(place.offset, least) });
    }
    return true;
  }, []);

  /** `isFresh`: the stretch around the place is loaded anew in any case. */
  const go = useCallback(
    (where: Wanted, scroller: HTMLElement | null, isFresh = false) => {
      const { stretch: there, windowKey: key, onJump: jump } = latest.current;
      wanted.current = where;
      if (isFresh || rowFor(where, there) === null) {
        leftFrom.current = key;
        jump(anchorFor(where));
      } else if (scroller) settle(scroller);
    },
    [settle],
  );
  return { go, settle, cursor, setCursor };
}
