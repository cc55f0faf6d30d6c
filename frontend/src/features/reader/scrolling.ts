/** The geometry of the feed: rows in normal flow, told apart by `data-key`, and how one of them is put in its place. */

/** Under the bar that names the turn. */
export const TURN_BAR = 36;
/** A row that ends at the bar, give or take a part of a pixel, is not in sight. */
const SIGHT_BEGINS = TURN_BAR + 2;

export interface Landmark {
  key: string;
  /** Pixels from the top of the scroller to the row's; negative where the row begins above. */
  offset: number;
}

/** The keys of the first and the last row in sight, and how many pixels of the loaded ones lie outside it. */
export interface Sight {
  top: string | null;
  bottom: string | null;
  above: number;
  below: number;
  /** The rows that were looked at. */
  of: unknown;
}

export const NOWHERE: Sight = { top: null, bottom: null, above: 0, below: 0, of: null };

/** Whether the browser itself keeps what is read in place when something above it changes, also in the middle of a fling. */
export const keepsPlace = (): boolean => globalThis.CSS?.supports?.("overflow-anchor", "auto") ?? false;

export const rowsOf = (scroller: Element): HTMLElement[] => [...(scroller.firstElementChild?.children ?? [])] as HTMLElement[];

const topOf = (element: Element) => element.getBoundingClientRect().top;

/** The first row that ends below `y`, in pixels from the top of the scroller; the last one where none does. */
export function rowAt(scroller: Element, rows: readonly HTMLElement[], y: number): number {
  const line = topOf(scroller) + y;
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function sightOf(scroller: HTMLElement, of: unknown): Sight {
  const rows = rowsOf(scroller);
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  return {
    top: rows[rowAt(scroller, rows, SIGHT_BEGINS)]?.dataset.key ?? null,
    bottom: rows[rowAt(scroller, rows, clientHeight - 1)]?.dataset.key ?? null,
    above: scrollTop,
    below: Math.max(0, scrollHeight - scrollTop - clientHeight),
    of,
  };
}

export function landmarkOf(scroller: HTMLElement): Landmark | null {
  const rows = rowsOf(scroller);
  const row = rows[rowAt(scroller, rows, SIGHT_BEGINS)];
  return row?.dataset.key ? { key: row.dataset.key, offset: topOf(row) - topOf(scroller) } : null;
}

/** Scrolls until the row with this key begins at this offset; false when there is none. */
export function putAt(scroller: HTMLElement, { key, offset }: Landmark): boolean {
  const row = rowsOf(scroller).find((each) => each.dataset.key === key);
  if (!row) return false;
  const distance = topOf(row) - topOf(scroller) - offset;
  if (Math.abs(distance) >= 0.5) scroller.scrollTop += distance;
  return true;
}
