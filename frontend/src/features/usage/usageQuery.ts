/** The question that the page of usage asks, and its variables out of a view. */
import { graphql } from "../../graphql/generated";
import type { UsageByQuery, UsageByQueryVariables, UsageDimension } from "../../graphql/generated/graphql";
import { GROUPINGS, type UsageView, type View } from "../../lib/view";

export const UsageBy = graphql(`
  query UsageBy($profiles: [String!], $by: [UsageDimension!]!, $from: DateTime, $timeZone: String!) {
    usage(profiles: $profiles, by: $by, from: $from, timeZone: $timeZone) {
      rows {
        day model source workspace profile task
        sessions
        messages
        usage { totalTokens inputTokens cacheReadTokens cacheWriteTokens outputTokens apiCalls }
        cost { usd actualUsd estimatedUsd status unknownSessions }
      }
      total {
        sessions
        messages
        usage { totalTokens inputTokens cacheReadTokens cacheWriteTokens outputTokens apiCalls }
        cost { usd actualUsd estimatedUsd status unknownSessions }
        bookedBy { spent lastSeen start undated }
      }
      timeZone
      failures { profile code message }
    }
  }
`);

export type Report = NonNullable<UsageByQuery["usage"]>;
export type Row = Report["rows"][number];
export type Total = Report["total"];

/** A report with what it is grouped by: what was answered, which may not be what is asked for by now. */
export function toGrouped(answer: UsageByQuery | undefined, asked: UsageByQueryVariables | undefined) {
  const by = GROUPINGS.find((each) => each === [asked?.by].flat()[0]?.toLowerCase());
  return answer?.usage && by ? { report: answer.usage, by } : null;
}

const DAYS: Partial<Record<UsageView["period"], number>> = { "7d": 7, "30d": 30, "90d": 90 };

/** The midnight that a period begins with, where the browser is; null for all time. Today is its last day. */
export function periodStart(period: UsageView["period"], now: Date): Date | null {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (period === "month") return new Date(year, month, 1);
  const days = DAYS[period];
  return days === undefined ? null : new Date(year, month, day - days + 1);
}

export const timeZoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export function usageVariables({ list, usage }: View, by: UsageView["by"], now: Date): UsageByQueryVariables {
  return {
    profiles: list.profile === null ? [] : [list.profile],
    by: [by.toUpperCase() as UsageDimension],
    from: periodStart(usage.period, now)?.toISOString() ?? null,
    timeZone: timeZoneHere(),
  };
}
