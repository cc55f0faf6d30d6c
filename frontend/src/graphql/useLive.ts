/** What goes on in the stores while a view is looked at: when to ask again, and whether one would be told. */
import { createContext, useCallback, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { type Client, useClient } from "urql";
import { pipe, subscribe } from "wonka";
import { graphql } from "./generated";
import { type Connection, LiveSocket } from "./live";
import { Pace } from "./pace";

const StoreChanges = graphql(`
  subscription StoreChanges($profile: String!) {
    sessionChanges(profile: $profile) { kind sessionId }
  }
`);

const TRY_AGAIN = 5_000;

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
 * is in sight; where it gives a promise, not again before that has ended: a question that is asked twice at a time is
 * answered once. Also after the socket has been away: what happened meanwhile was not told.
 */
export function useStoreChanges(profiles: readonly string[], pace: number, onChange: () => Promise<unknown> | void): void {
  const client = useClient();
  const call = usePaced(pace, onChange);
  const key = JSON.stringify(profiles);
  useEffect(() => {
    const ends = (JSON.parse(key) as string[]).map((profile) => follow(client, profile, call));
    return () => ends.forEach((end) => end());
  }, [client, key, call]);
}

/** A store that cannot be read ends what follows it: that begins anew, so that it is noticed when the store is sound again. */
function follow(client: Client, profile: string, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (() => void) | undefined;
  const start = () => {
    end?.();
    end = pipe(
      client.subscription(StoreChanges, { profile }),
      subscribe(({ data, error }) => {
        if (data) onChange();
        else if (error) {
          clearTimeout(timer);
          timer = setTimeout(start, TRY_AGAIN);
        }
      }),
    ).unsubscribe;
  };
  start();
  return () => {
    clearTimeout(timer);
    end?.();
  };
}
