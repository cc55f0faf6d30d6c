/** The search parameters of an address: which ones there are, read and written as text. */
import type { UsageSearch } from "./usageView";

/** Search parameters as they stand in the address; defaults are left out. */
export interface Search extends UsageSearch {
  in?: string;
  audience?: string;
  q?: string;
  find?: string;
  order?: string;
  field?: string[];
  role?: string;
  found?: string;
  from?: string;
  until?: string;
  source?: string[];
  model?: string[];
  workspace?: string;
  archived?: string;
  empty?: string;
  cost?: string;
  since?: string;
  through?: string;
  live?: string;
  ended?: string[];
  job?: string;
  group?: string;
  sort?: string;
  dir?: string;
  message?: string;
  segment?: string;
  within?: string;
  reasoning?: string;
  mode?: string;
  panel?: string;
  bin?: string;
}

const REPEATED = new Set(["source", "model", "field", "ended", "only"]);
const SINGLE = new Set([
  "in", "audience", "q", "find", "order", "role", "found", "from", "until",
  "workspace", "archived", "empty", "cost", "since", "through", "live", "job", "group", "sort", "dir", "message", "segment", "within", "reasoning",
  "mode", "panel", "bin", "period", "begin", "end", "by", "measure", "who",
]);

export function parseSearch(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!value) continue;
    const before = search[name];
    if (REPEATED.has(name)) search[name] = Array.isArray(before) ? [...before, value] : [value];
    else if (SINGLE.has(name)) search[name] = value;
  }
  return search as Search;
}

export function formatSearch(search: Search): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    [value ?? []].flat().filter(Boolean).map((each): [string, string] => [name, String(each)]),
  );
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}
