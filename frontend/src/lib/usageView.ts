/** What the page of usage shows, and how its address says so. */
import { AUDIENCES, dayOf, oneOf } from "./parameters";

export const PERIODS = ["7d", "30d", "90d", "month", "all", "custom"] as const;
export const GROUPINGS = ["day", "model", "source", "workspace", "profile", "task"] as const;
export const MEASURES = ["cost", "tokens"] as const;

/** A row of the usage that the page is narrowed to: the value of one grouping, empty where there is none. */
export interface UsageOnly {
  by: (typeof GROUPINGS)[number];
  value: string;
}

/** What the page of usage shows. */
export interface UsageView {
  period: (typeof PERIODS)[number];
  /** Days as YYYY-MM-DD, both inclusive, that bound the period `custom`; null where it is open. */
  since: string | null;
  until: string | null;
  by: (typeof GROUPINGS)[number];
  measure: (typeof MEASURES)[number];
  audience: (typeof AUDIENCES)[number];
  /** At most one of each grouping. */
  only: UsageOnly[];
}

/** Search parameters as they stand in the address; defaults are left out. */
export interface UsageSearch {
  period?: string;
  begin?: string;
  end?: string;
  by?: string;
  measure?: string;
  who?: string;
  only?: string[];
}

export const DEFAULT_USAGE: UsageView = { period: "30d", since: null, until: null, by: "day", measure: "cost", audience: "all", only: [] };

/** "model:nous/hermes-4"; "model:" for what has no model. */
function toOnly(text: string): UsageOnly[] {
  const [name, ...rest] = text.split(":");
  const by = oneOf(GROUPINGS, name);
  return by && rest.length > 0 ? [{ by, value: rest.join(":") }] : [];
}

export const usagePart = (search: UsageSearch): UsageView => ({
  period: oneOf(PERIODS, search.period) ?? DEFAULT_USAGE.period,
  since: dayOf(search.begin),
  until: dayOf(search.end),
  by: oneOf(GROUPINGS, search.by) ?? DEFAULT_USAGE.by,
  measure: oneOf(MEASURES, search.measure) ?? DEFAULT_USAGE.measure,
  audience: oneOf(AUDIENCES, search.who) ?? DEFAULT_USAGE.audience,
  only: (search.only ?? []).flatMap(toOnly).filter(({ by }, index, all) => all.findIndex((each) => each.by === by) === index),
});

export const usageSearch = ({ period, since, until, by, measure, audience, only }: UsageView): UsageSearch => ({
  period: period === DEFAULT_USAGE.period ? undefined : period,
  begin: period === "custom" ? (since ?? undefined) : undefined,
  end: period === "custom" ? (until ?? undefined) : undefined,
  by: by === DEFAULT_USAGE.by ? undefined : by,
  measure: measure === DEFAULT_USAGE.measure ? undefined : measure,
  who: audience === DEFAULT_USAGE.audience ? undefined : audience,
  only: only.length > 0 ? only.map((each) => `${each.by}:${each.value}`) : undefined,
});
