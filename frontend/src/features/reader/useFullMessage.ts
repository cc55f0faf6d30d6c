/** More of a message than its page brought: the rest of a long text, or a result that stands on another page. */
import { useState } from "react";
import { useQuery } from "urql";
import { graphql } from "../../graphql/generated";
import type { Message } from "./transcript";

const FullMessage = graphql(`
  query FullMessage($nodeId: ID!, $maxBytes: Int!) {
    node(nodeId: $nodeId) {
      __typename
      nodeId
      ... on Message {
        whole: content(maxBytes: $maxBytes)
        contentBytes
      }
    }
  }
`);

export const MessagePictures = graphql(`
  query MessagePictures($nodeId: ID!) {
    node(nodeId: $nodeId) {
      __typename
      nodeId
      ... on Message {
        pictures: parts { __typename ... on ImagePart { url } }
      }
    }
  }
`);

/** As much as the dashboard shows of one message, in bytes. */
const MOST = 1_048_576;

export interface Rest {
  bytes: number;
  isLoading: boolean;
  /** Null when no more of it is shown. */
  load: (() => void) | null;
}

export function useFullMessage(nodeId: string, isWanted: boolean) {
  const [isAsked, setAsked] = useState(false);
  const [{ data, fetching, error }] = useQuery({
    query: FullMessage,
    variables: { nodeId, maxBytes: MOST },
    pause: !isAsked && !isWanted,
  });
  const node = data?.node;
  const text = node?.__typename === "Message" ? node.whole : null;

  /** What is still missing of a text that its page brought cut; nothing when it is whole by now. */
  const rest = (message: Message | null): Rest | undefined => {
    const bytes = node?.__typename === "Message" ? node.contentBytes : (message?.contentBytes ?? 0);
    const isCut = text === null ? message?.contentTruncated === true : bytes > MOST;
    return isCut ? { bytes, isLoading: fetching, load: text === null ? () => setAsked(true) : null } : undefined;
  };
  return { text, isLoading: fetching, error, rest };
}
