/** The one way to the API: POST /graphql with the token, through the normalised cache; what is followed comes by the live socket. */
import { Client, type CombinedError, composeExchanges, type Exchange, fetchExchange, mapExchange, type Operation, subscriptionExchange } from "urql";
import { filter, merge, pipe, share } from "wonka";
import { authorization } from "../lib/token";
import { createCache } from "./cache";
import { ENDPOINT } from "./endpoint";
import type { LiveSocket } from "./live";
import { toProblem } from "./problem";

const isUncached = ({ context }: Operation): boolean => context.uncached === true;

/** Takes the operations that ask for it past the cache, where a long transcript that is read through would stay. */
const pastTheCache =
  (exchange: Exchange): Exchange =>
  (input) => {
    const fetched = exchange({ ...input, forward: filter(() => false) as never });
    return (operations) => {
      const shared = share(operations);
      return merge([pipe(shared, filter(isUncached), fetched), pipe(shared, filter((operation) => !isUncached(operation)), input.forward)]);
    };
  };

/** A client that tells when the server refuses its token. */
export function createApiClient(live: LiveSocket, onRefused: () => void): Client {
  const watch = (error: CombinedError) => {
    if (toProblem(error).code === "UNAUTHENTICATED") onRefused();
  };
  return new Client({
    url: ENDPOINT,
    preferGetMethod: false,
    exchanges: [
      pastTheCache(composeExchanges([mapExchange({ onError: watch }), fetchExchange])),
      createCache(),
      mapExchange({ onError: watch }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: live.forward }),
    ],
    fetchOptions: () => ({ headers: authorization(), credentials: "same-origin" }),
  });
}
