/** Between which days hits have to lie, both of them included. */
import type { ListView } from "../../lib/view";
import styles from "./SearchHeader.module.css";

interface DaysProps {
  from: string | null;
  until: string | null;
  onChange: (change: Partial<ListView>) => void;
}

export function Days({ from, until, onChange }: DaysProps) {
  return (
    <div className={styles.days}>
      <label className={styles.day}>
        From
        <input type="date" value={from ?? ""} max={until ?? undefined} onChange={(event) => onChange({ findFrom: event.target.value || null })} />
      </label>
      <label className={styles.day}>
        Until
        <input type="date" value={until ?? ""} min={from ?? undefined} onChange={(event) => onChange({ findUntil: event.target.value || null })} />
      </label>
    </div>
  );
}
