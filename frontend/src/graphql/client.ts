/** The one way to the API: POST /graphql with the token, through the normalised cache; what is followed comes by the live socket. */
import { Client, type CombinedError, fetchExchange, mapExchange, subscriptionExchange } from "urql";
import { authorization } from "../lib/token";
import { createCache } from "./cache";
import { ENDPOINT } from "./endpoint";
import type { LiveSocket } from "./live";
import { toProblem } from "./problem";

/** A client that tells when the server refuses its token. */
export function createApiClient(live: LiveSocket, onRefused: () => void): Client {
  const watch = (error: CombinedError) => {
    if (toProblem(error).code === "UNAUTHENTICATED") onRefused();
  };
  return new Client({
    url: ENDPOINT,
    preferGetMethod: false,
    exchanges: [
      createCache(),
      mapExchange({ onError: watch }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: live.forward }),
    ],
    fetchOptions: () => ({ headers: authorization(), credentials: "same-origin" }),
  });
}
