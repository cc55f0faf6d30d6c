/** The rows of the list as a grid: one tab stop, a cursor moved by keys, and only what is in sight mounted. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import styles from "../../components/RowGrid.module.css";
import { useConversationActions } from "../../components/useConversationActions";
import { useAction } from "../../lib/useAction";
import { useView } from "../../lib/useView";
import { ConversationStop, type Node } from "./ConversationStop";
import { rowHeight, useDensity } from "./density";
import { GroupHeader, StopRow } from "./GridRows";
import { isDense, type Section, type Stop } from "./rows";
import { isNothing, isSelected, type Selection } from "./selection";
import { useGridRows } from "./useGridRows";
import { useGridSelection } from "./useGridSelection";
import { useToEnd } from "./useToEnd";

const NEAR_THE_END = 20;
/** Scrolled less than this, one is at the top. */
const TOP = 8;

interface ConversationGridProps {
  nodes: readonly Node[];
  /** The groups of a list that is grouped otherwise than by day. */
  groups: readonly Section<Node>[] | null;
  total: number;
  hasMore: boolean;
  onMore: () => void;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Whether the stores have changed since, and whether one has scrolled away from where that would be seen. */
  hasNews: boolean;
  onAway: (isAway: boolean) => void;
}

export function ConversationGrid({ nodes, groups, total, hasMore, onMore, selection, onSelect, hasNews, onAway }: ConversationGridProps) {
  const { view, go } = useView();
  const density = useDensity();
  const { archive, remove, rename } = useConversationActions();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, stops, places, hasFolds, setOpen } = useGridRows({ nodes, groups, list: view.list, hasMore, onMore });
  const openNode = useMemo(() => nodes.find((node) => node.id === view.open?.id && node.profile.name === view.open.profile), [nodes, view.open]);
  const [cursorKey, setCursorKey] = useState(openNode?.nodeId ?? stops[0]?.key);
  const [renaming, setRenaming] = useState<string | null>(null);
  const cursor = places.get(cursorKey ?? "") ?? 0;
  const stop = stops[cursor];
  // Null on a row that is no conversation: nothing is done to what is folded away.
  const current = stop?.type === "conversation" ? stop.node : null;
  const isSelecting = !isNothing(selection);

  // Where the cursor's row left the list, the next one that stayed has it.
  const before = useRef(stops);
  useLayoutEffect(() => {
    const was = before.current.findIndex(({ key }) => key === cursorKey);
    if (was >= 0 && !places.has(cursorKey ?? "")) {
      const neighbours = [...before.current.slice(was), ...before.current.slice(0, was).toReversed()];
      setCursorKey(neighbours.find(({ key }) => places.has(key))?.key);
    }
    before.current = stops;
  }, [stops, places, cursorKey]);

  // Where it is another function, the virtualizer measures all rows anew.
  const keyOf = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight(rows[index]?.type ?? "conversation", density),
    getItemKey: keyOf,
    // While the list is flung, every frame mounts these as well.
    overscan: 5,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isDense(nodes.length, rows.length) && lastShown >= rows.length - NEAR_THE_END) onMore();
  }, [hasMore, lastShown, nodes.length, rows.length, onMore]);
  useEffect(() => virtual.measure(), [virtual, density]);
  const isAway = (virtual.scrollOffset ?? 0) > TOP;
  useEffect(() => onAway(isAway), [isAway, onAway]);

  const moveTo = (place: number) => {
    const to = stops[Math.min(Math.max(place, 0), stops.length - 1)];
    if (!to) return;
    setCursorKey(to.key);
    virtual.scrollToIndex(rows.indexOf(to), { align: "auto" });
  };
  const { goToEnd, stayHere } = useToEnd(stops.length - 1, moveTo);
  const pick = useGridSelection({ stops, cursor, selection, onSelect, moveTo });
  const unfold = (key: string, isOpen: boolean) => {
    setCursorKey(key);
    setOpen(key, isOpen);
  };
  const press = (row: Exclude<Stop<Node>, { type: "conversation" }>) => {
    if (row.type === "fold") return unfold(row.key, !row.isOpen);
    setCursorKey(stops[cursor - 1]?.key);
    row.run?.();
    if (row.change) go({ list: row.change });
  };
  const open = (node: Node) => go({ open: { type: "conversation", profile: node.profile.name, id: node.id } });
  const click = (node: Node, event: MouseEvent, isBox = false) => {
    if (isBox || event.shiftKey || event.ctrlKey || event.metaKey) pick(node, event);
    else open(node);
    setCursorKey(node.nodeId);
  };

  useAction("list.next", () => moveTo(cursor + 1));
  useAction("list.previous", () => moveTo(cursor - 1));
  useAction("list.first", () => moveTo(0));
  useAction("list.last", goToEnd);
  useAction("list.open", () => (current ? open(current) : stop && stop.type !== "conversation" && press(stop)));
  useAction("list.unfold", () => stop?.type === "fold" && unfold(stop.key, true));
  useAction("list.fold", () => {
    const key = stop?.type === "fold" ? stop.key : stop?.fold;
    if (key) unfold(key, false);
  });
  useAction("list.rename", () => current && setRenaming(current.nodeId));
  // What is selected goes first; the bar of the selection answers to these keys then.
  useAction("list.archive", () => current && void archive(target(current)), !isSelecting);
  useAction("list.delete", () => current && void remove(target(current), () => current === openNode && go({ open: null })), !isSelecting);

  const closeEditor = () => {
    setRenaming(null);
    scroller.current?.focus();
  };

  return (
    <>
      {hasNews && (
        <button type="button" className={styles.news} onClick={() => virtual.scrollToOffset(0)}>
          Something changed: show
        </button>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label="Conversations"
        aria-multiselectable="true"
        data-selecting={isSelecting || undefined}
        onKeyDown={stayHere}
        onWheel={stayHere}
        onPointerDown={stayHere}
        // Folded rows are counted as the one row that they are, and nobody knows how many of those are still to come.
        aria-rowcount={hasFolds ? (hasMore ? -1 : stops.length) : total}
        aria-activedescendant={stop && items.some((item) => item.key === stop.key) ? rowId(stop.key) : undefined}
      >
        <div className={styles.content} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const style = { height: item.size, top: item.start };
            if (row.type === "group") return <GroupHeader key={row.key} section={row.section} style={style} onNarrow={(list) => go({ list })} />;
            const place = { id: rowId(row.key), style, rowIndex: (places.get(row.key) ?? 0) + 1, isCurrent: row === stop, showProfile: view.list.profile === null };
            if (row.type !== "conversation") return <StopRow key={row.key} {...place} row={row} onPress={() => press(row)} />;
            const { node } = row;
            return (
              <ConversationStop
                key={row.key}
                {...place}
                node={node}
                isOpen={node === openNode}
                isSelected={isSelected(selection, node.nodeId)}
                isRun={row.fold !== null}
                rename={renaming === node.nodeId ? (title) => rename(target(node), title) : null}
                onRenamed={closeEditor}
                onPick={(event) => click(node, event, true)}
                onClick={(event) => click(node, event)}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

const target = (node: Node) => ({ ...node, profile: node.profile.name });
const rowId = (key: string) => `row-${key}`;
