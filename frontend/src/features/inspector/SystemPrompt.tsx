/** The system prompt, folded: it may be very long and is asked for when it is unfolded. */
import { useState } from "react";
import { useQuery } from "urql";
import { Icon } from "../../components/Icon";
import { toProblem } from "../../graphql/problem";
import styles from "./Inspector.module.css";
import { SystemPromptOf } from "./inspectorQueries";
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
  const [{ data, error }, reload] = useQuery({ query: SystemPromptOf, variables: { id, profile } });
  if (error && !data?.session) {
    return (
      <p className={styles.note} role="alert">
        {toProblem(error).message}{" "}
        <button type="button" className={styles.link} onClick={() => reload({ requestPolicy: "network-only" })}>
          Try again
        </button>
      </p>
    );
  }
  if (!data) return <p className={styles.note}>Loading the system prompt…</p>;
  return <RawText name="systemPrompt" text={data.session?.systemPrompt ?? null} />;
}
