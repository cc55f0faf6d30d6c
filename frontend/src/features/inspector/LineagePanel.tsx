/** The whole lineage of what is open, drawn as a tree, with what it adds up to. */
import { useQuery } from "urql";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { readFragment } from "../../graphql/generated";
import { toProblem } from "../../graphql/problem";
import { plural, tokens, usd } from "../../lib/format";
import type { OpenView } from "../../lib/view";
import styles from "./Inspector.module.css";
import { LineageNodeFragment, LineageOf } from "./inspectorQueries";
import { LineageTree } from "./LineageTree";
import { sum, type Total } from "./lineage";

export function LineagePanel({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [{ data, error, stale }, reload] = useQuery({ query: LineageOf, variables, requestPolicy: "cache-and-network" });
  const lineage = data?.session?.lineage;
  if (error && !lineage) return <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (!lineage) return <p className={styles.note}>{data ? "There is no lineage to show." : "Loading the lineage…"}</p>;

  const nodes = lineage.nodes.map((node) => readFragment(LineageNodeFragment, node));
  return (
    <div className={styles.panel} data-old={stale || undefined}>
      <p className={styles.summary}>
        <span>{totalText(sum(nodes))}</span>
        <TakeQuery label="Take the lineage's query" request={{ document: LineageOf, variables }} />
      </p>
      {lineage.truncated && <p className={styles.note}>Of {plural(lineage.totalCount, "session")} the first {nodes.length} are shown.</p>}
      {lineage.hasCycle && <p className={styles.note}>Some sessions name each other as parents. They are drawn where the circle was cut.</p>}
      <LineageTree nodes={nodes} open={open} />
    </div>
  );
}

function totalText({ sessions, tokens: used, usd: cost, unknownSessions }: Total): string {
  const money = cost === null ? "cost unknown" : `${usd(cost)}${unknownSessions > 0 ? ` + ${unknownSessions} unknown` : ""}`;
  return `${plural(sessions, "session")} · ${tokens(used)} tokens · ${money}`;
}
