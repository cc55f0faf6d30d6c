/** Follows what is open while the agent writes it: how many messages have come that nobody has seen yet. */
import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { pipe, subscribe } from "wonka";
import { graphql } from "../../graphql/generated";
import type { OpenView } from "../../lib/view";

const MessageStream = graphql(`
  subscription MessageStream($id: ID!, $profile: String!) {
    messageStream(id: $id, profile: $profile) {
      message { nodeId }
    }
  }
`);

interface Tail {
  /** Followed from now on: what came between the page and this moment nobody will tell. */
  onBegin: () => void;
  /** Something may have come: in any case after a break, when nobody was told. */
  onMore: () => void;
  /** Whether the last message is in sight. */
  isAtEnd: boolean;
}

export function useTail({ id, profile }: Pick<OpenView, "id" | "profile">, { onBegin, onMore, isAtEnd }: Tail): number {
  const client = useClient();
  const [unseen, setUnseen] = useState(0);
  const latest = useRef({ onBegin, onMore });
  useEffect(() => {
    latest.current = { onBegin, onMore };
  });
  useEffect(() => {
    let hasBegun = false;
    const { unsubscribe } = pipe(
      client.subscription(MessageStream, { id, profile }),
      subscribe(({ data }) => {
        if (!data) return;
        const isNew = data.messageStream.message !== null;
        if (isNew) setUnseen((count) => count + 1);
        if (isNew || hasBegun) latest.current.onMore();
        else latest.current.onBegin();
        hasBegun = true;
      }),
    );
    return unsubscribe;
  }, [client, id, profile]);
  if (isAtEnd && unseen > 0) setUnseen(0);
  return unseen;
}
