/** The way to the end of a list that is loaded piece by piece: on with each piece, until one goes elsewhere. */
import { useEffect, useEffectEvent, useRef } from "react";

export function useToEnd(last: number, hasMore: boolean, moveTo: (place: number) => void) {
  const isGoing = useRef(false);
  const go = useEffectEvent(moveTo);
  useEffect(() => {
    if (!isGoing.current) return;
    go(last);
    isGoing.current = hasMore;
  }, [last, hasMore]);
  const goToEnd = () => {
    moveTo(last);
    isGoing.current = hasMore;
  };
  const stayHere = () => {
    isGoing.current = false;
  };
  return { goToEnd, stayHere };
}
