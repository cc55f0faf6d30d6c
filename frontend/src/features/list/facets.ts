/** The values to filter by, with how many conversations each would leave. */
import type { ListFacetsQuery } from "../../graphql/generated/graphql";
import type { ListView } from "../../lib/view";

export interface FacetValue {
  value: string;
  count: number;
}

export interface Facets {
  audiences: Record<ListView["audience"], number>;
  sources: FacetValue[];
  models: FacetValue[];
  workspaces: FacetValue[];
}

export function toFacets(answer: ListFacetsQuery | undefined): Facets | null {
  const facets = answer?.conversations?.facets;
  if (!facets) return null;
  const of = (audience: string) => facets.audiences.find(({ value }) => value.toUpperCase() === audience)?.count ?? 0;
  const [chats, automation] = [of("CHATS"), of("AUTOMATION")];
  const { sources, models, workspaces } = facets;
  return { audiences: { chats, automation, all: chats + automation }, sources, models, workspaces };
}
