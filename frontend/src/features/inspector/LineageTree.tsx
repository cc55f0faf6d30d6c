/** The tree of a lineage: drawn lines, kinds by sign, word and colour; keys as a tree has them. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { useAction } from "../../lib/useAction";
import { useView } from "../../lib/useView";
import type { OpenView } from "../../lib/view";
import styles from "./LineageTree.module.css";
import { LineageRow } from "./LineageRow";
import { type LineageNode, opens, pathTo, toTreeRows, visibleRows } from "./lineage";
import { NodeFacts } from "./NodeFacts";
import { subtreeTotals } from "./totals";
import { TreeBar } from "./TreeBar";
import { useTreeKeys } from "./useTreeKeys";

const ROW = 46;
const WIDEST_INDENT = 132;
const STEP = 18;

interface LineageTreeProps {
  nodes: readonly LineageNode[];
  open: OpenView;
  openId: string;
  /** Draws a node and what is below it alone. */
  onGoOn: (id: string) => void;
}

export function LineageTree({ nodes, open, openId, onGoOn }: LineageTreeProps) {
  const { go } = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [pathEnd, setPathEnd] = useState<string | null>(null);
  const whole = useMemo(() => toTreeRows(nodes), [nodes]);
  const totals = useMemo(() => subtreeTotals(whole), [whole]);
  const rows = useMemo(() => (pathEnd === null ? whole : toTreeRows(pathTo(pathEnd, nodes))), [whole, pathEnd, nodes]);
  const visible = useMemo(() => (pathEnd === null ? visibleRows(rows, folded) : rows), [rows, pathEnd, folded]);
  const widest = useMemo(() => rows.reduce((most, { lane }) => Math.max(most, lane), 1), [rows]);
  const step = Math.min(STEP, WIDEST_INDENT / widest);

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

  // What is opened elsewhere is gone to here, also where it is folded away.
  const [shownId, setShownId] = useState(openId);
  if (shownId !== openId) {
    setShownId(openId);
    setCursorId(openId);
    const above = new Set(pathTo(openId, nodes).slice(0, -1).map(({ session }) => session.id));
    setFolded(new Set([...folded].filter((id) => !above.has(id))));
  }
  useEffect(() => {
    virtual.scrollToIndex(cursor, { align: "auto" });
    // oxlint-disable-next-line react/exhaustive-deps -- to where the cursor went, not when rows come and go
  }, [cursorId, pathEnd]);

  const at = visible[cursor];
  const current = at?.node.session;
  const moveTo = (index: number) => {
    const row = visible[Math.min(Math.max(index, 0), visible.length - 1)];
    if (row) setCursorId(row.node.session.id);
  };
  const fold = (id: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(id);
    else next.delete(id);
    setFolded(next);
  };
  const show = (node: LineageNode) => {
    setCursorId(node.session.id);
    go({ open: opens(node, nodes, open.profile) });
  };
  const compareWith = (left: string, right: string) => go({ compare: { profile: open.profile, left, right } });
  const canCompare = current !== undefined && current.id !== openId;
  useAction("lineage.compare", () => current && compareWith(openId, current.id), canCompare);
  const handleKey = useTreeKeys({ visible, cursor, folded, moveTo, fold, show });

  const items = virtual.getVirtualItems();
  const isActiveMounted = items.some(({ index }) => index === cursor);
  return (
    <div className={styles.region} data-region="lineage">
      <TreeBar
        isPath={pathEnd !== null}
        canFold={rows.length > 1}
        isFolded={folded.size > 0}
        onPath={() => setPathEnd(pathEnd === null ? (current?.id ?? openId) : null)}
        onFoldAll={() => setFolded(folded.size > 0 ? new Set() : new Set(rows.filter((row) => row.hasChildren && row.depth > 0).map((row) => row.node.session.id)))}
      />
      <div
        ref={scroller}
        className={styles.scroller}
        role="tree"
        tabIndex={0}
        aria-label="Lineage"
        aria-activedescendant={current && isActiveMounted ? `lineage-${current.nodeId}` : undefined}
        onKeyDown={handleKey}
      >
        <div className={styles.content} role="presentation" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = visible[item.index];
            if (!row) return null;
            const { session } = row.node;
            const isFolded = pathEnd === null && folded.has(session.id);
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
                aria-expanded={row.hasChildren ? !isFolded : undefined}
                aria-selected={session.id === openId}
                aria-describedby={item.index === cursor ? "lineage-facts" : undefined}
                data-cursor={item.index === cursor || undefined}
                onClick={() => show(row.node)}
              >
                <LineageRow
                  row={row}
                  total={totals.get(session.id)}
                  step={step}
                  isFolded={isFolded}
                  isOpen={session.id === openId}
                  onFold={pathEnd === null ? () => fold(session.id, !isFolded) : null}
                />
              </div>
            );
          })}
        </div>
      </div>
      {at && (
        <NodeFacts
          row={at}
          total={totals.get(at.node.session.id)}
          parent={at.parent === null ? undefined : rows[at.parent]?.node.session}
          isOpen={!canCompare}
          onCompare={() => compareWith(openId, at.node.session.id)}
          onCompareParent={(parentId) => compareWith(parentId, at.node.session.id)}
          onGoOn={() => onGoOn(at.node.session.id)}
        />
      )}
    </div>
  );
}
