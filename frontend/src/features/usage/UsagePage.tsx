/** What was spent: in a period, by day as bars, and by day, model, source, workspace, profile or task as a table. */
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Failures } from "../../components/Failures";
import { PageFrame, PageNote, PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { ProfileScope } from "../../components/ProfileScope";
import { Segments } from "../../components/Segments";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { useKept } from "../../lib/useKept";
import { useView } from "../../lib/useView";
import type { UsageView } from "../../lib/view";
import { dayOf } from "./calendar";
import { DayChart } from "./DayChart";
import { toBars } from "./days";
import { Totals } from "./Totals";
import { periodStart, toGrouped, UsageBy, usageVariables } from "./usageQuery";
import styles from "./UsagePage.module.css";
import { GROUPING_NAMES, UsageTable } from "./UsageTable";

const PERIOD_NAMES: Record<UsageView["period"], string> = { "7d": "7 days", "30d": "30 days", "90d": "90 days", month: "This month", all: "All" };
const MEASURE_NAMES: Record<UsageView["measure"], string> = { cost: "Cost", tokens: "Tokens" };

export function UsagePage() {
  const { view, go } = useView();
  const { period, by, measure } = view.usage;
  const [now] = useState(() => new Date());
  const change = (usage: Partial<UsageView>) => go({ usage }, true);
  const variables = usageVariables(view, by, now);
  const [days, reloadDays] = useQuery({ query: UsageBy, variables: usageVariables(view, "day", now) });
  const [grouped, reloadGrouped] = useQuery({ query: UsageBy, variables });
  const keptDays = useKept(days.data?.usage ?? null);
  const current = useMemo(() => toGrouped(grouped.data, grouped.operation?.variables), [grouped.data, grouped.operation]);
  const kept = useKept(current);

  const isOld = kept !== null && (grouped.fetching || grouped.stale || days.fetching || days.stale);
  const error = grouped.error ?? days.error;
  const retry = () => {
    reloadDays({ requestPolicy: "network-only" });
    reloadGrouped({ requestPolicy: "network-only" });
  };
  const tools = (
    <>
      <Segments label="Period" names={PERIOD_NAMES} value={period} onChange={(value) => change({ period: value })} />
      <ProfileScope />
      <TakeQuery label="Take the usage's query" request={{ document: UsageBy, variables }} />
    </>
  );
  return (
    <PageFrame title="Usage" tools={tools} isOld={isOld}>
      {error && !current ? (
        <ProblemPane problem={toProblem(error)} onRetry={retry} />
      ) : kept === null || keptDays === null ? (
        <PageSkeleton label="Loading the usage" />
      ) : (
        <>
          <Failures failures={kept.report.failures} onRetry={retry} />
          {kept.report.total.sessions === 0 ? (
            <PageNote title="Nothing was used in this period">
              {period !== "all" && <p>Choose a longer one, or all.</p>}
            </PageNote>
          ) : (
            <>
              <Totals total={kept.report.total} timeZone={kept.report.timeZone} />
              <div className={styles.bar}>
                <h3>By day</h3>
                <Segments label="Measure" names={MEASURE_NAMES} value={measure} onChange={(value) => change({ measure: value })} />
              </div>
              <DayChart bars={toBars(keptDays.rows, measure, startDay(period, now), dayOf(now))} measure={measure} />
              <Segments label="Grouped by" names={GROUPING_NAMES} value={by} onChange={(value) => change({ by: value })} />
              <UsageTable rows={kept.report.rows} by={kept.by} />
            </>
          )}
        </>
      )}
    </PageFrame>
  );
}

function startDay(period: UsageView["period"], now: Date): string | null {
  const start = periodStart(period, now);
  return start && dayOf(start);
}
