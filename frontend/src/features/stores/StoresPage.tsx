/** The stores: every profile with its size, its status, and what a closer look shows. */
import { useQuery } from "urql";
import { PageFrame, PageNote, PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { StoreCard } from "./StoreCard";
import { Stores } from "./storesQueries";
import styles from "./StoresPage.module.css";

export function StoresPage() {
  const [{ data, error, stale }, reload] = useQuery({ query: Stores, requestPolicy: "cache-and-network" });
  const profiles = data?.profiles ?? null;
  return (
    <PageFrame title="Stores" tools={<TakeQuery label="Take the stores' query" request={{ document: Stores, variables: {} }} />} isOld={stale}>
      {error && profiles === null ? (
        <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />
      ) : profiles === null ? (
        <PageSkeleton label="Loading the stores" rows={3} />
      ) : profiles.length === 0 ? (
        <PageNote title="There is no profile in this Hermes home" />
      ) : (
        <ul className={styles.cards}>
          {profiles.map((profile) => (
            <StoreCard key={profile.nodeId} profile={profile} />
          ))}
        </ul>
      )}
    </PageFrame>
  );
}
