/** Which words of a pair differ, once the library that finds them is there. */
import { useEffect, useMemo, useState } from "react";
import type { Pair } from "./turns";
import type * as words from "./words";

type Library = typeof words;

let library: Library | null = null;
const LONGEST = 20_000;

export function useWords({ left, right, isSame }: Pair) {
  const [loaded, setLoaded] = useState(library);
  const hasText = left?.content && right?.content && left.role === right.role && left.role !== "tool";
  const isWanted = Boolean(hasText) && !isSame && (left?.content?.length ?? 0) + (right?.content?.length ?? 0) <= LONGEST;
  useEffect(() => {
    if (!isWanted || loaded) return;
    let isHere = true;
    void import("./words").then((module) => {
      library = module;
      if (isHere) setLoaded(module);
    });
    return () => {
      isHere = false;
    };
  }, [isWanted, loaded]);
  return useMemo(
    () => (isWanted && loaded ? loaded.compareWords(left?.content ?? "", right?.content ?? "") : null),
    [isWanted, loaded, left?.content, right?.content],
  );
}
