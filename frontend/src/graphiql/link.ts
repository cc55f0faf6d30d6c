/** What an address of GraphiQL says: `/graphiql?profile=NAME#query=…&variables=…`. */
export interface Tab {
  query: string;
  /** JSON text, or nothing. */
  variables: string;
}

export interface GraphiQLLink {
  /** The profile of the requests; null for the server's default. */
  profile: string | null;
  /** The tab to open. */
  tab: Tab | null;
}

/** Reads the address. Takes the query out of it, so that a reload keeps what was made of it since. */
export function takeLinkFromAddress(): GraphiQLLink {
  const { pathname, search, hash } = window.location;
  const profile = new URLSearchParams(search).get("profile");
  const fragment = new URLSearchParams(hash.slice(1));
  const query = fragment.get("query");
  if (query === null) return { profile, tab: null };
  window.history.replaceState(window.history.state, "", pathname + search);
  return { profile, tab: { query, variables: fragment.get("variables") ?? "" } };
}
