/** The one way to the API: POST /graphql with the token, through the normalised cache. */
import { Client, type CombinedError, fetchExchange, mapExchange } from "urql";
import { authorization } from "../lib/token";
import { createCache } from "./cache";
import { toProblem } from "./problem";

export const ENDPOINT = "/graphql";

/** A client that tells when the server refuses its token. */
export function createApiClient(onRefused: () => void): Client {
  const watch = (error: CombinedError) => {
    if (toProblem(error).code === "UNAUTHENTICATED") onRefused();
  };
  return new Client({
    url: ENDPOINT,
    preferGetMethod: false,
    exchanges: [createCache(), mapExchange({ onError: watch }), fetchExchange],
    fetchOptions: () => ({ headers: authorization(), credentials: "same-origin" }),
  });
}
