/** The first rows of a list before there is any answer. */
import styles from "./ListRegion.module.css";

export function ListSkeletons({ label }: { label: string }) {
  return (
    <div className={styles.skeletons} role="status" aria-label={label}>
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className={styles.skeleton} />
      ))}
    </div>
  );
}
