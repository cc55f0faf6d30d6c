/** GraphiQL's way to the API: POST /graphql for one profile, with the token. */
import { createGraphiQLFetcher, type Fetcher } from "@graphiql/toolkit";
import { authorization } from "../lib/token";

const endpoint = (profile: string | null) => `/graphql${profile ? `?profile=${encodeURIComponent(profile)}` : ""}`;

/** Headers that somebody wrote in GraphiQL go before the token. */
function withToken(given: HeadersInit | undefined): Headers {
  const headers = new Headers(authorization());
  for (const [name, value] of new Headers(given)) headers.set(name, value);
  return headers;
}

/** A fetcher that tells when the server refuses its token. */
export function createFetcher(profile: string | null, onRefused: () => void): Fetcher {
  return createGraphiQLFetcher({
    url: endpoint(profile),
    enableIncrementalDelivery: false,
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, headers: withToken(init?.headers) });
      if (response.status === 401) onRefused();
      return response;
    },
  });
}
