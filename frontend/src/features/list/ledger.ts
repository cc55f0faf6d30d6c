/** What a list leaves out and why, and for each reason the change of the view that shows it. */
import type { Narrowing } from "../../components/FilterChips";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import type { Ledger_HiddenFragment } from "../../graphql/generated/graphql";
import { count, plural, usd } from "../../lib/format";
import { DEFAULT_LIST, type ListView, type SINCE } from "../../lib/view";

export interface LedgerEntry {
  reason: string;
  count: number;
  label: string;
  /** What to change to see them; null where rows of this kind stand elsewhere. */
  show: Partial<ListView> | null;
  /** Where they are, for those without a change. */
  where?: string;
}

/** No filter beside the text, the audience and the archive. */
export const NO_FILTERS = {
  sources: DEFAULT_LIST.sources,
  models: DEFAULT_LIST.models,
  workspace: DEFAULT_LIST.workspace,
  minCost: DEFAULT_LIST.minCost,
  activeFrom: DEFAULT_LIST.activeFrom,
  activeUntil: DEFAULT_LIST.activeUntil,
  live: DEFAULT_LIST.live,
  endReasons: DEFAULT_LIST.endReasons,
  job: DEFAULT_LIST.job,
} satisfies Partial<ListView>;

/** Days that move with the calendar, in words. */
const SINCE_NAMES: Record<string, string> = {
  today: "active today",
  "7d": "active in the last 7 days",
  "30d": "active in the last 30 days",
  month: "active this month",
} satisfies Record<(typeof SINCE)[number], string>;

export const LedgerFragment = graphql(`
  fragment Ledger_hidden on HiddenCounts {
    archived
    automation
    empty
    subagents
    sideRows
    otherFilters
  }
`);

/** Drops every filter that counts as "other" in what the server says it left out. */
function withoutFilters(list: ListView): Partial<ListView> {
  return {
    ...NO_FILTERS,
    text: DEFAULT_LIST.text,
    // Sessions whose messages were all taken back count as filtered by their number of messages, not as empty.
    empty: "show",
    archived: list.archived === "only" ? "include" : list.archived,
    audience: list.audience === "automation" ? "all" : list.audience,
  };
}

/** Else what counts as filtered are conversations without a message that was not taken back. */
const isFiltered = (list: ListView): boolean => narrowings(list).some(({ drop }) => drop.audience === undefined || list.audience === "automation");

export function ledgerEntries(hidden: Ledger_HiddenFragment, list: ListView): LedgerEntry[] {
  const entries: LedgerEntry[] = [
    { reason: "automation", count: hidden.automation, label: `${count(hidden.automation)} automation`, show: { audience: "all" } },
    { reason: "archived", count: hidden.archived, label: `${count(hidden.archived)} archived`, show: { archived: "include" } },
    { reason: "filters", count: hidden.otherFilters, label: `${count(hidden.otherFilters)} ${isFiltered(list) ? "by filters" : "taken back"}`, show: withoutFilters(list) },
    { reason: "empty", count: hidden.empty, label: `${count(hidden.empty)} empty`, show: { empty: "show" } },
    { reason: "subagents", count: hidden.subagents, label: plural(hidden.subagents, "subagent"), show: null, where: "Subagents stand in the lineage of the conversation that started them." },
    { reason: "side rows", count: hidden.sideRows, label: plural(hidden.sideRows, "side row"), show: null, where: "Left behind by a compression: they stand in the lineage of their conversation." },
  ];
  return entries.filter((entry) => entry.count > 0);
}

/** Whether any conversation is there that the list leaves out. */
export function hidesConversations(hidden: FragmentType<typeof LedgerFragment>): boolean {
  const { archived, automation, empty, otherFilters } = readFragment(LedgerFragment, hidden);
  return archived + automation + empty + otherFilters > 0;
}

/** The filters that hold at the moment, in words, each with the change that drops just that one. */
export function narrowings(list: ListView): Narrowing<Partial<ListView>>[] {
  const all: (Narrowing<Partial<ListView>> | false)[] = [
    list.text !== "" && { name: `text “${list.text}”`, drop: { text: "" } },
    list.sources.length > 0 && { name: `source ${list.sources.join(", ")}`, drop: { sources: [] } },
    list.models.length > 0 && { name: `model ${list.models.join(", ")}`, drop: { models: [] } },
    list.workspace !== null && { name: `workspace ${list.workspace}`, drop: { workspace: null } },
    list.job !== null && { name: `runs of job ${list.job}`, drop: { job: null } },
    list.minCost !== null && { name: `cost at least ${usd(list.minCost)}`, drop: { minCost: null } },
    list.activeFrom !== null && { name: SINCE_NAMES[list.activeFrom] ?? `active from ${list.activeFrom}`, drop: { activeFrom: null } },
    list.activeUntil !== null && { name: `active until ${list.activeUntil}`, drop: { activeUntil: null } },
    list.live === "only" && { name: "live now", drop: { live: "any" } },
    list.endReasons.length > 0 && { name: `ended by ${list.endReasons.join(", ")}`, drop: { endReasons: [] } },
    list.archived === "only" && { name: "archived alone", drop: { archived: "include" } },
    list.audience !== "all" && { name: list.audience === "chats" ? "chats alone" : "automation alone", drop: { audience: "all" } },
  ];
  return all.filter((each) => each !== false);
}
