/** Which tables and indexes make a store large, and which programs have it open. */
import { useQuery } from "urql";
import { PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import type { StorePartsQuery } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { bytes, plural } from "../../lib/format";
import { StoreParts } from "./storesQueries";
import styles from "./StoresPage.module.css";

type Health = NonNullable<StorePartsQuery["profile"]>["health"];
const MOST_PARTS = 8;

export function Parts({ profile }: { profile: string }) {
  const [{ data, error }, reload] = useQuery({ query: StoreParts, variables: { profile }, requestPolicy: "cache-and-network" });
  const health = data?.profile?.health;
  if (error && !health) return <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (!health) return <PageSkeleton label={`Measuring ${profile}`} rows={2} />;
  return (
    <div className={styles.parts}>
      <Sizes sizes={health.sizes} profile={profile} />
      <Holders holders={health.holders} />
    </div>
  );
}

function Sizes({ sizes: { items, reason }, profile }: { sizes: Health["sizes"]; profile: string }) {
  const parts = items ?? [];
  const rest = parts.slice(MOST_PARTS).reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  return (
    <section>
      <h4>Largest parts</h4>
      {reason && <p className={styles.advice}>{reason}</p>}
      {parts.length > 0 && (
        <table className={styles.sizes}>
          <caption className="visually-hidden">Largest parts of {profile}</caption>
          <tbody>
            {parts.slice(0, MOST_PARTS).map(({ name, isIndex, sizeBytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{isIndex ? "index" : "table"}</td>
                <td>{sizeBytes === null || sizeBytes === undefined ? "not measured" : bytes(sizeBytes)}</td>
              </tr>
            ))}
            {parts.length > MOST_PARTS && (
              <tr>
                <th scope="row" colSpan={2}>
                  {plural(parts.length - MOST_PARTS, "other")}
                </th>
                <td>{bytes(rest)}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Holders({ holders: { items, hidden } }: { holders: Health["holders"] }) {
  return (
    <section>
      <h4>Open in</h4>
      {!items && <p className={styles.advice}>The system does not tell.</p>}
      {items?.length === 0 && <p className={styles.advice}>No program that could be asked.</p>}
      <ul className={styles.list}>
        {(items ?? []).map(({ pid, command, isThisServer, hasLock }) => (
          <li key={pid}>
            {isThisServer ? "this server" : (command ?? "a program")}, process {pid}
            {hasLock && ", holds a lock"}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={styles.advice}>{plural(hidden, "process", "processes")} of other users could not be asked.</p>}
    </section>
  );
}
