/** Stays over the transcript while an answer is read: the prompt that it answers, a click away. */
import { Icon } from "../../components/Icon";
import { timeOfDay } from "../../lib/format";
import styles from "./Transcript.module.css";
import type { Item } from "./transcript";

export function TurnBar({ item, onGo }: { item: Item | undefined; onGo: () => void }) {
  if (item?.type !== "message") return null;
  const { content, timestamp } = item.message;
  return (
    <button type="button" className={styles.turn} onClick={onGo} title="Back to this prompt">
      <Icon name="up" size={12} />
      <span className={styles.prompt}>{content?.trim().split("\n", 1)[0] || "Prompt without text"}</span>
      {timestamp && <span>{timeOfDay(timestamp)}</span>}
    </button>
  );
}
