/** The stored row of a message, column by column, asked for only when it is wanted. */
import { useQuery } from "urql";
import { CodeBlock } from "../../components/CodeBlock";
import { graphql } from "../../graphql/generated";
import styles from "./MessageArticle.module.css";
import { writeJson } from "./prettyJson";

export const MessageRaw = graphql(`
  query MessageRaw($nodeId: ID!) {
    node(nodeId: $nodeId) {
      __typename
      nodeId
      ... on Message { id raw }
    }
  }
`);

export function RawMessage({ nodeId }: { nodeId: string }) {
  const [{ data, fetching, error }, reload] = useQuery({ query: MessageRaw, variables: { nodeId } });
  if (data?.node?.__typename === "Message") {
    return <CodeBlock text={writeJson(data.node.raw) ?? "This row nests too deep to be shown."} language="json" title={`Stored row ${data.node.id}`} isWrapped />;
  }
  if (fetching) return <p className={styles.note}>Loading the stored row…</p>;
  return (
    <p className={styles.warning}>
      {error?.message ?? "This message is no longer there."}
      <button type="button" className={styles.time} onClick={() => reload({ requestPolicy: "network-only" })}>
        Try again
      </button>
    </p>
  );
}
