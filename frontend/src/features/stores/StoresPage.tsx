/** The stores: every profile with its size, its status, and what a closer look shows. */
import { useState } from "react";
import { useQuery } from "urql";
import { IconButton } from "../../components/IconButton";
import { PageFrame, PageNote, PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { Sentence } from "../../components/Sentence";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { StoreCard } from "./StoreCard";
import { Stores } from "./storesQueries";
import styles from "./StoresPage.module.css";

export function StoresPage() {
  const [round, setRound] = useState(0);
  const [{ data, error, stale }, reload] = useQuery({ query: Stores, requestPolicy: "cache-and-network" });
  const profiles = data?.profiles ?? null;
  const warnings = data?.server.warnings ?? [];
  const again = () => {
    reload({ requestPolicy: "network-only" });
    setRound(round + 1);
  };
  const tools = (
    <>
      <IconButton icon="reset" label="Look at all stores again" onClick={again} />
      <TakeQuery label="Take the stores' query" request={{ document: Stores, variables: {} }} />
    </>
  );
  return (
    <PageFrame title="Stores" tools={tools} isOld={stale}>
      {error && profiles === null ? (
        <ProblemPane problem={toProblem(error)} onRetry={again} />
      ) : profiles === null ? (
        <PageSkeleton label="Loading the stores" rows={3} />
      ) : profiles.length === 0 ? (
        <PageNote title="There is no profile in this Hermes home" />
      ) : (
        <>
          {warnings.length > 0 && (
            <ul className={styles.warnings} aria-label="What the operator should know">
              {warnings.map((sentence) => (
                <li key={sentence} className={styles.sentence} data-tone="warn">
                  <Sentence text={sentence} />
                </li>
              ))}
            </ul>
          )}
          <ul className={styles.cards}>
            {profiles.map(({ nodeId, name }) => (
              <StoreCard key={nodeId} name={name} round={round} />
            ))}
          </ul>
        </>
      )}
    </PageFrame>
  );
}
