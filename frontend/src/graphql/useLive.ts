/** What goes on in the stores while a view is looked at: when to ask again, and whether one would be told. */
import { createContext, useCallback, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { useClient } from "urql";
import { pipe, subscribe } from "wonka";
import { graphql } from "./generated";
import { type Connection, LiveSocket } from "./live";
import { Pace } from "./pace";

const StoreChanges = graphql(`
  subscription StoreChanges($profile: String!) {
    sessionChanges(profile: $profile) { kind sessionId }
  }
`);

export const LiveContext = createContext(new LiveSocket());

/** A call that is made at most once in `pace` milliseconds, and only while the page is in sight. */
export function usePaced(pace: number, run: () => void): () => void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const paced = useRef<Pace | null>(null);
  useEffect(() => {
    const made = new Pace(pace, () => latest.current());
    paced.current = made;
    return made.stop;
  }, [pace]);
  return useCallback(() => paced.current?.call(), []);
}

export function useConnection(): Connection {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live.subscribe, live.getConnection);
}

/**
 * Calls back when sessions of these profiles have changed, at most once in `pace` milliseconds and only while the page
 * is in sight. Also after the socket has been away: what happened meanwhile was not told.
 */
export function useStoreChanges(profiles: readonly string[], pace: number, onChange: () => void): void {
  const client = useClient();
  const call = usePaced(pace, onChange);
  const key = JSON.stringify(profiles);
  useEffect(() => {
    const ends = (JSON.parse(key) as string[]).map(
      (profile) => pipe(client.subscription(StoreChanges, { profile }), subscribe(({ data }) => data && call())).unsubscribe,
    );
    return () => ends.forEach((end) => end());
  }, [client, key, call]);
}
