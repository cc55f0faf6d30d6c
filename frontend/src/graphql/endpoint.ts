/** Where the API is: requests by POST, subscriptions by WebSocket. */
export const ENDPOINT = "/graphql";
