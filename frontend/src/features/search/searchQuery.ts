/** The question that the search asks, and its variables out of a view. */
import { graphql } from "../../graphql/generated";
import type { ArchivedFilter, SearchField, SearchMessagesQuery, SearchMessagesQueryVariables, SearchSort } from "../../graphql/generated/graphql";
import { startOfDay } from "../../lib/days";
import type { ListView } from "../../lib/view";

export const SearchMessages = graphql(`
  query SearchMessages(
    $text: String!
    $profiles: [String!]
    $first: Int
    $after: String
    $filter: SearchFilter
    $sort: SearchSort!
    $isAnchor: Boolean! = true
  ) {
    search(text: $text, profiles: $profiles, first: $first, after: $after, filter: $filter, sort: $sort) {
      edges {
        cursor
        node {
          field
          snippet
          profile { nodeId name }
          conversation { nodeId id segments { nodeId id } }
          session { nodeId id }
          message { nodeId id }
          ...HitRow_hit
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount @include(if: $isAnchor)
      totalIsCapped @include(if: $isAnchor)
      degraded @include(if: $isAnchor)
      unsearched @include(if: $isAnchor)
      failures @include(if: $isAnchor) { profile code message }
    }
  }
`);

export const PAGE_SIZE = 40;
/** As many characters as the API takes. */
export const MAX_LENGTH = 1000;

export type SearchAnswer = NonNullable<SearchMessagesQuery["search"]>;
export type HitEdge = SearchAnswer["edges"][number];

type SearchVariables = Pick<SearchMessagesQueryVariables, "text" | "profiles" | "filter" | "sort">;

export function searchVariables(list: ListView): SearchVariables {
  return {
    text: list.find.trim(),
    profiles: list.profile === null ? [] : [list.profile],
    filter: {
      archived: list.findArchived.toUpperCase() as ArchivedFilter,
      fields: list.findFields.length ? list.findFields.map((each) => each.toUpperCase() as SearchField) : undefined,
      roles: list.findRole === null ? undefined : [list.findRole],
      after: list.findFrom === null ? undefined : startOfDay(list.findFrom),
      before: list.findUntil === null ? undefined : startOfDay(list.findUntil, 1),
    },
    sort: list.findSort.toUpperCase() as SearchSort,
  };
}
