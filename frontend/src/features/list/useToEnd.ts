/** The way to the end of a list that is loaded piece by piece: on with each piece, until one goes elsewhere. */
import { useEffect, useEffectEvent, useRef } from "react";

export function useToEnd(last: number, moveTo: (place: number) => void) {
  const isGoing = useRef(false);
  const go = useEffectEvent(moveTo);
  useEffect(() => {
    if (isGoing.current) go(last);
  }, [last]);
  const goToEnd = () => {
    isGoing.current = true;
    moveTo(last);
  };
  const stayHere = () => {
    isGoing.current = false;
  };
  return { goToEnd, stayHere };
}
