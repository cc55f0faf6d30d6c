/** GraphiQL's way to the API: POST /graphql for one profile, with the token. */
import { createGraphiQLFetcher, type Fetcher } from "@graphiql/toolkit";
import { authorization } from "../lib/token";

const endpoint = (profile: string | null) => `/graphql${profile ? `?profile=${encodeURIComponent(profile)}` : ""}`;

function withToken(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(authorization())) headers.set(name, value);
  return headers;
}

/** A request that the server refuses waits until `askForToken` has one, and is sent again. */
export function createFetcher(profile: string | null, askForToken: () => Promise<void>): Fetcher {
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, headers: withToken(init?.headers) });
    if (response.status !== 401) return response;
    await askForToken();
    return send(input, init);
  };
  return createGraphiQLFetcher({ url: endpoint(profile), enableIncrementalDelivery: false, fetch: send });
}
