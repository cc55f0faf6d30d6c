/** The whole lineage of what is open, drawn as a tree, with what it adds up to. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { problem, toProblem } from "../../graphql/problem";
import { count, plural, tokens } from "../../lib/format";
import type { OpenView } from "../../lib/view";
import styles from "./Inspector.module.css";
import { LineageTree } from "./LineageTree";
import type { LineageNode } from "./lineage";
import { costWords } from "./totals";
import { MOST_NODES, type Stretch, useLineage, WHOLE } from "./useLineage";

export function LineagePanel({ open }: { open: OpenView }) {
  const [stretch, setStretch] = useState<Stretch>(WHOLE);
  const { lineage, nodes, openId, isGone, isOld, error, retry, request } = useLineage(open, stretch);
  if (error && !nodes) return <ProblemPane problem={toProblem(error)} onRetry={retry} />;
  if (isGone) return <Gone open={open} />;
  if (!nodes || !lineage) return <Skeleton />;

  const isAlone = lineage.totalCount === 1;
  return (
    <div className={styles.panel} data-old={isOld || undefined}>
      <p className={styles.summary}>
        <span>
          {isAlone
            ? "Stands alone: nothing led here, nothing came of it."
            : `${plural(lineage.totalCount, "session")} · ${tokens(lineage.usage.totalTokens)} tokens · ${costWords(wholeCost(lineage.cost))}`}
        </span>
        <TakeQuery label="Take the lineage's query" request={request} />
      </p>
      {stretch.from !== null && <FromHere drawn={nodes} onWhole={() => setStretch(WHOLE)} />}
      {stretch.from === null && lineage.truncated && (
        <p className={styles.note} data-warn>
          The first {count(nodes.length)} of {plural(lineage.totalCount, "session")} are drawn.{" "}
          {nodes.length < MOST_NODES && (
            <button type="button" className={styles.link} onClick={() => setStretch({ from: null, maxNodes: MOST_NODES })}>
              Draw {lineage.totalCount <= MOST_NODES ? "them all" : `the first ${count(MOST_NODES)}`}
            </button>
          )}
        </p>
      )}
      {stretch.from === null && <Oddities nodes={nodes} hasCycle={lineage.hasCycle} />}
      <LineageTree key={stretch.from ?? ""} nodes={nodes} open={open} openId={openId} onGoOn={(from) => setStretch({ from })} />
    </div>
  );
}

const wholeCost = (cost: { usd: number | null; status: string; unknownSessions: number }) => ({
  usd: cost.usd,
  isEstimated: cost.status === "ESTIMATED" || cost.status === "MIXED",
  unknownSessions: cost.unknownSessions,
  isWhole: true,
});

function FromHere({ drawn, onWhole }: { drawn: readonly LineageNode[]; onWhole: () => void }) {
  return (
    <p className={styles.note} data-warn>
      Drawn from “{drawn[0]?.session.displayTitle}” down.{" "}
      <button type="button" className={styles.link} onClick={onWhole}>
        Back to the whole lineage
      </button>
    </p>
  );
}

/** What is odd about the stored parents: a circle, or one that is not there. */
function Oddities({ nodes, hasCycle }: { nodes: readonly LineageNode[]; hasCycle: boolean }) {
  const top = nodes[0]?.session;
  const isDangling = !hasCycle && top !== undefined && top.parentId !== null;
  if (!hasCycle && !isDangling) return null;
  return (
    <p className={styles.note} data-warn>
      <Icon name="warning" size={14} />{" "}
      {hasCycle
        ? "Some of these sessions name each other as parents, in a circle. It is drawn from the smallest id on, each session once."
        : `The first session names a parent that is not in the store: ${top?.parentId}. It may have been deleted.`}
    </p>
  );
}

function Gone({ open }: { open: OpenView }) {
  const message = `There is no session ${open.segment ?? open.id} in the profile ${open.profile}.`;
  return <ProblemPane problem={problem("NOT_FOUND", message, "It may have been deleted, or the store was replaced.")} />;
}

function Skeleton() {
  return (
    <div className={styles.skeletons} role="status" aria-label="Loading the lineage">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles.skeleton} />
      ))}
    </div>
  );
}
