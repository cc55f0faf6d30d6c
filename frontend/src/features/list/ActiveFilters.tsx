/** The filters that hold, in words, each gone with a click. The audience and the text have their own places. */
import { Icon } from "../../components/Icon";
import type { ListView } from "../../lib/view";
import { narrowings } from "./ledger";
import styles from "./ListHeader.module.css";

interface ActiveFiltersProps {
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function ActiveFilters({ list, onChange }: ActiveFiltersProps) {
  const filters = narrowings({ ...list, text: "", audience: "all" });
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
