/** What the page of usage shows: the rows of the table, the days of the period, and the total, each an answer of its own. */
import { useMemo } from "react";
import { useQuery } from "urql";
import { useKept } from "../../lib/useKept";
import type { UsageView } from "../../lib/usageView";
import type { View } from "../../lib/view";
import { type Days, daysShown, periodDays } from "./period";
import { narrowed, parts, type Report, type Row, type Total, UsageBy, usageVariables } from "./usageQuery";

/** An answer, once it is one to the grouping that is asked for; the one before until then. */
function useReport(view: View, by: UsageView["by"] | null, days: Days, pause = false) {
  const { only } = view.usage;
  const variables = usageVariables(view, by, days);
  const [{ data, operation, error, fetching, stale }, reload] = useQuery({ query: UsageBy, variables, pause });
  const answered = String(operation?.variables.by ?? "");
  const asked = String(variables.by);
  const current = useMemo(
    () => (data?.usage && answered === asked ? { by, report: data.usage, rows: narrowed(data.usage.rows, only) } : null),
    // oxlint-disable-next-line react/exhaustive-deps -- `asked` stands for the grouping
    [data, answered, asked, only],
  );
  return { variables, kept: useKept(current), current, error, isOld: fetching || stale, retry: () => reload({ requestPolicy: "network-only" }) };
}

const NOTHING: Total = {
  sessions: 0,
  messages: 0,
  usage: { totalTokens: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, apiCalls: 0 },
  cost: { usd: null, actualUsd: null, estimatedUsd: null, status: "UNKNOWN", unknownSessions: 0 },
  bookedBy: { spent: 0, lastSeen: 0, start: 0, undated: 0 },
};

/** Where the page is narrowed the one row that is left is the total, in which each session counts once. */
export const totalOf = (report: Report, rows: readonly Row[], isNarrowed: boolean): Total =>
  isNarrowed ? (rows[0] ?? NOTHING) : report.total;

export function useUsage(view: View, now: Date) {
  const { usage } = view;
  const isNarrowed = parts(usage.only).length > 0;
  const shown = daysShown(usage, now);
  const table = useReport(view, usage.by, shown);
  const days = useReport(view, "day", periodDays(usage, now));
  const narrow = useReport(view, null, shown, !isNarrowed);
  const all = isNarrowed ? [table, days, narrow] : [table, days];
  const source = isNarrowed ? narrow.kept : table.kept;
  return {
    variables: table.variables,
    error: all.find((each) => each.error && !each.current)?.error,
    isOld: table.kept !== null && all.some((each) => each.isOld),
    retry: () => all.forEach((each) => each.retry()),
    answer: table.kept && days.kept && source && { table: table.kept, days: days.kept, total: totalOf(source.report, source.rows, isNarrowed) },
  };
}
