/** Which conversations are selected, as a value: some that were picked, or all that match but for some. */
export interface Selectable {
  nodeId: string;
  id: string;
  displayTitle: string;
  archived: boolean;
  messageCount: number;
  profile: { name: string };
}

type Picks = ReadonlyMap<string, Selectable>;

export interface Selection {
  /** All that match the list's filter except `picks`, loaded or not; else `picks` alone. */
  all: boolean;
  picks: Picks;
  /** The nodeId where a range begins, and what was picked before it. */
  anchor: string | null;
  base: Picks;
}

const NO_PICKS: Picks = new Map();
export const NOTHING: Selection = { all: false, picks: NO_PICKS, anchor: null, base: NO_PICKS };
export const EVERYTHING: Selection = { ...NOTHING, all: true };

export const isSelected = ({ all, picks }: Selection, nodeId: string): boolean => all !== picks.has(nodeId);

/** How many are selected of a list of `total`. */
export const sizeOf = ({ all, picks }: Selection, total: number): number => (all ? Math.max(0, total - picks.size) : picks.size);

export const isNothing = ({ all, picks }: Selection): boolean => !all && picks.size === 0;

export function toggle(selection: Selection, item: Selectable): Selection {
  const picks = new Map(selection.picks);
  if (!picks.delete(item.nodeId)) picks.set(item.nodeId, item);
  return { ...selection, picks, anchor: item.nodeId, base: picks };
}

/**
 * Selects from where the range began to `to`, in the order of `items`; a range that shrinks gives back what it took.
 * It begins at `from` where nothing was selected yet, or what it began at has left the list.
 */
export function extend(selection: Selection, items: readonly Selectable[], from: string, to: string): Selection {
  const place = (nodeId: string | null) => items.findIndex((item) => item.nodeId === nodeId);
  const isBegun = !isNothing(selection) && place(selection.anchor) >= 0;
  const anchor = isBegun ? selection.anchor : from;
  const base = isBegun ? selection.base : selection.picks;
  const [start, end] = [place(anchor), place(to)].toSorted((a, b) => a - b);
  if (start === undefined || end === undefined || start < 0) return selection;
  const picks = new Map(base);
  for (const item of items.slice(start, end + 1)) {
    if (selection.all) picks.delete(item.nodeId);
    else picks.set(item.nodeId, item);
  }
  return { ...selection, picks, anchor, base };
}

/** What is left of a selection when `items` is the whole list now: `gone` were selected and are no longer there. */
export function among(selection: Selection, items: readonly Selectable[]): { selection: Selection; gone: number } {
  if (selection.picks.size === 0) return { selection, gone: 0 };
  const there = new Set(items.map((item) => item.nodeId));
  const missing = [...selection.picks.keys()].filter((nodeId) => !there.has(nodeId));
  if (missing.length === 0) return { selection, gone: 0 };
  const without = (picks: Picks) => new Map([...picks].filter(([nodeId]) => there.has(nodeId)));
  const left = { ...selection, picks: without(selection.picks), base: without(selection.base) };
  return { selection: left, gone: selection.all ? 0 : missing.length };
}

/** The selected ones that are known, as they stand in the list now. */
export function known(selection: Selection, items: readonly Selectable[]): Selectable[] {
  const fresh = new Map(items.map((item) => [item.nodeId, item]));
  if (selection.all) return items.filter((item) => !selection.picks.has(item.nodeId));
  return [...selection.picks.values()].map((item) => fresh.get(item.nodeId) ?? item);
}
