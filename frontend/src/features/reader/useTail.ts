/** Follows what is open while the agent writes it: how many messages have come that nobody has seen yet. */
import { useEffect, useRef, useState } from "react";
import { type CombinedError, useClient } from "urql";
import { pipe, subscribe } from "wonka";
import { graphql } from "../../graphql/generated";
import type { OpenView } from "../../lib/view";
import type { ReadUpTo } from "./useTranscriptWindow";

const MessageStream = graphql(`
  subscription MessageStream($id: ID!, $profile: String!, $after: String) {
    messageStream(id: $id, profile: $profile, after: $after) {
      message { nodeId session { nodeId } }
      resumeCursor
      complete
    }
  }
`);

interface Tail {
  /** What the page itself has read: what comes behind that is told, be it from before the socket opened. Null: not yet. */
  read: ReadUpTo | null;
  /** Something may have come: in any case after a break. */
  onMore: () => void;
  /** The store is another one: what was read is to be read again, and is followed from there. */
  onReplaced: () => void;
  /** Whether the last message is in sight. */
  isAtEnd: boolean;
}

export function useTail({ id, profile }: Pick<OpenView, "id" | "profile">, { read, onMore, onReplaced, isAtEnd }: Tail): number {
  const client = useClient();
  const [unseen, setUnseen] = useState(0);
  const [from, setFrom] = useState(read);
  const [lost, setLost] = useState<string | null>(null);
  if (from === null && read !== null && (lost === null || read.cursor !== lost)) setFrom(read);
  const latest = useRef({ onMore, onReplaced });
  useEffect(() => {
    latest.current = { onMore, onReplaced };
  });
  useEffect(() => {
    if (from === null) return undefined;
    let hasBegun = false;
    const { unsubscribe } = pipe(
      client.subscription(MessageStream, { id, profile, after: from.cursor }),
      subscribe(({ data, error }) => {
        if (isOfAnotherStore(error)) {
          setLost(from.cursor);
          setFrom(null);
          setUnseen(0);
          latest.current.onReplaced();
        }
        if (!data) return;
        const { message, complete } = data.messageStream;
        const isNew = message !== null && (from.session === null || message.session.nodeId === from.session);
        if (isNew) setUnseen((count) => count + 1);
        if (isNew || (message === null && (hasBegun || !complete))) latest.current.onMore();
        hasBegun = true;
      }),
    );
    return unsubscribe;
  }, [client, id, profile, from]);
  if (isAtEnd && unseen > 0) setUnseen(0);
  return unseen;
}

const isOfAnotherStore = (error: CombinedError | undefined) => error?.graphQLErrors.some(({ extensions }) => extensions.reason === "STORE_REPLACED") ?? false;
