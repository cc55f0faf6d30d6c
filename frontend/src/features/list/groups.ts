/** The groups of a list that is grouped by workspace or source: which there are, and what each is narrowed to. */
import type { ListView } from "../../lib/view";
import type { FacetValue, Facets } from "./facets";

export type FacetGrouping = "workspace" | "source";

export interface Group {
  value: string;
  name: string;
  /** What shows this group alone. */
  narrow: Partial<ListView>;
}

/** By what the list is grouped; a list that is narrowed to one group is in order of its days again. */
export function facetGrouping({ group, sources, workspace }: ListView): FacetGrouping | null {
  if (group === "source" && sources.length !== 1) return "source";
  if (group === "workspace" && workspace === null) return "workspace";
  return null;
}

export function toGroups(list: ListView, facets: Facets): Group[] {
  if (facetGrouping(list) === "source") {
    const wanted = facets.sources.filter(({ value }) => list.sources.length === 0 || list.sources.includes(value));
    return bySize(wanted).map(({ value }) => ({ value, name: value, narrow: { sources: [value] } }));
  }
  return bySize(disjoint(facets.workspaces)).map(({ value }) => ({ value, name: shortPath(value), narrow: { workspace: value } }));
}

const bySize = (values: readonly FacetValue[]) => values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

const isBelow = (path: string, folder: string): boolean => path !== folder && path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/**
 * Folders of which none lies in another, since each counts what lies below it. A folder that is mostly
 * made of others, such as a home, gives way to them.
 */
export function disjoint(folders: readonly FacetValue[]): FacetValue[] {
  const tops = folders.filter(({ value }) => !folders.some((other) => isBelow(value, other.value)));
  return tops.flatMap((top) => {
    const below = folders.filter(({ value }) => isBelow(value, top.value));
    const parts = disjoint(below);
    const inParts = parts.reduce((sum, { count }) => sum + count, 0);
    return parts.length > 0 && inParts * 2 > top.count ? parts : [top];
  });
}

/** The last two folders of a path. */
const shortPath = (path: string): string => path.split("/").filter(Boolean).slice(-2).join("/") || path;
