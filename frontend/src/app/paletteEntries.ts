/** What the palette offers, as plain values: which entries answer what was typed, and in which order. */
import type { IconName } from "../components/Icon";
import { rank } from "../lib/rank";

export interface Entry {
  /** Unique in the palette. */
  key: string;
  label: string;
  /** Says more, after the label. */
  note?: string;
  icon: IconName;
  /** As `keys.ts` writes them. */
  keys?: string;
  run: () => void;
}

export interface Group {
  name: string;
  entries: Entry[];
}

/** A group's name answers, too, a little less: "theme" finds all themes. */
const rankEntry = (entry: Entry, group: string, typed: string) =>
  Math.max(rank(entry.label, typed), rank(`${group} ${entry.label} ${entry.note ?? ""}`, typed) / 2);

/** The groups with the entries that answer, the best first; all as they are when nothing is typed. */
export function narrow(groups: readonly Group[], typed: string): Group[] {
  if (!typed.trim()) return groups.filter(({ entries }) => entries.length > 0);
  return groups
    .map(({ name, entries }) => {
      const ranked = entries
        .map((entry) => ({ entry, rank: rankEntry(entry, name, typed) }))
        .filter((each) => each.rank > 0)
        .toSorted((a, b) => b.rank - a.rank);
      return { name, entries: ranked.map(({ entry }) => entry), best: ranked[0]?.rank ?? 0 };
    })
    .filter(({ best }) => best > 0)
    .toSorted((a, b) => b.best - a.best);
}
