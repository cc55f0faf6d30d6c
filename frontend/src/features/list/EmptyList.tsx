/** A list without a row: names the filters that emptied it, and offers to drop each alone. */
import styles from "../../components/ListRegion.module.css";
import type { ListView } from "../../lib/view";
import { narrowings } from "./ledger";

interface EmptyListProps {
  list: ListView;
  /** Whether any conversation is there that the list leaves out. */
  hidesSome: boolean;
  /** Whether a profile could not be read: then nobody knows what is there. */
  hasFailed: boolean;
  onChange: (change: Partial<ListView>) => void;
}

export function EmptyList({ list, hidesSome, hasFailed, onChange }: EmptyListProps) {
  const filters = hidesSome ? narrowings(list) : [];
  return (
    <div className={styles.empty} role="status">
      <p className={styles.emptyTitle}>{title(filters.length > 0, hasFailed)}</p>
      {!hidesSome && !hasFailed && <p>Hermes keeps them here as soon as it is used.</p>}
      {filters.length > 0 && <p>The list is narrowed. Drop one of:</p>}
      {filters.map(({ name, drop }) => (
        <button key={name} type="button" className={styles.drop} onClick={() => onChange(drop)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function title(isNarrowed: boolean, hasFailed: boolean): string {
  if (isNarrowed) return "No conversation matches";
  return hasFailed ? "Nothing could be read" : "No conversation here yet";
}
