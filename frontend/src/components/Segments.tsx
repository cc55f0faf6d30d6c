/** One choice out of a few that stand side by side. */
import { count } from "../lib/format";
import styles from "./Segments.module.css";

interface SegmentsProps<T extends string> {
  label: string;
  names: Record<T, string>;
  /** How many there are of each, where that is known. */
  counts?: Record<T, number> | undefined;
  value: T;
  onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, names, counts, value, onChange }: SegmentsProps<T>) {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {(Object.keys(names) as T[]).map((each) => (
        <button key={each} type="button" className={styles.segment} aria-pressed={each === value} onClick={() => onChange(each)}>
          {names[each]}
          {counts && <span className={styles.count}>{count(counts[each])}</span>}
        </button>
      ))}
    </div>
  );
}
