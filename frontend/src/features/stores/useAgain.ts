/** Asks again when the count has grown, not at first. */
import { useEffect, useRef } from "react";

export function useAgain(round: number, again: () => void): void {
  const seen = useRef(round);
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    if (round !== seen.current) latest.current();
    seen.current = round;
  }, [round]);
}
