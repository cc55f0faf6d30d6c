/** What the list shows, row by row: groups with their names, conversations, and the runs of one job folded into one row. */
import { count, dayNames } from "../../lib/format";
import type { ListView } from "../../lib/view";

interface Listed {
  nodeId: string;
  lastActiveAt?: string | null;
  startedAt?: string | null;
  job?: string | null;
  profile?: { name: string };
}

/** Conversations that stand together. */
export interface Section<Node> {
  key: string;
  /** Null for a list without groups. */
  name: string | null;
  /** The name in full. */
  title?: string;
  nodes: readonly Node[];
  /** How many there are in all; null where that is not known yet. */
  total: number | null;
  /** Shows the section alone. */
  narrow?: Partial<ListView>;
  /** Loads more of the section. */
  onMore?: () => void;
}

interface GroupRow<Node> {
  type: "group";
  key: string;
  section: Section<Node>;
}

export interface FoldRow<Node> {
  type: "fold";
  key: string;
  job: string;
  runs: readonly Node[];
  /** Whether the group may hold more runs than are loaded. */
  isPartial: boolean;
  isOpen: boolean;
}

interface ConversationRow<Node> {
  type: "conversation";
  key: string;
  node: Node;
  /** The fold that it was unfolded from. */
  fold: string | null;
}

/** A row to press: it loads more, or changes what is listed. */
interface MoreRow {
  type: "more";
  key: string;
  label: string;
  /** The fold that it belongs to. */
  fold: string | null;
  run: (() => void) | null;
  change: Partial<ListView> | null;
}

export type Stop<Node> = ConversationRow<Node> | FoldRow<Node> | MoreRow;
export type ListRow<Node> = GroupRow<Node> | Stop<Node>;

/** Whether the cursor can stand on a row. */
export const isStop = <Node>(row: ListRow<Node>): row is Stop<Node> => row.type !== "group";

const NO_DATE = "Without a date";
const isByTime = (list: ListView): boolean => list.sort === "last_active" || list.sort === "started";

/** The days of a list in order of time; a list in another order, or without groups, is one section without a name. */
export function toSections<Node extends Listed>(nodes: readonly Node[], list: ListView, hasMore: boolean, now = Date.now()): Section<Node>[] {
  if (list.group === "none" || !isByTime(list)) return [{ key: "all", name: null, nodes, total: hasMore ? null : nodes.length }];
  const days: { name: string; nodes: Node[] }[] = [];
  const nameOf = dayNames(now);
  for (const node of nodes) {
    const moment = list.sort === "started" ? node.startedAt : (node.lastActiveAt ?? node.startedAt);
    const name = moment ? nameOf(moment) : NO_DATE;
    const last = days.at(-1);
    if (last?.name === name) last.nodes.push(node);
    else days.push({ name, nodes: [node] });
  }
  return days.map(({ name, nodes: ofDay }, index) => ({
    key: `${name} ${ofDay[0]?.nodeId ?? ""}`,
    name,
    nodes: ofDay,
    total: hasMore && index === days.length - 1 ? null : ofDay.length,
  }));
}

/** Runs of a job are folded where rows are in order of time, and unless one job is listed alone. */
const folds = (list: ListView): boolean => list.job === null && isByTime(list);

export function toRows<Node extends Listed>(sections: readonly Section<Node>[], list: ListView, unfolded: ReadonlySet<string>): ListRow<Node>[] {
  return sections.flatMap((section) => {
    const rows: ListRow<Node>[] = section.name === null ? [] : [{ type: "group", key: `group ${section.key}`, section }];
    const runs = folds(list) ? runsByJob(section.nodes) : new Map<string, Node[]>();
    for (const node of section.nodes) {
      const same = runs.get(jobKey(node) ?? "") ?? [];
      if (same.length < 2) rows.push({ type: "conversation", key: node.nodeId, node, fold: null });
      else if (same[0] === node) rows.push(...foldRows(section, same, unfolded));
    }
    const left = section.total === null ? 0 : section.total - section.nodes.length;
    if (left > 0 && section.onMore) {
      rows.push({ type: "more", key: `more ${section.key}`, label: `${count(left)} more in ${section.name ?? "the list"}`, fold: null, run: section.onMore, change: null });
    }
    return rows;
  });
}

function foldRows<Node extends Listed>(section: Section<Node>, runs: readonly Node[], unfolded: ReadonlySet<string>): ListRow<Node>[] {
  const job = runs[0]?.job ?? "";
  const key = foldKey(section, runs);
  const isOpen = unfolded.has(key);
  const isPartial = section.total === null || section.total > section.nodes.length;
  const fold: ListRow<Node> = { type: "fold", key, job, runs, isPartial, isOpen };
  if (!isOpen) return [fold];
  return [
    fold,
    ...runs.map((node): ListRow<Node> => ({ type: "conversation", key: node.nodeId, node, fold: key })),
    { type: "more", key: `job ${key}`, label: "All runs of this job", fold: key, run: null, change: { job, audience: "all" } },
  ];
}

const jobKey = ({ job, profile }: Listed): string | null => (job ? `${profile?.name ?? ""} ${job}` : null);

/** Stays the same while more runs are loaded below, and while newer ones come in above. */
const foldKey = <Node extends Listed>(section: Section<Node>, runs: readonly Node[]): string => `fold ${section.name ?? ""} ${(runs[0] && jobKey(runs[0])) ?? ""}`;

function runsByJob<Node extends Listed>(nodes: readonly Node[]): Map<string, Node[]> {
  const runs = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = jobKey(node);
    if (key === null) continue;
    const same = runs.get(key);
    if (same) same.push(node);
    else runs.set(key, [node]);
  }
  return runs;
}

const MANY = 600;
const PER_ROW = 10;

/** Whether so much is folded that loading on until the rows fill the region would load the whole store. */
export const isDense = (loaded: number, rows: number): boolean => loaded >= MANY && loaded > rows * PER_ROW;

/** The row that loads on by hand. */
export const loadMore = (loaded: number, run: () => void): MoreRow => ({
  type: "more",
  key: "more",
  label: `${count(loaded)} loaded. Load older ones`,
  fold: null,
  run,
  change: null,
});
