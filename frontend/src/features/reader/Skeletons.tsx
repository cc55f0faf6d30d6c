/** Stands where messages will be. */
import styles from "./Reader.module.css";

export function Skeletons() {
  return (
    <div className={styles.skeletons} role="status" aria-label="Loading messages">
      <div className={styles.skeleton} />
      <div className={styles.skeleton} data-long />
      <div className={styles.skeleton} />
    </div>
  );
}
