/** What was spent: in a period, by day as bars and as a calendar, by day, model, source, workspace, profile or task as a table, and on which conversations. */
import { useMemo, useState } from "react";
import { Failures } from "../../components/Failures";
import { FilterChips } from "../../components/FilterChips";
import { PageFrame, PageNote, PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { Segments } from "../../components/Segments";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { useView } from "../../lib/useView";
import type { UsageView } from "../../lib/usageView";
import { dayOf } from "./calendar";
import { download, usageCsv } from "./csv";
import { DayChart } from "./DayChart";
import { toBars } from "./days";
import { Dearest } from "./Dearest";
import { Heatmap } from "./Heatmap";
import { chips, GROUPING_NAMES } from "./narrowing";
import { daysShown, periodDays } from "./period";
import { Totals } from "./Totals";
import { UsageBy } from "./usageQuery";
import styles from "./UsagePage.module.css";
import { sortedRows, UsageTable } from "./UsageTable";
import { UsageTools } from "./UsageTools";
import { useUsage } from "./useUsage";

const MEASURE_NAMES: Record<UsageView["measure"], string> = { cost: "Cost", tokens: "Tokens" };

export function UsagePage() {
  const { view, go } = useView();
  const [now] = useState(() => new Date());
  const { answer, error, isOld, retry, variables } = useUsage(view, now);
  const { usage } = view;
  const change = (changed: Partial<UsageView>) => go({ usage: changed }, true);
  const tools = (
    <>
      <UsageTools usage={usage} now={now} onChange={change} />
      <TakeQuery label="Take the usage's query" request={{ document: UsageBy, variables }} />
    </>
  );
  return (
    <PageFrame title="Usage" tools={tools} isOld={isOld}>
      <div className={styles.chips}>
        <FilterChips filters={chips(usage.only)} onChange={change} />
      </div>
      {error ? (
        <ProblemPane problem={toProblem(error)} onRetry={retry} />
      ) : answer ? (
        <Answer answer={answer} usage={usage} now={now} onChange={change} onRetry={retry} />
      ) : (
        <PageSkeleton label="Loading the usage" />
      )}
      {!error && (
        // It asks at once, and shows with what stands above it, which would push it down.
        <div hidden={!answer}>
          <Dearest view={view} days={daysShown(usage, now)} />
        </div>
      )}
    </PageFrame>
  );
}

interface AnswerProps {
  answer: NonNullable<ReturnType<typeof useUsage>["answer"]>;
  usage: UsageView;
  now: Date;
  onChange: (change: Partial<UsageView>) => void;
  onRetry: () => void;
}

function Answer({ answer: { table, days, total }, usage, now, onChange, onRetry }: AnswerProps) {
  const { by, measure, only, period } = usage;
  const { first, last } = periodDays(usage, now);
  const bars = useMemo(() => toBars(days.rows, measure, first, last ?? dayOf(now)), [days.rows, measure, first, last, now]);
  const others = only.filter((each) => each.by !== "day");
  const day = only.find((each) => each.by === "day")?.value ?? null;
  const grouping = table.by ?? by;
  const isEmpty = total.sessions === 0;
  return (
    <>
      <Failures failures={table.report.failures} onRetry={onRetry} />
      {isEmpty ? (
        <PageNote title={only.length > 0 ? "Nothing was used of this in this period" : "Nothing was used in this period"}>
          <p>{only.length > 0 ? "Drop a filter, or choose a longer period." : period !== "all" && "Choose a longer one, or all."}</p>
        </PageNote>
      ) : (
        <Totals total={total} timeZone={table.report.timeZone} />
      )}
      {(!isEmpty || day !== null) && (
        <>
          <div className={styles.bar}>
            <h3>By day</h3>
            <Segments label="Measure" names={MEASURE_NAMES} value={measure} onChange={(value) => onChange({ measure: value })} />
          </div>
          <div className={styles.days}>
            <DayChart bars={bars} measure={measure} />
            <Heatmap bars={bars} measure={measure} day={day} onDay={(value) => onChange({ only: value === null ? others : [...others, { by: "day", value }] })} />
          </div>
        </>
      )}
      {!isEmpty && (
        <>
          <div className={styles.bar}>
            <Segments label="Grouped by" names={GROUPING_NAMES} value={by} onChange={(value) => onChange({ by: value })} />
            <button type="button" className={styles.button} onClick={() => download(`usage-by-${grouping}.csv`, usageCsv(sortedRows(table.rows, grouping), grouping))}>
              Export CSV
            </button>
          </div>
          <UsageTable rows={table.rows} by={grouping} />
        </>
      )}
    </>
  );
}
