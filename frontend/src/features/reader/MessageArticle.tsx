/** One message of the transcript: who and when, reasoning folded, text, pictures, and its tool calls. */
import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import { Markdown } from "../../components/Markdown";
import { Visible } from "../../components/Visible";
import { dateAndTime, plural, timeOfDay } from "../../lib/format";
import { Attachments } from "./Attachments";
import { LongText } from "./LongText";
import styles from "./MessageArticle.module.css";
import { MessageMenu } from "./MessageMenu";
import { RawMessage } from "./RawMessage";
import { ToolBody } from "./ToolBody";
import { ToolLine } from "./ToolLine";
import type { Message, MessageItem } from "./transcript";
import { useFullMessage } from "./useFullMessage";
import { voiceOf } from "./voices";

export interface Folds {
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
}

interface MessageArticleProps {
  item: MessageItem;
  folds: Folds;
  onLink: () => void;
}

/** Longer texts are read as they are: a browser lays out no novel of paragraphs in a moment. */
const LONGEST_MARKDOWN = 64_000;
/** Why a model stopped, where that is not because it was done. */
const CUT_SHORT = new Map([
  ["length", "The answer ends here because the model reached its limit."],
  ["max_tokens", "The answer ends here because the model reached its limit."],
  ["content_filter", "The provider's filter ended this answer."],
]);

export function MessageArticle({ item, folds, onLink }: MessageArticleProps) {
  const { message, calls, isSameVoice } = item;
  const rawKey = `${item.key} raw`;
  const reasoningKey = `${item.key} reasoning`;
  const stop = CUT_SHORT.get(message.finishReason ?? "");
  const notes = stop ? [...message.warnings, stop] : message.warnings;
  return (
    <div className={styles.message} data-role={message.role} data-state={message.state} data-summary={message.isSummary || undefined}>
      <MessageMenu message={message} calls={calls} isRaw={folds.isOpen(rawKey)} onRaw={() => folds.toggle(rawKey)} />
      {!isSameVoice && <Header message={message} onLink={onLink} />}
      {message.reasoning && (
        <Fold label="Reasoning" note={plural(message.reasoning.length, "character")} isOpen={folds.isOpen(reasoningKey)} onToggle={() => folds.toggle(reasoningKey)}>
          <div className={styles.reasoning}>
            <Prose text={message.reasoning} label="Reasoning" />
          </div>
        </Fold>
      )}
      {message.role === "tool" ? <LoneResult message={message} /> : <Text message={message} />}
      <Attachments message={message} />
      {calls.length > 0 && (
        <div className={styles.calls}>
          {calls.map((call) => (
            <ToolLine key={call.key} call={call} caller={message} isOpen={folds.isOpen(call.key)} onToggle={() => folds.toggle(call.key)} />
          ))}
        </div>
      )}
      {notes.map((warning) => (
        <p key={warning} className={styles.warning}>
          <Icon name="warning" size={12} /> <Visible text={warning} where="code" />
        </p>
      ))}
      {folds.isOpen(rawKey) && <RawMessage nodeId={message.nodeId} />}
    </div>
  );
}

function Header({ message, onLink }: { message: Message; onLink: () => void }) {
  const { timestamp, state } = message;
  return (
    <header className={styles.header}>
      <span className={styles.voice}>
        <Visible text={voiceOf(message)} where="code" />
      </span>
      {message.role === "tool" && message.toolName && (
        <code>
          <Visible text={message.toolName} where="code" />
        </code>
      )}
      {message.isError && <span className={styles.failed}>failed</span>}
      {state !== "LIVE" && (
        <span className={styles.badge} title={state === "COMPACTED" ? "The agent no longer sees this message: a summary stands for it" : "This message was taken back"}>
          {state.toLowerCase()}
        </span>
      )}
      <button type="button" className={styles.time} onClick={onLink} title={timestamp ? `${dateAndTime(timestamp)}: link to this message` : "Link to this message"}>
        {timestamp ? timeOfDay(timestamp) : "no time"}
      </button>
    </header>
  );
}

function Text({ message }: { message: Message }) {
  const full = useFullMessage(message.nodeId, message);
  const text = full.text ?? message.content;
  const { rest } = full;
  if (!text && !rest) return null;
  return rest ? <LongText label="Text of the message" text={text ?? ""} end={full.end} rest={rest} /> : <Prose text={text ?? ""} label="Text of the message" />;
}

const Prose = ({ text, label }: { text: string; label: string }) =>
  text.length > LONGEST_MARKDOWN ? <LongText label={label} text={text} /> : <Markdown text={text} />;

/** A result whose call is not there, or not on this page. */
function LoneResult({ message }: { message: Message }) {
  const call = { key: message.nodeId, name: message.toolName ?? "tool", argumentsText: null, result: message, resultId: message.nodeId, answer: message };
  return (
    <div className={styles.calls}>
      <ToolBody call={call} caller={message} />
    </div>
  );
}

interface FoldProps {
  label: string;
  note: string;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
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
