/** Finds words in the whole transcript, from hit to hit. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Icon } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { useTyped } from "../../components/useTyped";
import { count as inWords } from "../../lib/format";
import styles from "./ReaderBar.module.css";
import type { Finding } from "./useFind";

export function FindBar({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { text, setText, inReasoning, setInReasoning, step, index, count, isLoading } = finding;
  const { typed, setTyped, sendNow } = useTyped(text, setText);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key !== "Enter") return;
    else if (typed === text) step(event.shiftKey ? -1 : 1);
    else sendNow();
    event.preventDefault();
  };
  const found = count === 0 ? "nothing found" : `${index === null ? "–" : index + 1} of ${inWords(count)}`;
  return (
    <search className={styles.find}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        className={styles.input}
        value={typed}
        placeholder={`Find in all messages${inReasoning ? ", reasoning" : ""} and tool calls`}
        aria-label="Find in the transcript"
        onKeyDown={onKeyDown}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className={styles.count} role="status">
        {text !== "" && (isLoading ? "…" : found)}
      </span>
      <IconButton icon="thought" label="Find in reasoning, too" aria-pressed={inReasoning} onClick={() => setInReasoning(!inReasoning)} />
      <IconButton icon="up" label="Previous hit" disabled={count === 0} onClick={() => step(-1)} />
      <IconButton icon="down" label="Next hit" disabled={count === 0} onClick={() => step(1)} />
      <IconButton icon="close" label="Close find" onClick={onClose} />
    </search>
  );
}
