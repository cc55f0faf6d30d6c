/** The rows of the list as a grid: one tab stop, a cursor moved by keys, and only what is in sight mounted. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { EditableTitle } from "../../components/EditableTitle";
import styles from "../../components/RowGrid.module.css";
import { useConversationActions } from "../../components/useConversationActions";
import type { ConversationListQuery } from "../../graphql/generated/graphql";
import { useAction } from "../../lib/useAction";
import { useView } from "../../lib/useView";
import { ConversationRow } from "./ConversationRow";
import { toRows } from "./rows";
import { EVERYTHING, extend, isNothing, isSelected, NOTHING, type Selection, toggle } from "./selection";
import { SelectBox } from "./SelectBox";

type Node = NonNullable<ConversationListQuery["conversations"]>["edges"][number]["node"];

const ROW = 52;
const DAY = 30;
const NEAR_THE_END = 20;
/** Scrolled less than this, one is at the top. */
const TOP = 8;

interface ConversationGridProps {
  nodes: readonly Node[];
  total: number;
  hasMore: boolean;
  onMore: () => void;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Whether the stores have changed since, and whether one has scrolled away from where that would be seen. */
  hasNews: boolean;
  onAway: (isAway: boolean) => void;
}

export function ConversationGrid({ nodes, total, hasMore, onMore, selection, onSelect, hasNews, onAway }: ConversationGridProps) {
  const { view, go } = useView();
  const { archive, remove, rename } = useConversationActions();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toRows(nodes, view.list.sort), [nodes, view.list.sort]);
  const openNode = nodes.find((node) => node.id === view.open?.id && node.profile.name === view.open.profile);
  const [cursorId, setCursorId] = useState(openNode?.nodeId ?? nodes[0]?.nodeId);
  const [renaming, setRenaming] = useState<string | null>(null);
  const cursor = Math.max(0, nodes.findIndex((node) => node.nodeId === cursorId));
  const current = nodes[cursor];
  const isSelecting = !isNothing(selection);

  // Where the cursor's conversation left the list, the next one that stayed has it.
  const before = useRef(nodes);
  useLayoutEffect(() => {
    const was = before.current.findIndex((node) => node.nodeId === cursorId);
    if (was >= 0 && !nodes.some((node) => node.nodeId === cursorId)) {
      const there = new Set(nodes.map((node) => node.nodeId));
      const neighbours = [...before.current.slice(was), ...before.current.slice(0, was).toReversed()];
      setCursorId(neighbours.find((node) => there.has(node.nodeId))?.nodeId);
    }
    before.current = nodes;
  }, [nodes, cursorId]);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === "day" ? DAY : ROW),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - NEAR_THE_END) onMore();
  }, [hasMore, lastShown, rows.length, onMore]);

  const isAway = (virtual.scrollOffset ?? 0) > TOP;
  useEffect(() => onAway(isAway), [isAway, onAway]);

  const moveTo = (position: number) => {
    const node = nodes[Math.min(Math.max(position, 0), nodes.length - 1)];
    if (!node) return;
    setCursorId(node.nodeId);
    virtual.scrollToIndex(rows.findIndex((row) => row.key === node.nodeId), { align: "auto" });
  };
  const open = (node: Node) => go({ open: { type: "conversation", profile: node.profile.name, id: node.id } });
  const extendTo = (position: number) => {
    const to = nodes[Math.min(Math.max(position, 0), nodes.length - 1)];
    if (!current || !to) return;
    onSelect(extend(selection, nodes, current.nodeId, to.nodeId));
    moveTo(position);
  };
  const pick = (node: Node, { shiftKey }: MouseEvent) => {
    onSelect(shiftKey && current ? extend(selection, nodes, current.nodeId, node.nodeId) : toggle(selection, node));
    setCursorId(node.nodeId);
  };
  const click = (node: Node, event: MouseEvent) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      pick(node, event);
      return;
    }
    setCursorId(node.nodeId);
    open(node);
  };
  const removeCurrent = (node: Node) => {
    const neighbour = nodes[cursor + 1] ?? nodes[cursor - 1];
    void remove(target(node), () => {
      setCursorId(neighbour?.nodeId);
      if (node === openNode) go({ open: null });
    });
  };

  useAction("list.next", () => moveTo(cursor + 1));
  useAction("list.previous", () => moveTo(cursor - 1));
  useAction("list.first", () => moveTo(0));
  useAction("list.last", () => moveTo(nodes.length - 1));
  useAction("list.open", () => current && open(current));
  useAction("list.rename", () => current && setRenaming(current.nodeId));
  // What is selected goes first; the bar of the selection answers to these keys then.
  useAction("list.archive", () => current && void archive(target(current)), !isSelecting);
  useAction("list.delete", () => current && removeCurrent(current), !isSelecting);
  useAction("list.select", () => current && onSelect(toggle(selection, current)));
  useAction("list.selectNext", () => extendTo(cursor + 1));
  useAction("list.selectPrevious", () => extendTo(cursor - 1));
  useAction("list.selectAll", () => onSelect(EVERYTHING));
  useAction("list.selectNone", () => onSelect(NOTHING), isSelecting);

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
        aria-rowcount={total}
        aria-activedescendant={current && items.some((item) => item.key === current.nodeId) ? rowId(current) : undefined}
      >
        <div className={styles.content} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const style = { height: item.size, top: item.start };
            if (row.type === "day") {
              return (
                <div key={row.key} className={styles.day} style={style} role="row">
                  <span role="rowheader">{row.name}</span>
                </div>
              );
            }
            const { node, position } = row;
            return (
              <div
                key={row.key}
                id={rowId(node)}
                className={styles.row}
                style={style}
                role="row"
                aria-rowindex={position + 1}
                aria-selected={isSelected(selection, node.nodeId)}
                aria-current={node === openNode || undefined}
                data-cursor={node === current || undefined}
                // A range is of rows, not of their text.
                onMouseDown={(event) => event.shiftKey && event.preventDefault()}
                onClick={(event) => click(node, event)}
              >
                <div role="gridcell" className={styles.cell}>
                  <SelectBox title={node.displayTitle} checked={isSelected(selection, node.nodeId)} onClick={(event) => pick(node, event)} />
                  <ConversationRow
                    conversation={node}
                    showProfile={view.list.profile === null}
                    editor={
                      renaming === node.nodeId ? (
                        <EditableTitle title={node.title ?? ""} placeholder={node.displayTitle} onSave={(title) => rename(target(node), title)} onClose={closeEditor} />
                      ) : undefined
                    }
                  />
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const target = (node: Node) => ({ ...node, profile: node.profile.name });
const rowId = (node: Node) => `conversation-${node.nodeId}`;
