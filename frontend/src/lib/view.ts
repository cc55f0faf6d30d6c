/** The whole state of a view as one value, and its address. Every address of the dashboard is built here. */
import { AUDIENCES, amountOf, dayOf, oneOf } from "./parameters";
import { formatSearch, type Search } from "./searchParameters";
import { DEFAULT_USAGE, usagePart, usageSearch, type UsageView } from "./usageView";

export { AUDIENCES, DEFAULT_USAGE };

export const ARCHIVED = ["exclude", "include", "only"] as const;
export const EMPTY = ["hide", "show"] as const;
export const LIVE = ["any", "only"] as const;
/** Days that move with the calendar, from which on something was active. */
export const SINCE = ["today", "7d", "30d", "month"] as const;
export const LIST_GROUPS = ["day", "workspace", "source", "none"] as const;
export const SORTS = ["last_active", "started", "messages", "tokens", "cost", "title"] as const;
export const DIRECTIONS = ["desc", "asc"] as const;
export const FIND_SORTS = ["relevance", "newest", "oldest"] as const;
export const FIND_FIELDS = ["id", "title", "content", "tool", "reasoning"] as const;
export const FIND_ROLES = ["user", "assistant", "tool"] as const;
/** What all messages are searched for before anything is typed: the search is open. */
export const NOTHING_TYPED = " ";
/** Places besides the conversations, each with an address of its own. */
export const PAGES = ["usage", "stores", "bin"] as const;
/** How much of a transcript is shown. */
export const MODES = ["answers", "tools", "reasoning", "everything"] as const;
export const PANELS = ["lineage", "numbers", "raw"] as const;

export interface ListView {
  /** One profile, or null for all of them. */
  profile: string | null;
  audience: (typeof AUDIENCES)[number];
  text: string;
  /** What all messages are searched for; empty where the list shows conversations. */
  find: string;
  findSort: (typeof FIND_SORTS)[number];
  /** Where the words may stand; empty for the places that are searched unless others are named. */
  findFields: (typeof FIND_FIELDS)[number][];
  findRole: (typeof FIND_ROLES)[number] | null;
  findArchived: (typeof ARCHIVED)[number];
  /** Days as YYYY-MM-DD, both inclusive. */
  findFrom: string | null;
  findUntil: string | null;
  sources: string[];
  models: string[];
  workspace: string | null;
  archived: (typeof ARCHIVED)[number];
  /** Whether conversations without a message are listed. */
  empty: (typeof EMPTY)[number];
  /** Least cost in US dollars; unknown costs do not pass. */
  minCost: number | null;
  /** Days of the last activity as YYYY-MM-DD in the browser's time zone, both inclusive; the first may move with the calendar. */
  activeFrom: string | null;
  activeUntil: string | null;
  live: (typeof LIVE)[number];
  endReasons: string[];
  /** The cron job whose runs are listed alone. */
  job: string | null;
  group: (typeof LIST_GROUPS)[number];
  sort: (typeof SORTS)[number];
  direction: (typeof DIRECTIONS)[number];
}

/** What the reader shows: a whole conversation, or one session alone; and where it starts to read. */
export interface OpenView {
  type: "conversation" | "session";
  profile: string;
  id: string;
  message: string | null;
  segment: string | null;
  /** What is looked for in it; the find bar is open. */
  within?: string | undefined;
  /** Whether it is looked for in reasoning, too; where that is not said, as far as the mode shows reasoning. */
  withinReasoning?: boolean | undefined;
}

type OpenPlace = Pick<OpenView, "type" | "profile" | "id">;

/** Two sessions of one profile, side by side. */
export interface CompareView {
  profile: string;
  left: string;
  right: string;
}

export type Mode = (typeof MODES)[number];
export type Page = (typeof PAGES)[number];

export interface View {
  list: ListView;
  /** Another place than the conversations; null there. */
  page: Page | null;
  usage: UsageView;
  /** Two branches instead of the conversations. */
  compare?: CompareView | undefined;
  open: OpenView | null;
  mode: (typeof MODES)[number];
  panel: (typeof PANELS)[number] | null;
  /** What the titles and ids of the bin are filtered by; none where it is empty or not there. */
  binText?: string;
}

export const DEFAULT_LIST: ListView = {
  profile: null,
  audience: "chats",
  text: "",
  find: "",
  findSort: "relevance",
  findFields: [],
  findRole: null,
  findArchived: "include",
  findFrom: null,
  findUntil: null,
  sources: [],
  models: [],
  workspace: null,
  archived: "exclude",
  empty: "hide",
  minCost: null,
  activeFrom: null,
  activeUntil: null,
  live: "any",
  endReasons: [],
  job: null,
  group: "day",
  sort: "last_active",
  direction: "desc",
};

export const DEFAULT_MODE: Mode = "tools";

const findPart = (search: Search) => ({
  find: search.find ?? DEFAULT_LIST.find,
  findSort: oneOf(FIND_SORTS, search.order) ?? DEFAULT_LIST.findSort,
  findFields: FIND_FIELDS.filter((each) => search.field?.includes(each)),
  findRole: oneOf(FIND_ROLES, search.role) ?? DEFAULT_LIST.findRole,
  findArchived: oneOf(ARCHIVED, search.found) ?? DEFAULT_LIST.findArchived,
  findFrom: dayOf(search.from),
  findUntil: dayOf(search.until),
});

const listPart = (search: Search) => ({
  profile: search.in ?? DEFAULT_LIST.profile,
  audience: oneOf(AUDIENCES, search.audience) ?? DEFAULT_LIST.audience,
  text: search.q ?? DEFAULT_LIST.text,
  sources: search.source ?? DEFAULT_LIST.sources,
  models: search.model ?? DEFAULT_LIST.models,
  workspace: search.workspace ?? DEFAULT_LIST.workspace,
  archived: oneOf(ARCHIVED, search.archived) ?? DEFAULT_LIST.archived,
  empty: oneOf(EMPTY, search.empty) ?? DEFAULT_LIST.empty,
  minCost: amountOf(search.cost),
  activeFrom: oneOf(SINCE, search.since) ?? dayOf(search.since),
  activeUntil: dayOf(search.through),
  live: oneOf(LIVE, search.live) ?? DEFAULT_LIST.live,
  endReasons: search.ended ?? DEFAULT_LIST.endReasons,
  job: search.job ?? DEFAULT_LIST.job,
  group: oneOf(LIST_GROUPS, search.group) ?? DEFAULT_LIST.group,
  sort: oneOf(SORTS, search.sort) ?? DEFAULT_LIST.sort,
  direction: oneOf(DIRECTIONS, search.dir) ?? DEFAULT_LIST.direction,
});

const toldOf = (reasoning: string | undefined) => (reasoning === "with" ? true : reasoning === "without" ? false : undefined);

/** A view out of the parts of an address. What is no known value counts as not given. */
export function toView(search: Search, open: OpenPlace | null, page: Page | null = null, compare?: CompareView): View {
  return {
    page,
    compare,
    list: { ...listPart(search), ...findPart(search) },
    usage: usagePart(search),
    open: open && { ...open, message: search.message ?? null, segment: search.segment ?? null, within: search.within, withinReasoning: toldOf(search.reasoning) },
    mode: oneOf(MODES, search.mode) ?? DEFAULT_MODE,
    panel: oneOf(PANELS, search.panel) ?? null,
    binText: search.bin,
  };
}

export function toSearch({ list, usage, open, mode, panel, binText }: View): Search {
  const unless = <K extends keyof ListView>(name: K) =>
    list[name] === DEFAULT_LIST[name] ? undefined : (list[name] as string);
  return {
    in: list.profile ?? undefined,
    audience: unless("audience"),
    q: list.text || undefined,
    ...(list.find && {
      find: list.find,
      order: unless("findSort"),
      field: list.findFields.length ? list.findFields : undefined,
      role: list.findRole ?? undefined,
      found: unless("findArchived"),
      from: list.findFrom ?? undefined,
      until: list.findUntil ?? undefined,
    }),
    source: list.sources.length ? list.sources : undefined,
    model: list.models.length ? list.models : undefined,
    workspace: list.workspace ?? undefined,
    archived: unless("archived"),
    empty: unless("empty"),
    cost: list.minCost === null ? undefined : String(list.minCost),
    since: list.activeFrom ?? undefined,
    through: list.activeUntil ?? undefined,
    live: unless("live"),
    ended: list.endReasons.length ? list.endReasons : undefined,
    job: list.job ?? undefined,
    group: unless("group"),
    sort: unless("sort"),
    dir: unless("direction"),
    message: open?.message ?? undefined,
    segment: open?.segment ?? undefined,
    within: open?.within || undefined,
    reasoning: !open?.within || open.withinReasoning === undefined ? undefined : open.withinReasoning ? "with" : "without",
    mode: mode === DEFAULT_MODE ? undefined : mode,
    panel: panel ?? undefined,
    bin: binText || undefined,
    ...usageSearch(usage),
  };
}

/** Where a view lives: a route of the router with its parameters. */
export function toLocation(view: View) {
  const search = toSearch(view);
  if (view.page) return { to: `/${view.page}`, search } as const;
  if (view.compare) return { to: "/p/$profile/compare/$left/$right", params: view.compare, search } as const;
  if (!view.open) return { to: "/", search } as const;
  const { type, profile, id } = view.open;
  return type === "conversation"
    ? ({ to: "/p/$profile/c/$conversation", params: { profile, conversation: id }, search } as const)
    : ({ to: "/p/$profile/s/$session", params: { profile, session: id }, search } as const);
}

/** A view's address, to link to or to copy. */
export function toHref(view: View): string {
  return pathOf(view) + formatSearch(toSearch(view));
}

function pathOf({ page, compare, open }: View): string {
  if (page) return `/${page}`;
  if (compare) return path("p", compare.profile, "compare", compare.left, compare.right);
  return open ? path("p", open.profile, open.type === "conversation" ? "c" : "s", open.id) : "/";
}

const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;
