/** One profile's store: what it is, how large, whether it can be used, and what was found in it. */
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useQuery } from "urql";
import { Icon } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { problem, toProblem } from "../../graphql/problem";
import { useKept } from "../../lib/useKept";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import { Facts, storeFacts } from "./Facts";
import { Findings } from "./Findings";
import { Parts } from "./Parts";
import { isReadable, STATUSES, type Store } from "./statuses";
import { StoreFacts, StoreFindings } from "./storesQueries";
import styles from "./StoresPage.module.css";
import { useAgain } from "./useAgain";

const PruneDialog = lazy(() => import("../../components/PruneDialog").then((module) => ({ default: module.PruneDialog })));

interface StoreCardProps {
  name: string;
  /** Counts how often all stores were asked for again. */
  round: number;
}

export function StoreCard({ name, round }: StoreCardProps) {
  const { view } = useView();
  const [own, setOwn] = useState(0);
  const [{ data, error, stale }, reload] = useQuery({ query: StoreFacts, variables: { profile: name }, requestPolicy: "cache-and-network" });
  const retry = () => reload({ requestPolicy: "network-only" });
  useAgain(own + round, retry);
  // What is known of the store stays when a look at its health fails, which takes the profile out of the answers.
  const store = useKept(data?.profile ?? null);
  const there = changeView(view, { page: null, open: null, list: { profile: name } });
  return (
    <li className={styles.card} data-old={stale || undefined}>
      <header className={styles.header}>
        <h3 className={styles.name}>{name}</h3>
        {store && <span className={styles.status} data-tone={STATUSES[store.status].tone}>{STATUSES[store.status].word}</span>}
        <span className={styles.actions}>
          {store && isReadable(store.status) && <Pruning profile={name} onClosed={() => setOwn(own + 1)} />}
          <Link {...toLocation(there)} className={styles.link} aria-label={`Conversations of ${name}`}>
            Conversations
          </Link>
          <IconButton icon="reset" label={`Look at ${name} again`} onClick={() => setOwn(own + 1)} />
          <TakeQuery label={`Take the query of ${name}'s health`} request={{ document: StoreFindings, variables: { profile: name } }} />
        </span>
      </header>
      {error && !store ? (
        <ProblemPane problem={toProblem(error)} onRetry={retry} />
      ) : store ? (
        <Contents store={store} round={own + round} />
      ) : data ? (
        <ProblemPane problem={problem("PROFILE_NOT_FOUND", `There is no profile ${name} any more.`)} onRetry={retry} />
      ) : (
        <PageSkeleton label={`Loading ${name}`} rows={2} />
      )}
    </li>
  );
}

function Contents({ store, round }: { store: Store; round: number }) {
  const { name, status, statusReason } = store;
  const { sentence, tone } = STATUSES[status];
  return (
    <>
      <p className={styles.sentence} data-tone={tone}>{statusReason ?? sentence}</p>
      <Facts label={`Facts of ${name}`} facts={storeFacts(store)} />
      {status !== "EMPTY" && <Findings profile={name} isReadable={isReadable(status)} round={round} />}
      {isReadable(status) && (
        <Unfolding name="Largest parts, and who has it open">
          <Parts profile={name} />
        </Unfolding>
      )}
    </>
  );
}

/** Shows what would go before anything goes. */
function Pruning({ profile, onClosed }: { profile: string; onClosed: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.prune} aria-label={`Prune ${profile}`} onClick={() => setOpen(true)}>
        Prune…
      </button>
      {isOpen && (
        <Suspense>
          <PruneDialog profile={profile} onClose={() => setOpen(false)} onClosed={onClosed} />
        </Suspense>
      )}
    </>
  );
}

function Unfolding({ name, children }: { name: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.unfolding}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" size={12} />
        {name}
      </button>
      {isOpen && children}
    </div>
  );
}
