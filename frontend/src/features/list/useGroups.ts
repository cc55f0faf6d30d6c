/** The groups of a list that is grouped by workspace or source: each a window of its own, a few groups at a time. */
import { useMemo, useSyncExternalStore } from "react";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import type { ConversationListQuery } from "../../graphql/generated/graphql";
import { PageWindow, type WindowState } from "../../graphql/pageWindow";
import { WindowSet } from "../../graphql/windowSet";
import type { ListView } from "../../lib/view";
import type { Facets } from "./facets";
import { facetGrouping, type Group, toGroups } from "./groups";
import { ConversationList as ListDocument, listVariables, PAGE_SIZE } from "./listQuery";
import type { Section } from "./rows";

type Edge = NonNullable<ConversationListQuery["conversations"]>["edges"][number];
type Window = PageWindow<ConversationListQuery, Edge>;

/** Rows of a group at first. */
export const FIRST = 5;
const GROUPS_AT_ONCE = 20;

export interface Groups {
  sections: Section<Edge["node"]>[];
  nodes: Edge["node"][];
  hasMore: boolean;
  onMore: () => void;
  /** Those that stand in no group, once all groups are there. */
  outside: number;
}

export function useGroups(list: ListView, facets: Facets | null, total: number): Groups | null {
  const client = useClient();
  const groups = useMemo(() => (facets && facetGrouping(list) !== null ? toGroups(list, facets) : []), [list, facets]);
  const key = JSON.stringify([list, groups.map(({ value }) => value)]);
  const { windows, set } = useMemo(() => {
    const made = groups.map(
      ({ narrow }): Window =>
        new PageWindow({
          client,
          document: ListDocument as TypedDocumentNode<ConversationListQuery, AnyVariables>,
          variables: listVariables({ ...list, ...narrow }),
          select: (data) => data.conversations,
          anchor: { first: FIRST },
          size: PAGE_SIZE,
        }),
    );
    return { windows: made, set: new WindowSet(made, GROUPS_AT_ONCE) };
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for list and groups by value
  }, [client, key]);
  const states = useSyncExternalStore(set.subscribe, set.getState);

  return useMemo(() => {
    if (facetGrouping(list) === null || states.length === 0) return null;
    const sections = states.flatMap((state, index) => {
      const [group, window] = [groups[index], windows[index]];
      return group && window ? [toSection(group, window, state)] : [];
    });
    const counted = sections.reduce((sum, section) => sum + (section.total ?? 0), 0);
    const isWhole = !set.hasMore && states.every(({ data }) => data !== null);
    return {
      sections: sections.filter(({ total: size }) => size !== 0),
      nodes: sections.flatMap(({ nodes }) => nodes),
      hasMore: set.hasMore,
      onMore: set.openMore,
      outside: isWhole ? Math.max(0, total - counted) : 0,
    };
  }, [list, states, groups, windows, set, total]);
}

const toSection = ({ value, name, narrow }: Group, window: Window, { edges, data }: WindowState<ConversationListQuery, Edge>): Section<Edge["node"]> => ({
  key: value,
  name,
  title: value,
  nodes: edges.map((edge) => edge.node),
  total: data?.conversations?.totalCount ?? null,
  narrow,
  onMore: window.loadAfter,
});
