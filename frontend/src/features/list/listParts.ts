/** Whom a selection means, profile by profile, as the API takes it. */
import type { Client } from "urql";
import type { Change, Part } from "../../components/bulkChanges";
import type { ConversationListQueryVariables } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { ListIds, PAGE_SIZE } from "./listQuery";
import type { Selectable, Selection } from "./selection";

type ListVariables = Pick<ConversationListQueryVariables, "profiles" | "filter">;
type Named = Pick<Selectable, "nodeId" | "id" | "profile">;

/** One filter where everything of one profile is meant, else ids. `change` is null where nothing is going to be changed. */
export async function partsOf(client: Client, selection: Selection, variables: ListVariables, change: Change | null): Promise<Part[]> {
  if (!selection.all) return byProfile([...selection.picks.values()]);
  const [profile, ...others] = [variables.profiles ?? []].flat();
  const { filter } = variables;
  if (change && profile !== undefined && others.length === 0 && selection.picks.size === 0 && filter) {
    const archived = change === "bringBack" ? "ONLY" : filter.archived;
    return [{ profile, filter: { ...filter, archived } }];
  }
  const all = await everyone(client, variables);
  return byProfile(all.filter(({ nodeId }) => !selection.picks.has(nodeId)));
}

function byProfile(all: readonly Named[]): Part[] {
  const ids = new Map<string, string[]>();
  for (const { id, profile } of all) {
    const of = ids.get(profile.name) ?? [];
    of.push(id);
    ids.set(profile.name, of);
  }
  return [...ids].map(([profile, of]) => ({ profile, ids: of }));
}

async function everyone(client: Client, variables: ListVariables, size = PAGE_SIZE, after?: string): Promise<Named[]> {
  const { data, error } = await client.query(ListIds, { ...variables, first: size, after }, { requestPolicy: "network-only" });
  if (error) throw new Error(toProblem(error).message);
  const nodes = data?.conversations?.edges.map(({ node }) => node) ?? [];
  const { hasNextPage, endCursor } = data?.conversations?.pageInfo ?? {};
  if (!hasNextPage || !endCursor) return nodes;
  return [...nodes, ...(await everyone(client, variables, data?.server.maxPageSize, endCursor))];
}
