/** Says that messages have come below what is read, and leads to them. The reader itself is never moved. */
import { count, plural } from "../../lib/format";
import styles from "./Reader.module.css";

export function NewMessages({ count: many, onGo }: { count: number; onGo: () => void }) {
  return (
    <div className={styles.news} role="status">
      {many > 0 && (
        <button type="button" aria-label={`${plural(many, "new message")}: go to the end`} onClick={onGo}>
          {count(many)} new <span aria-hidden="true">↓</span>
        </button>
      )}
    </div>
  );
}
