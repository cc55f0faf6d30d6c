/** The questions that the page of usage asks, and their variables out of a view. */
import { graphql } from "../../graphql/generated";
import type { ArchivedFilter, Audience, ConversationFilter, DearestConversationsQueryVariables, UsageByQuery, UsageByQueryVariables, UsageDimension } from "../../graphql/generated/graphql";
import type { UsageOnly, UsageView } from "../../lib/usageView";
import type { View } from "../../lib/view";
import { bounds, type Days } from "./period";

export const UsageBy = graphql(`
  query UsageBy($profiles: [String!], $by: [UsageDimension!]!, $from: DateTime, $to: DateTime, $timeZone: String!, $filter: ConversationFilter) {
    usage(profiles: $profiles, by: $by, from: $from, to: $to, timeZone: $timeZone, filter: $filter) {
      rows {
        day model source workspace profile task
        sessions
        messages
        usage { totalTokens inputTokens cacheReadTokens cacheWriteTokens outputTokens apiCalls }
        cost { usd actualUsd estimatedUsd status unknownSessions }
        bookedBy { spent lastSeen start undated }
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

export const DearestConversations = graphql(`
  query DearestConversations($profiles: [String!], $first: Int!, $filter: ConversationFilter!) {
    conversations(profiles: $profiles, first: $first, filter: $filter, orderBy: { field: COST, direction: DESC }) {
      totalCount
      nodes {
        nodeId
        id
        displayTitle
        model
        lastActiveAt
        subagentCount
        profile { nodeId name }
        cost { usd actualUsd estimatedUsd status unknownSessions }
        costWithSubagents { usd actualUsd estimatedUsd status unknownSessions }
      }
    }
  }
`);

export type Report = NonNullable<UsageByQuery["usage"]>;
export type Row = Report["rows"][number];
export type Total = Report["total"];

export const DEAREST_SIZE = 20;

export const timeZoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** What else than a day the page is narrowed to: days are bounds. */
export const parts = (only: readonly UsageOnly[]): UsageOnly[] => only.filter(({ by }) => by !== "day");

const audienceFilter = (audience: UsageView["audience"]): ConversationFilter | null =>
  audience === "all" ? null : { audience: audience.toUpperCase() as Audience, archived: "INCLUDE" as ArchivedFilter };

/** Grouped also by what the page is narrowed to: then the rows that count are chosen, exact to each part of a session. */
export function usageVariables({ list, usage }: View, by: UsageView["by"] | null, days: Days): UsageByQueryVariables {
  const groupings = new Set([...(by ? [by] : []), ...parts(usage.only).map((each) => each.by)]);
  return {
    profiles: list.profile === null ? [] : [list.profile],
    by: [...groupings].map((each) => each.toUpperCase() as UsageDimension),
    ...bounds(days),
    timeZone: timeZoneHere(),
    filter: audienceFilter(usage.audience),
  };
}

/** The rows of what the page is narrowed to. */
export const narrowed = (rows: readonly Row[], only: readonly UsageOnly[]): Row[] =>
  rows.filter((row) => parts(only).every(({ by, value }) => (row[by] ?? "") === value));

/** The conversations of the period by when they were last active; null where no filter can choose them. */
export function dearestVariables({ list, usage }: View, days: Days): DearestConversationsQueryVariables | null {
  const { from, to } = bounds(days);
  const filter: ConversationFilter = { audience: usage.audience.toUpperCase() as Audience, archived: "INCLUDE" as ArchivedFilter, activeAfter: from, activeBefore: to };
  for (const { by, value } of parts(usage.only)) {
    if (value === "" || by === "task" || by === "profile") return null;
    if (by === "model") filter.models = [value];
    if (by === "source") filter.sources = [value];
    if (by === "workspace") filter.workspace = value;
  }
  return { profiles: list.profile === null ? [] : [list.profile], first: DEAREST_SIZE, filter };
}
