/** The system prompt, folded: it is asked for when it is unfolded. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { Sentence } from "../../components/Sentence";
import { useSystemPrompt } from "../../components/systemPrompt";
import styles from "./Inspector.module.css";
import { RawText } from "./RawColumn";

export function SystemPrompt({ id, profile }: { id: string; profile: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.unfold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "down" : "chevron"} size={12} /> System prompt
      </button>
      {isOpen && <Loaded id={id} profile={profile} />}
    </>
  );
}

function Loaded({ id, profile }: { id: string; profile: string }) {
  const { text, problem, retry } = useSystemPrompt(id, profile, true);
  if (problem) {
    return (
      <p className={styles.note} role="alert">
        <Sentence text={problem.message} />{" "}
        <button type="button" className={styles.link} onClick={retry}>
          Try again
        </button>
      </p>
    );
  }
  if (text === undefined) return <p className={styles.note}>Loading the system prompt…</p>;
  return <RawText name="systemPrompt" text={text} />;
}
