/** One message of the transcript: who and when, reasoning folded, text, pictures, and its tool calls. */
import { useClient } from "urql";
import { Icon } from "../../components/Icon";
import { Markdown } from "../../components/Markdown";
import { PictureChip } from "../../components/PictureChip";
import { bytes, dateAndTime, plural, timeOfDay } from "../../lib/format";
import { LongText } from "./LongText";
import styles from "./MessageArticle.module.css";
import { ToolLine } from "./ToolLine";
import { resultText } from "./toolSummary";
import type { Message, MessageItem } from "./transcript";
import { MessagePictures, useFullMessage } from "./useFullMessage";

const VOICES: Record<string, string> = { user: "You", assistant: "Assistant", tool: "Tool result", system: "System" };

export interface Folds {
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
}

interface MessageArticleProps {
  item: MessageItem;
  folds: Folds;
  onLink: () => void;
}

export function MessageArticle({ item, folds, onLink }: MessageArticleProps) {
  const { message, calls, isSameVoice } = item;
  const voice = message.isSummary ? "Summary of what came before" : (VOICES[message.role] ?? message.role);
  return (
    <div className={styles.message} data-role={message.role} data-state={message.state} data-summary={message.isSummary || undefined}>
      {!isSameVoice && (
        <header className={styles.header}>
          <span className={styles.voice}>{voice}</span>
          {message.role === "tool" && message.toolName && <code>{message.toolName}</code>}
          {message.state !== "LIVE" && <span className={styles.badge}>{message.state.toLowerCase()}</span>}
          <button type="button" className={styles.time} onClick={onLink} title={message.timestamp ? `${dateAndTime(message.timestamp)}: link to this message` : "Link to this message"}>
            {message.timestamp ? timeOfDay(message.timestamp) : "no time"}
          </button>
        </header>
      )}
      {message.reasoning && (
        <Fold label="Reasoning" note={plural(message.reasoning.length, "character")} isOpen={folds.isOpen(`${item.key} reasoning`)} onToggle={() => folds.toggle(`${item.key} reasoning`)}>
          <div className={styles.reasoning}>{message.reasoning}</div>
        </Fold>
      )}
      <Text message={message} />
      <Attachments message={message} />
      {calls.length > 0 && (
        <div className={styles.calls}>
          {calls.map((call) => (
            <ToolLine key={call.key} call={call} calledAt={message.timestamp} isOpen={folds.isOpen(call.key)} onToggle={() => folds.toggle(call.key)} />
          ))}
        </div>
      )}
      {message.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          <Icon name="warning" size={12} /> {warning}
        </p>
      ))}
    </div>
  );
}

function Text({ message }: { message: Message }) {
  const full = useFullMessage(message.nodeId, false);
  const text = full.text ?? message.content;
  if (!text) return null;
  const rest = full.rest(message);
  if (message.role === "tool" || rest || full.text !== null) {
    return <LongText label="Text of the message" text={message.role === "tool" ? resultText(text, rest !== undefined) : text} rest={rest} />;
  }
  return <Markdown text={text} />;
}

function Attachments({ message }: { message: Message }) {
  const client = useClient();
  const pictures = message.parts.filter((part) => part.__typename === "ImagePart");
  const others = message.parts.filter((part) => part.__typename === "OtherPart");
  if (pictures.length + others.length === 0) return null;

  const load = async (index: number): Promise<string | null> => {
    const { data } = await client.query(MessagePictures, { nodeId: message.nodeId });
    if (data?.node?.__typename !== "Message") return null;
    const loaded = data.node.pictures.filter((part) => part.__typename === "ImagePart")[index];
    return loaded?.url ?? null;
  };
  return (
    <div className={styles.attachments}>
      {pictures.map(({ mediaType, bytes: size }, index) => (
        <PictureChip key={index} label={[mediaType ?? "picture", size !== null && bytes(size)].filter(Boolean).join(" · ")} load={() => load(index)} />
      ))}
      {others.map(({ type }, index) => (
        <span key={index} className={styles.badge}>
          {type ?? "other part"}
        </span>
      ))}
    </div>
  );
}

interface FoldProps {
  label: string;
  note: string;
  isOpen: boolean;
  onToggle: () => void;
  children: React.ReactNode;
}

function Fold({ label, note, isOpen, onToggle, children }: FoldProps) {
  return (
    <div>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onToggle}>
        <Icon name={isOpen ? "down" : "chevron"} size={12} />
        {label} <span className={styles.note}>{note}</span>
      </button>
      {isOpen && children}
    </div>
  );
}
