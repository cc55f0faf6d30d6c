/** What is unfolded: kept outside the rows, which come and go while scrolling. */
import { useState } from "react";

/** `first` names what is unfolded from the start. */
export function useFolds(first: () => readonly string[]) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(first()));
  const isOpen = (key: string) => open.has(key);
  const set = (keys: readonly string[], wanted: boolean) => {
    const next = new Set(open);
    for (const key of keys) {
      if (wanted) next.add(key);
      else next.delete(key);
    }
    setOpen(next);
  };
  return {
    isOpen,
    toggle: (key: string) => set([key], !isOpen(key)),
    /** Opens all; or closes all when all are open. */
    toggleAll: (keys: readonly string[]) => set(keys, !keys.every(isOpen)),
  };
}
