/** The questions that the list asks, and their variables out of a view. */
import { graphql } from "../../graphql/generated";
import type { ArchivedFilter, Audience, ConversationListQueryVariables, ConversationOrderField, Direction } from "../../graphql/generated/graphql";
import { sinceDay, startOfDay } from "../../lib/days";
import type { ListView } from "../../lib/view";

export const ConversationList = graphql(`
  query ConversationList(
    $profiles: [String!]
    $first: Int
    $after: String
    $filter: ConversationFilter
    $orderBy: ConversationOrder
    $isAnchor: Boolean! = true
  ) {
    conversations(profiles: $profiles, first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      edges {
        cursor
        node {
          nodeId
          id
          title
          displayTitle
          job
          archived
          messageCount
          lastActiveAt
          startedAt
          profile { nodeId name }
          ...ConversationRow_conversation
          ...RunsRow_run
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount @include(if: $isAnchor)
      hidden @include(if: $isAnchor) { ...Ledger_hidden }
      failures @include(if: $isAnchor) { profile code message }
    }
    server @include(if: $isAnchor) { maxPageSize }
  }
`);

export const ListFacets = graphql(`
  query ListFacets($profiles: [String!], $filter: ConversationFilter) {
    conversations(profiles: $profiles, first: 1, filter: $filter) {
      facets {
        audiences { value count }
        sources { value count }
        models { value count }
        workspaces { value count }
      }
    }
  }
`);

/** Who matches, and nothing about them. */
export const ListIds = graphql(`
  query ListIds($profiles: [String!], $first: Int, $after: String, $filter: ConversationFilter) {
    conversations(profiles: $profiles, first: $first, after: $after, filter: $filter) {
      edges { node { nodeId id profile { nodeId name } } }
      pageInfo { hasNextPage endCursor }
      failures { profile code message }
    }
    server { maxPageSize }
  }
`);

export const PAGE_SIZE = 60;

type ListVariables = Pick<ConversationListQueryVariables, "profiles" | "filter" | "orderBy">;

export function listVariables(list: ListView): ListVariables {
  return {
    profiles: list.profile === null ? [] : [list.profile],
    filter: {
      audience: list.audience.toUpperCase() as Audience,
      archived: list.archived.toUpperCase() as ArchivedFilter,
      sources: list.sources.length ? list.sources : undefined,
      models: list.models.length ? list.models : undefined,
      workspace: list.workspace ?? undefined,
      text: list.text || undefined,
      job: list.job ?? undefined,
      minMessages: list.empty === "hide" ? 1 : undefined,
      minCostUsd: list.minCost ?? undefined,
      activeAfter: list.activeFrom === null ? undefined : startOfDay(sinceDay(list.activeFrom)),
      activeBefore: list.activeUntil === null ? undefined : startOfDay(list.activeUntil, 1),
      live: list.live === "only" ? true : undefined,
      endReasons: list.endReasons.length ? list.endReasons : undefined,
    },
    orderBy: {
      field: list.sort.toUpperCase() as ConversationOrderField,
      direction: list.direction.toUpperCase() as Direction,
    },
  };
}
