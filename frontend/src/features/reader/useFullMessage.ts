/** More of a message than its page brought: the rest of a long text, or a result that stands on another page. */
import { useContext, useState } from "react";
import { type Client, useClient, useQuery } from "urql";
import { holds, SoughtContext } from "../../components/sought";
import { graphql } from "../../graphql/generated";
import { saveText } from "../../lib/saveText";
import type { Message } from "./transcript";

const FullMessage = graphql(`
  query FullMessage($nodeId: ID!, $maxBytes: Int!) {
    node(nodeId: $nodeId) {
      __typename
      nodeId
      ... on Message {
        whole: content(maxBytes: $maxBytes)
        end: contentTail(maxBytes: 4096, headBytes: $maxBytes)
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

/** As much as the dashboard shows of one message, and as much as it saves to a file, in bytes. */
const MOST = 1_048_576;
const MOST_SAVED = 64_000_000;

export interface Rest {
  bytes: number;
  isLoading: boolean;
  /** What is looked for stands in what is not shown. */
  hidesFound: boolean;
  /** Null when no more of it is shown. */
  load: (() => void) | null;
  /** Hands out the whole as a file; false when that failed. */
  save: () => Promise<boolean>;
}

/** The whole text of a message, as much as can be handed out; null where it cannot be loaded. */
export async function loadWhole(client: Client, nodeId: string): Promise<string | null> {
  const { data } = await client.query(FullMessage, { nodeId, maxBytes: MOST_SAVED }, { requestPolicy: "network-only" });
  return data?.node?.__typename === "Message" ? data.node.whole : null;
}

/** `message`: as its page brought it, null where none did. More of it comes on a click, or for what is looked for in it. */
export function useFullMessage(nodeId: string, message: Message | null) {
  const client = useClient();
  const sought = useContext(SoughtContext);
  const isSought = sought !== null && sought.message === message?.id;
  const isLacking = isSought && message.contentTruncated && !holds(message.content, sought.words);
  const [isAsked, setAsked] = useState(false);
  if (isLacking && !isAsked) setAsked(true);
  const [{ data, fetching, error }] = useQuery({
    query: FullMessage,
    variables: { nodeId, maxBytes: MOST },
    pause: !isAsked && message !== null,
  });
  const node = data?.node?.__typename === "Message" ? data.node : null;
  const text = node?.whole ?? null;

  const save = async () => {
    const whole = await loadWhole(client, nodeId);
    if (whole !== null) saveText("message.txt", whole);
    return whole !== null;
  };

  /** What is still missing of a text that its page brought cut; nothing when it is whole by now. */
  const rest = (): Rest | undefined => {
    const bytes = node?.contentBytes ?? message?.contentBytes ?? 0;
    const isCut = text === null ? message?.contentTruncated === true : bytes > MOST;
    const hidesFound = isLacking && text !== null && !holds(text, sought.words) && !holds(node?.end, sought.words);
    return isCut ? { bytes, isLoading: fetching, hidesFound, load: text === null ? () => setAsked(true) : null, save } : undefined;
  };
  /** The end of a text that is cut. */
  const end = (): string | null => (text === null ? (message?.contentTail ?? null) : (node?.end ?? null));
  return { text, isLoading: fetching, error, rest: rest(), end: end() };
}
