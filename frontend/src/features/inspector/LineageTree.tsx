/** The tree of a lineage: drawn lines, kinds by sign, word and colour; keys as a tree has them. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useView } from "../../lib/useView";
import type { OpenView } from "../../lib/view";
import styles from "./LineageTree.module.css";
import { LineageRow } from "./LineageRow";
import { type LineageNode, opens, toTreeRows, visibleRows } from "./lineage";

const ROW = 46;
const WIDEST_INDENT = 150;
const STEP = 18;

interface LineageTreeProps {
  nodes: readonly LineageNode[];
  open: OpenView;
}

export function LineageTree({ nodes, open }: LineageTreeProps) {
  const { go } = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => toTreeRows(nodes), [nodes]);
  const visible = useMemo(() => visibleRows(rows, folded), [rows, folded]);
  const deepest = rows.reduce((most, row) => Math.max(most, row.depth), 1);
  const step = Math.min(STEP, WIDEST_INDENT / deepest);

  const openId = open.segment ?? open.id;
  const [cursorId, setCursorId] = useState(openId);
  const cursor = Math.max(0, visible.findIndex((row) => row.node.session.id === cursorId));
  const virtual = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => visible[index]?.node.session.nodeId ?? index,
    initialOffset: () => Math.max(0, cursor - 3) * ROW,
    overscan: 10,
  });

  const moveTo = (index: number) => {
    const row = visible[Math.min(Math.max(index, 0), visible.length - 1)];
    if (!row) return;
    setCursorId(row.node.session.id);
    virtual.scrollToIndex(visible.indexOf(row), { align: "auto" });
  };
  const setFold = (nodeId: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(nodeId);
    else next.delete(nodeId);
    setFolded(next);
  };
  const show = (node: LineageNode) => {
    setCursorId(node.session.id);
    go({ open: opens(node, nodes, open.profile) });
  };

  const handleKey = (event: KeyboardEvent) => {
    const row = visible[cursor];
    if (!row) return;
    const { nodeId } = row.node.session;
    const isParent = row.end > rows.indexOf(row) + 1;
    const parent = visible.findIndex((each) => each.node.session.id === row.node.parentId);
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(cursor + 1),
      ArrowUp: () => moveTo(cursor - 1),
      Home: () => moveTo(0),
      End: () => moveTo(visible.length - 1),
      Enter: () => show(row.node),
      ArrowRight: () => (folded.has(nodeId) ? setFold(nodeId, false) : isParent && moveTo(cursor + 1)),
      ArrowLeft: () => (isParent && !folded.has(nodeId) ? setFold(nodeId, true) : parent >= 0 && moveTo(parent)),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  const items = virtual.getVirtualItems();
  const active = visible[cursor]?.node.session.nodeId;
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="tree"
      tabIndex={0}
      aria-label="Lineage"
      aria-activedescendant={items.some((item) => item.key === active) ? `lineage-${active}` : undefined}
      onKeyDown={handleKey}
    >
      <div className={styles.content} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = visible[item.index];
          if (!row) return null;
          const { session } = row.node;
          const isParent = row.subtree.sessions > 1;
          return (
            <div
              key={item.key}
              id={`lineage-${session.nodeId}`}
              className={styles.row}
              style={{ height: ROW, top: item.start }}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={isParent ? !folded.has(session.nodeId) : undefined}
              aria-selected={session.id === openId}
              data-cursor={session.nodeId === active || undefined}
              onClick={() => show(row.node)}
            >
              <LineageRow row={row} step={step} isFolded={folded.has(session.nodeId)} onFold={() => setFold(session.nodeId, !folded.has(session.nodeId))} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
