/** One choice out of a few that stand side by side. */
import styles from "./Segments.module.css";

interface SegmentsProps<T extends string> {
  label: string;
  names: Record<T, string>;
  value: T;
  onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, names, value, onChange }: SegmentsProps<T>) {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {(Object.keys(names) as T[]).map((each) => (
        <button key={each} type="button" className={styles.segment} aria-pressed={each === value} onClick={() => onChange(each)}>
          {names[each]}
        </button>
      ))}
    </div>
  );
}
