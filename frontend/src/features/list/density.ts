/** How high the rows of the list are: comfortable, or compact with one line each. */
import { useSyncExternalStore } from "react";
import type { ListRow } from "./rows";

export type Density = "comfortable" | "compact";

const HEIGHTS: Record<Density, Record<ListRow<never>["type"], number>> = {
  comfortable: { conversation: 52, fold: 52, group: 34, more: 34 },
  compact: { conversation: 40, fold: 40, group: 28, more: 28 },
};

export const rowHeight = (type: ListRow<never>["type"], density: Density): number => HEIGHTS[density][type];

/** The choice stands on the document's root, as `data-density`. */
const current = (): Density => (document.documentElement.dataset.density === "compact" ? "compact" : "comfortable");

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-density"] });
  return () => observer.disconnect();
}

export const useDensity = (): Density => useSyncExternalStore(subscribe, current);
