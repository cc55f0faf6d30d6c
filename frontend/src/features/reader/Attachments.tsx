/** What a message holds besides text: pictures that come on a click, and parts of other kinds as they are stored. */
import { useState } from "react";
import { useClient } from "urql";
import { CodeBlock } from "../../components/CodeBlock";
import { Icon } from "../../components/Icon";
import { PictureChip } from "../../components/PictureChip";
import { graphql } from "../../graphql/generated";
import { bytes } from "../../lib/format";
import styles from "./MessageArticle.module.css";
import { writeJson } from "./prettyJson";
import type { Message } from "./transcript";
import { MessagePictures } from "./useFullMessage";

const MessageOthers = graphql(`
  query MessageOthers($nodeId: ID!) {
    node(nodeId: $nodeId) {
      __typename
      nodeId
      ... on Message {
        others: parts { __typename ... on OtherPart { type json } }
      }
    }
  }
`);

export function Attachments({ message }: { message: Message }) {
  const client = useClient();
  const pictures = message.parts.filter((part) => part.__typename === "ImagePart");
  const others = message.parts.filter((part) => part.__typename === "OtherPart");
  if (pictures.length + others.length === 0) return null;

  const picture = async (index: number): Promise<string | null> => {
    const { data } = await client.query(MessagePictures, { nodeId: message.nodeId });
    if (data?.node?.__typename !== "Message") return null;
    return data.node.pictures.filter((part) => part.__typename === "ImagePart")[index]?.url ?? null;
  };
  const other = async (index: number): Promise<string | null> => {
    const { data } = await client.query(MessageOthers, { nodeId: message.nodeId });
    if (data?.node?.__typename !== "Message") return null;
    const part = data.node.others.filter((each) => each.__typename === "OtherPart")[index];
    return part ? writeJson(part.json) : null;
  };
  return (
    <div className={styles.attachments}>
      {pictures.map(({ mediaType, bytes: size }, index) => (
        <PictureChip key={index} label={[mediaType ?? "picture", size !== null && bytes(size)].filter(Boolean).join(" · ")} load={() => picture(index)} />
      ))}
      {others.map(({ type }, index) => (
        <OtherChip key={index} type={type ?? "part without a type"} load={() => other(index)} />
      ))}
    </div>
  );
}

function OtherChip({ type, load }: { type: string; load: () => Promise<string | null> }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState<string | null>();
  const toggle = async () => {
    setOpen(!isOpen);
    if (text === undefined) setText(await load());
  };
  return (
    <>
      <button type="button" className={styles.chip} aria-expanded={isOpen} onClick={() => void toggle()}>
        <Icon name="code" size={13} />
        {type}
      </button>
      {isOpen && text !== undefined && (
        <div className={styles.part}>{text === null ? "This part cannot be shown." : <CodeBlock text={text} language="json" title={type} isWrapped />}</div>
      )}
    </>
  );
}
