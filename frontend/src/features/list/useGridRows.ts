/** The rows of the grid out of what is loaded, which of them the cursor can stand on, and which folds are open. */
import { useMemo, useState } from "react";
import type { ListView } from "../../lib/view";
import type { Node } from "./ConversationStop";
import { isDense, isStop, loadMore, type Section, type Stop, toRows, toSections } from "./rows";

interface Loaded {
  nodes: readonly Node[];
  /** The groups of a list that is grouped otherwise than by day. */
  groups: readonly Section<Node>[] | null;
  list: ListView;
  hasMore: boolean;
  onMore: () => void;
}

export function useGridRows({ nodes, groups, list, hasMore, onMore }: Loaded) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => {
    const sections = groups ? withoutOthers(groups, nodes) : toSections(nodes, list, hasMore);
    const loaded = toRows(sections, list, unfolded);
    return hasMore && isDense(nodes.length, loaded.length) ? [...loaded, loadMore(nodes.length, onMore)] : loaded;
  }, [nodes, groups, list, hasMore, onMore, unfolded]);
  const stops = useMemo(() => rows.filter(isStop), [rows]);
  const places = useMemo(() => new Map(stops.map(({ key }, index) => [key, index])), [stops]);
  const setOpen = (key: string, isOpen: boolean) =>
    setUnfolded((before) => new Set(isOpen ? [...before, key] : [...before].filter((each) => each !== key)));
  const hasFolds = useMemo(() => stops.some(({ type }) => type !== "conversation"), [stops]);
  return { rows, stops, places, hasFolds, setOpen };
}

/** The conversations of a row: a closed fold stands for all of its runs. */
export function conversationsOf(stop: Stop<Node> | undefined): readonly Node[] {
  if (stop?.type === "conversation") return [stop.node];
  return stop?.type === "fold" && !stop.isOpen ? stop.runs : [];
}

function withoutOthers(groups: readonly Section<Node>[], nodes: readonly Node[]): Section<Node>[] {
  const there = new Set(nodes);
  return groups.map((section) => ({ ...section, nodes: section.nodes.filter((node) => there.has(node)) }));
}
