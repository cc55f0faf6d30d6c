/** What a session's model was told before anything else: folded, and asked for when it is unfolded. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { Sentence } from "../../components/Sentence";
import { useSystemPrompt } from "../../components/systemPrompt";
import { bytes } from "../../lib/format";
import { LongText } from "./LongText";
import styles from "./Transcript.module.css";
import type { Message } from "./transcript";

export function SystemPrompt({ session }: { session: Message["session"] }) {
  const [isOpen, setOpen] = useState(false);
  const { text, problem, retry } = useSystemPrompt(session.id, session.profile.name, isOpen);
  return (
    <div className={styles.system}>
      <button type="button" className={styles.quiet} aria-expanded={isOpen} title={`Of the session ${session.id}`} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "down" : "chevron"} size={12} /> System prompt {text && <span>{bytes(new Blob([text]).size)}</span>}
      </button>
      {isOpen && problem && (
        <p className={styles.failure} role="alert">
          <Sentence text={problem.message} /> <button type="button" onClick={retry}>Try again</button>
        </p>
      )}
      {isOpen && !problem && (text ? <LongText label="System prompt" text={text} /> : <p>{text === undefined ? "Loading…" : "None is stored."}</p>)}
    </div>
  );
}
