/** A message of a comparison: who, when, its text with the words that only this side has, and its tool calls. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { Markdown } from "../../components/Markdown";
import { bytes, dateAndTime, timeOfDay } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import styles from "./Compare.module.css";
import type { Message } from "./comparison";
import type { Word } from "./words";

const SHORT = 3_000;
const ROLES: Record<string, string> = { user: "You", assistant: "Assistant", system: "System" };

interface MessageCellProps {
  message: Message;
  profile: string;
  /** The side; none for what both have. */
  name?: string;
  words?: Word[] | undefined;
  isSame?: boolean;
}

export function MessageCell({ message, profile, name, words, isSame = false }: MessageCellProps) {
  const { view } = useView();
  const { role, timestamp, session, id, isSummary, state, content } = message;
  const there = changeView(view, { open: { type: "session", profile, id: session.id, message: id } });
  const isTool = role === "tool";
  return (
    <div className={styles.message} data-role={isSummary ? "summary" : role}>
      <p className={styles.author}>
        {name && <span className={styles.side}>{name}</span>}
        <strong>{isTool ? `Result of ${message.toolName ?? "a tool"}` : isSummary ? "Summary" : (ROLES[role] ?? role)}</strong>
        {state === "COMPACTED" && <span>compacted</span>}
        {isSame && <span>the same</span>}
        <Link {...toLocation(there)} className={styles.time} title={`Open the message${timestamp ? ` of ${dateAndTime(timestamp)}` : ""}`}>
          {timestamp ? timeOfDay(timestamp) : "open"}
        </Link>
      </p>
      {isTool ? <ToolResult message={message} /> : content && <Text message={message} text={content} words={words} />}
      {message.toolCalls.map((call, index) => (
        <p key={call.id ?? index} className={styles.call} title={call.argumentsText ?? undefined}>
          <Icon name="tool" size={12} /> <strong>{call.name ?? "tool"}</strong> <code>{call.argumentsText?.slice(0, 400)}</code>
        </p>
      ))}
    </div>
  );
}

function Text({ message, text, words }: { message: Message; text: string; words: Word[] | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHORT;
  const isWhole = !isLong || isOpen;
  const shown = isWhole ? text : `${text.slice(0, SHORT)}…`;
  const size = bytes(message.contentBytes);
  return (
    <>
      {words && isWhole ? (
        <p className={styles.text}>
          <Marked words={words} />
        </p>
      ) : message.role === "assistant" ? (
        <div className={styles.rich}>
          <Markdown text={shown} />
        </div>
      ) : (
        <p className={styles.text}>{shown}</p>
      )}
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show more of ${size}`}
        </button>
      )}
      {message.contentTruncated && isWhole && <p className={styles.cut}>The first 16 kB of {size}; open the message to read it whole.</p>}
    </>
  );
}

const Marked = ({ words }: { words: Word[] }) => words.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>));

/** Folded: what tools say is seldom what a comparison is about. */
function ToolResult({ message: { content, contentBytes, contentTruncated } }: { message: Message }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.result} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "down" : "chevron"} size={12} />
        <code>{content?.slice(0, 200) || "(empty)"}</code>
        <span>{bytes(contentBytes)}</span>
      </button>
      {isOpen && (
        <pre className={styles.output}>
          {content}
          {contentTruncated && "…"}
        </pre>
      )}
    </>
  );
}
