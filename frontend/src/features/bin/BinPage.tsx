/** The bin: what was deleted from one profile or all, newest first, and how long it can still be brought back. */
import { useQuery } from "urql";
import { Failures } from "../../components/Failures";
import { PageFrame, PageNote, PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { ProfileScope } from "../../components/ProfileScope";
import { SearchField } from "../../components/SearchField";
import { TakeQuery } from "../../components/TakeQuery";
import { useTyped } from "../../components/useTyped";
import { toProblem } from "../../graphql/problem";
import { useView } from "../../lib/useView";
import styles from "./BinPage.module.css";
import { BIN_SIZE, BinOf, BinProfiles } from "./binQueries";
import { BinTable } from "./BinTable";
import { found } from "./entries";
import { type Bins, useBins } from "./useBins";

export function BinPage() {
  const { view } = useView();
  const { profile } = view.list;
  const [{ data, error }, reload] = useQuery({ query: BinProfiles, pause: profile !== null });
  const names = profile === null ? (data?.profiles.map(({ name }) => name) ?? null) : [profile];
  const bins = useBins(names ?? []);
  const request = { document: BinOf, variables: { profile: profile ?? names?.[0] ?? "default", first: BIN_SIZE } };
  const tools = (
    <>
      <ProfileScope />
      <TakeQuery label="Take the bin's query" request={request} />
    </>
  );
  return (
    <PageFrame title="Bin" tools={tools} isOld={bins.isOld}>
      {error && names === null ? (
        <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />
      ) : names === null || (bins.isWaiting && bins.entries.length === 0) ? (
        <PageSkeleton label="Loading the bin" />
      ) : (
        <Entries bins={bins} />
      )}
    </PageFrame>
  );
}

function Entries({ bins: { entries, failures, cut, retry } }: { bins: Bins }) {
  const { view, go } = useView();
  const wanted = view.binText ?? "";
  const { typed, setTyped } = useTyped(wanted, (binText) => go({ binText }, true));
  const shown = found(entries, wanted);
  return (
    <>
      <Failures failures={failures} onRetry={retry} />
      {entries.length > 0 ? (
        <>
          <div className={styles.search}>
            <SearchField text={typed} label="Filter by title or id" clearLabel="Clear the filter" action="search.focus" onChange={setTyped} />
          </div>
          {shown.length > 0 ? <BinTable entries={shown} all={entries.length} /> : <NoMatch text={wanted} onDrop={() => setTyped("")} />}
        </>
      ) : (
        <Nothing hasFailed={failures.length > 0} />
      )}
      {cut.length > 0 && <p className={styles.note}>Of {cut.join(", ")} the latest {BIN_SIZE} deletions are shown.</p>}
    </>
  );
}

function NoMatch({ text, onDrop }: { text: string; onDrop: () => void }) {
  return (
    <PageNote title={`No deletion has “${text}” in its title or ids`}>
      <p>
        <button type="button" className={styles.restore} onClick={onDrop}>
          Drop the filter
        </button>
      </p>
    </PageNote>
  );
}

function Nothing({ hasFailed }: { hasFailed: boolean }) {
  if (hasFailed) return <PageNote title="Nothing else is in the bin" />;
  return (
    <PageNote title="The bin is empty">
      <p>What you delete is kept here, outside the Hermes home, and can be restored exactly as it was: for 30 days, unless the server was started with another number.</p>
      <p>
        The number is <code>HERMES_SESSIONS_BIN_DAYS</code>. With 0 there is no bin: then deleting is for good, and offers no Undo.
      </p>
    </PageNote>
  );
}
