/** Two branches side by side: what they share once, then both from the first difference on. */
import { useEffect, useRef } from "react";
import { useQuery } from "urql";
import { IconButton } from "../../components/IconButton";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { readFragment } from "../../graphql/generated";
import { problem, toProblem } from "../../graphql/problem";
import { useAction } from "../../lib/useAction";
import { useTitle } from "../../lib/useTitle";
import { useView } from "../../lib/useView";
import type { CompareView } from "../../lib/view";
import styles from "./Compare.module.css";
import { Comparing } from "./Comparing";
import { CompareHeads, CompareSession } from "./compareQueries";

export function Compare({ profile, left, right }: CompareView) {
  const { go } = useView();
  const frame = useRef<HTMLElement>(null);
  const variables = { left, right, profile };
  const [{ data, error }, reload] = useQuery({ query: CompareHeads, variables });
  const a = readFragment(CompareSession, data?.left ?? null);
  const b = readFragment(CompareSession, data?.right ?? null);
  const back = () => go({ open: { type: "session", profile, id: left }, panel: "lineage" });
  const swap = () => go({ compare: { profile, left: right, right: left } }, true);
  useTitle(a && b ? `${a.displayTitle} and ${b.displayTitle}` : "Compare");
  useAction("compare.swap", swap);
  // Who came by key has left what had the focus; the keys of this place need it here.
  useEffect(() => {
    if (document.activeElement === document.body) frame.current?.focus();
  }, []);

  return (
    <section ref={frame} className={styles.frame} aria-label="Compare" data-region="compare" tabIndex={-1}>
      <header className={styles.bar}>
        <IconButton icon="back" label="Back to the lineage" action="region.leave" onClick={back} />
        <h2 className={styles.name}>Compare</h2>
        <span className={styles.space} />
        <button type="button" className={styles.button} title="Change sides  (x)" aria-keyshortcuts="x" onClick={swap}>
          Change sides
        </button>
        <TakeQuery label="Take the comparison's query" request={{ document: CompareHeads, variables }} />
      </header>
      {error && !data ? (
        <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />
      ) : !data ? (
        <Skeleton />
      ) : a && b ? (
        <Comparing key={`${a.nodeId} ${b.nodeId}`} profile={profile} maxPageSize={data.server.maxPageSize} left={a} right={b} />
      ) : (
        <ProblemPane problem={gone(a ? right : left, profile)} />
      )}
    </section>
  );
}

const gone = (id: string, profile: string) =>
  problem("NOT_FOUND", `There is no session ${id} in the profile ${profile}.`, "It may have been deleted, or the store was replaced.");

function Skeleton() {
  return (
    <div className={styles.skeletons} role="status" aria-label="Loading the comparison">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles.skeleton} />
      ))}
    </div>
  );
}
