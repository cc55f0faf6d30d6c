/** More of a message than its page brought: the rest of a long text, or a result that stands on another page. */
import { useState } from "react";
import { useQuery } from "urql";
import { graphql } from "../../graphql/generated";

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

const MOST = 1_048_576;

export function useFullMessage(nodeId: string, isWanted: boolean) {
  const [isAsked, setAsked] = useState(false);
  const [{ data, fetching, error }] = useQuery({
    query: FullMessage,
    variables: { nodeId, maxBytes: MOST },
    pause: !isAsked && !isWanted,
  });
  const node = data?.node;
  const text = node?.__typename === "Message" ? node.whole : null;
  return { text, isLoading: fetching, error, load: () => setAsked(true) };
}
