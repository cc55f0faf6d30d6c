/** What a closer look at one store found: what is wrong first, what is well folded. */
import { useQuery } from "urql";
import { Icon, type IconName } from "../../components/Icon";
import { PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { Sentence } from "../../components/Sentence";
import { useToast } from "../../components/Toasts";
import type { FindingSeverity, StoreFindingsQuery } from "../../graphql/generated/graphql";
import { problem, toProblem } from "../../graphql/problem";
import { copyText } from "../../lib/clipboard";
import { plural } from "../../lib/format";
import { Facts, healthFacts } from "./Facts";
import { StoreFindings } from "./storesQueries";
import styles from "./StoresPage.module.css";
import { useAgain } from "./useAgain";

type Finding = NonNullable<StoreFindingsQuery["profile"]>["health"]["findings"][number];

const SEVERITIES: Record<FindingSeverity, { word: string; icon: IconName }> = {
  PROBLEM: { word: "Problem", icon: "warning" },
  WARNING: { word: "Warning", icon: "warning" },
  NOTE: { word: "Note", icon: "info" },
  OK: { word: "OK", icon: "check" },
};
const GRAVEST_FIRST = Object.keys(SEVERITIES) as FindingSeverity[];

export const gravestFirst = <F extends { severity: FindingSeverity }>(findings: readonly F[]): F[] =>
  findings.toSorted((a, b) => GRAVEST_FIRST.indexOf(a.severity) - GRAVEST_FIRST.indexOf(b.severity));

interface FindingsProps {
  profile: string;
  /** Of a store that cannot be read no figure is known. */
  isReadable: boolean;
  round: number;
}

export function Findings({ profile, isReadable, round }: FindingsProps) {
  const [{ data, error, stale }, reload] = useQuery({ query: StoreFindings, variables: { profile }, requestPolicy: "cache-and-network" });
  const retry = () => reload({ requestPolicy: "network-only" });
  useAgain(round, retry);
  const health = data?.profile?.health;
  const findings = health?.findings;
  if (error && !findings) return <ProblemPane problem={toProblem(error)} onRetry={retry} />;
  if (data && !findings) return <ProblemPane problem={problem("PROFILE_NOT_FOUND", `There is no profile ${profile} any more.`)} onRetry={retry} />;
  if (!health || !findings) return <PageSkeleton label={`Looking at ${profile}`} rows={1} />;
  const open = gravestFirst(findings.filter(({ severity }) => severity !== "OK"));
  const well = findings.filter(({ severity }) => severity === "OK");
  return (
    <div data-old={stale || undefined} className={styles.findings}>
      {isReadable && <Facts label={`Health of ${profile}`} facts={healthFacts(health)} />}
      {open.length === 0 && <p className={styles.allWell}>Nothing is wrong.</p>}
      <FindingList findings={open} label={`Findings of ${profile}`} />
      {well.length > 0 && (
        <details className={styles.well}>
          <summary>{plural(well.length, "thing")} looked at and well</summary>
          <FindingList findings={well} label={`Well in ${profile}`} />
        </details>
      )}
    </div>
  );
}

function FindingList({ findings, label }: { findings: readonly Finding[]; label: string }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={label}>
      {findings.map((finding) => (
        <FindingItem key={`${finding.code} ${finding.message}`} finding={finding} />
      ))}
    </ul>
  );
}

function FindingItem({ finding: { severity, code, message, advice, ids } }: { finding: Finding }) {
  const { word, icon } = SEVERITIES[severity];
  return (
    <li className={styles.finding} data-severity={severity}>
      <span className={styles.mark}>
        <Icon name={icon} size={14} />
        {word}
      </span>
      <div className={styles.text}>
        <p>
          <Sentence text={message} /> <code className={styles.code}>{code}</code>
        </p>
        {advice && <p className={styles.advice}><Sentence text={advice} /></p>}
        {ids.length > 0 && severity !== "OK" && (
          <details className={styles.well}>
            <summary>Which</summary>
            <p className={styles.ids}>{ids.join(", ")}</p>
            <CopyIds ids={ids} />
          </details>
        )}
      </div>
    </li>
  );
}

function CopyIds({ ids }: { ids: readonly string[] }) {
  const toast = useToast();
  const copy = async () => {
    const copied = await copyText(ids.join("\n"));
    toast(copied ? { text: `Copied ${plural(ids.length, "id")}` } : { text: "The browser did not allow copying", tone: "bad" });
  };
  return (
    <button type="button" className={styles.copy} onClick={() => void copy()}>
      <Icon name="copy" size={12} />
      Copy {plural(ids.length, "id")}
    </button>
  );
}
