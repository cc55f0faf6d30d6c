/** GraphiQL's way to the API: /graphql for one profile, with the token, by POST or, for subscriptions, by WebSocket. */
import { createGraphiQLFetcher, type Fetcher } from "@graphiql/toolkit";
import { createClient } from "graphql-ws";
import { authorization } from "../lib/token";

const endpoint = (profile: string | null) => `/graphql${profile ? `?profile=${encodeURIComponent(profile)}` : ""}`;

function withToken(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(authorization())) headers.set(name, value);
  return headers;
}

function socketTo(path: string): string {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

/** A request that the server refuses waits until `askForToken` has one, and is sent again. */
export function createFetcher(profile: string | null, askForToken: () => Promise<void>): Fetcher {
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, headers: withToken(init?.headers) });
    if (response.status !== 401) return response;
    await askForToken();
    return send(input, init);
  };
  const url = endpoint(profile);
  // A connection that breaks is shown: to begin anew without a cursor would leave out what happened meanwhile.
  const wsClient = createClient({ url: socketTo(url), connectionParams: authorization, retryAttempts: 0 });
  return createGraphiQLFetcher({ url, enableIncrementalDelivery: false, fetch: send, wsClient });
}
