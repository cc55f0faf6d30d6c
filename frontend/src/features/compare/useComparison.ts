/** A comparison as component state: a new one whenever other sessions are read. */
import { useMemo, useSyncExternalStore } from "react";
import { type Client, type CombinedError, useClient } from "urql";
import type { CompareWholeQuery } from "../../graphql/generated/graphql";
import { Comparison, type Message, type Page, type Source } from "./comparison";
import { CompareMessages, CompareWhole } from "./compareQueries";
import type { Reading } from "./sides";

const NOTHING: Page = { messages: [], next: null, total: 0 };

export function useComparison(profile: string, maxPageSize: number, left: Reading, right: Reading) {
  const client = useClient();
  const key = JSON.stringify([profile, left.sessions, right.sessions]);
  const comparison = useMemo(
    () => new Comparison(sourceOf(client, profile, maxPageSize, left), sourceOf(client, profile, maxPageSize, right), (a, b) => compareWhole(client, a, b)),
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the readings by value
    [client, key],
  );
  const state = useSyncExternalStore(comparison.subscribe, comparison.getState);
  return { ...state, error: state.error as CombinedError | null, key, loadMore: comparison.loadMore, retry: comparison.retry };
}

function sourceOf(client: Client, profile: string, maxPageSize: number, { sessions }: Reading): Source {
  const load = async (id: string, after: string | null, first: number): Promise<Page> => {
    const { data, error } = await client.query(CompareMessages, { id, profile, first, after }, { requestPolicy: "network-only" }).toPromise();
    if (error) throw error;
    const page = data?.session?.messages;
    if (!page) return NOTHING;
    return { messages: page.nodes, next: page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null, total: page.totalCount };
  };
  return { sessions, maxPageSize, load };
}

async function compareWhole(client: Client, left: Message, right: Message): Promise<boolean> {
  const { data, error } = await client.query(CompareWhole, { left: left.nodeId, right: right.nodeId }).toPromise();
  if (error) throw error;
  return contentOf(data?.left) === contentOf(data?.right);
}

const contentOf = (node: CompareWholeQuery["left"] | undefined) => (node && "content" in node ? node.content : undefined);
