/** The hits as a grid: one tab stop, a cursor moved by keys, and only what is in sight mounted. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import styles from "../../components/RowGrid.module.css";
import { useAction } from "../../lib/useAction";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import { HitRow } from "./HitRow";
import { isOpen, literalOf, toOpen, toOpenAll } from "./place";
import type { HitEdge } from "./searchQuery";

const ROW = 92;
const NEAR_THE_END = 10;

interface HitGridProps {
  /** What was searched. */
  text: string;
  edges: HitEdge[];
  total: number;
  hasMore: boolean;
  onMore: () => void;
}

export function HitGrid({ text, edges, total, hasMore, onMore }: HitGridProps) {
  const { view, go } = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const openEdge = edges.find(({ node }) => isOpen(node, view.open));
  const [cursorKey, setCursorKey] = useState(openEdge?.cursor ?? edges[0]?.cursor);
  const cursor = Math.max(0, edges.findIndex((edge) => edge.cursor === cursorKey));
  const current = edges[cursor];

  const virtual = useVirtualizer({
    count: edges.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => edges[index]?.cursor ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= edges.length - NEAR_THE_END) onMore();
  }, [hasMore, lastShown, edges.length, onMore]);

  const moveTo = (position: number) => {
    const index = Math.min(Math.max(position, 0), edges.length - 1);
    setCursorKey(edges[index]?.cursor);
    virtual.scrollToIndex(index, { align: "auto" });
  };
  const open = (edge: HitEdge) => go({ open: toOpen(edge.node) });

  useAction("list.next", () => moveTo(cursor + 1));
  useAction("list.previous", () => moveTo(cursor - 1));
  useAction("list.first", () => moveTo(0));
  useAction("list.last", () => moveTo(edges.length - 1));
  useAction("list.open", () => current && open(current));

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      tabIndex={0}
      aria-label="Search results"
      aria-rowcount={total}
      aria-activedescendant={items.some((item) => item.index === cursor) ? rowId(cursor) : undefined}
    >
      <div className={styles.content} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const edge = edges[item.index];
          if (!edge) return null;
          return (
            <div
              key={edge.cursor}
              id={rowId(item.index)}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.row}
              style={{ top: item.start }}
              role="row"
              aria-rowindex={item.index + 1}
              aria-selected={edge === openEdge}
              data-cursor={edge === current || undefined}
              onClick={() => {
                setCursorKey(edge.cursor);
                open(edge);
              }}
            >
              <div role="gridcell" className={styles.cell}>
                <HitRow
                  hit={edge.node}
                  showProfile={view.list.profile === null}
                  all={toLocation(changeView(view, { open: toOpenAll(edge.node, literalOf(text, edge.node.snippet)) }))}
                  isCurrent={edge === current}
                />
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

const rowId = (index: number) => `hit-${index}`;
