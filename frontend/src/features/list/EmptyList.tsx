/** A list without a row: names the filters that emptied it, and offers to drop each alone. */
import type { ListView } from "../../lib/view";
import styles from "./ConversationList.module.css";
import { narrowings } from "./ledger";

interface EmptyListProps {
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function EmptyList({ list, onChange }: EmptyListProps) {
  const filters = narrowings(list);
  return (
    <div className={styles.empty} role="status">
      <p className={styles.emptyTitle}>No conversation {filters.length > 0 ? "matches" : "here yet"}</p>
      {filters.length > 0 && <p>The list is narrowed. Drop one of:</p>}
      {filters.map(({ name, drop }) => (
        <button key={name} type="button" className={styles.drop} onClick={() => onChange(drop)}>
          {name}
        </button>
      ))}
    </div>
  );
}
