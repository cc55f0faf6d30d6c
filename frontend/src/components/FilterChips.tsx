/** The filters that hold, in words, each gone with a click. */
import { Icon } from "./Icon";
import styles from "./FilterChips.module.css";

/** A filter that holds at the moment, with the change that drops just that one. */
export interface Narrowing<Change> {
  name: string;
  drop: Change;
}

interface FilterChipsProps<Change> {
  filters: readonly Narrowing<Change>[];
  onChange: (change: Change) => void;
}

export function FilterChips<Change>({ filters, onChange }: FilterChipsProps<Change>) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.filters} aria-label="Active filters">
      {filters.map(({ name, drop }) => (
        <li key={name}>
          <button type="button" className={styles.filter} title={`Drop ${name}`} onClick={() => onChange(drop)}>
            <span>{name}</span>
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
