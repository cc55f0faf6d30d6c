/** The comparison itself: both heads, and one list of what is shared, where they part, and the turns after that. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { ProblemPane } from "../../components/ProblemPane";
import type { Compare_SessionFragment } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { useAction } from "../../lib/useAction";
import styles from "./Compare.module.css";
import { CompareRow } from "./CompareRow";
import { Progress } from "./Progress";
import { toItems } from "./items";
import { SideHead } from "./SideHead";
import { toReadings } from "./sides";
import { alignTurns } from "./turns";
import { useComparison } from "./useComparison";

const ESTIMATE = 110;
const AHEAD = 8;

interface ComparingProps {
  profile: string;
  maxPageSize: number;
  left: Compare_SessionFragment;
  right: Compare_SessionFragment;
}

export function Comparing({ profile, maxPageSize, left, right }: ComparingProps) {
  const readings = useMemo(() => toReadings(left, right), [left, right]);
  const comparison = useComparison(profile, maxPageSize, readings.left, readings.right);
  const { phase, from, shared, isLoading, error, loadMore } = comparison;
  const [isUnfolded, setUnfolded] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const isFound = phase !== "comparing";
  const turns = useMemo(
    () => (isFound ? alignTurns(comparison.left, comparison.right, from) : { pairs: [], wanted: [] }),
    [isFound, comparison.left, comparison.right, from],
  );
  const items = useMemo(
    () => (isFound ? toItems({ left: comparison.left, right: comparison.right, from, shared, isSame: phase === "same", isUnfolded, turns }) : []),
    [isFound, comparison.left, comparison.right, from, shared, phase, isUnfolded, turns],
  );
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
  });
  const rows = virtual.getVirtualItems();
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= items.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && turns.wanted.length > 0 && !isLoading && !error) loadMore(...turns.wanted);
  }, [isNearEnd, turns.wanted, isLoading, error, loadMore]);

  /** Goes to the next place in a direction where a turn begins. */
  const goToTurn = (step: 1 | -1) => {
    const top = scroller.current?.scrollTop ?? 0;
    const here = rows.find(({ end }) => end > top + 1)?.index ?? 0;
    for (let index = here + step; index >= 0 && index < items.length; index += step) {
      if (items[index]?.isTurn) return virtual.scrollToIndex(index, { align: "start" });
    }
  };
  const toggle = () => setUnfolded(!isUnfolded);
  useAction("compare.next", () => goToTurn(1), isFound);
  useAction("compare.previous", () => goToTurn(-1), isFound);
  useAction("compare.unfold", toggle, isFound && shared > 0);

  return (
    <>
      <div className={styles.heads}>
        <SideHead name="A" other="B" session={left} reading={readings.left} profile={profile} skipped={comparison.skipped.left} />
        <SideHead name="B" other="A" session={right} reading={readings.right} profile={profile} skipped={comparison.skipped.right} />
      </div>
      {error && <ProblemPane problem={toProblem(error)} onRetry={comparison.retry} />}
      {!isFound && !error && <Progress done={shared} of={Math.min(left.messageCount, right.messageCount)} />}
      {isFound && (
        <div ref={scroller} className={styles.scroller} role="feed" aria-label="Comparison" aria-busy={isLoading} tabIndex={0}>
          <div className={styles.content} style={{ height: virtual.getTotalSize() }}>
            {rows.map((row) => {
              const item = items[row.index];
              return (
                item && (
                  <article
                    key={row.key}
                    ref={virtual.measureElement}
                    data-index={row.index}
                    className={styles.item}
                    style={{ top: row.start }}
                    aria-label={item.label}
                    aria-posinset={row.index + 1}
                    aria-setsize={turns.wanted.length > 0 ? -1 : items.length}
                  >
                    <CompareRow item={item} profile={profile} isUnfolded={isUnfolded} onToggle={toggle} />
                  </article>
                )
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}
