/** How far two beginnings have been compared. */
import { count } from "../../lib/format";
import styles from "./Compare.module.css";

export function Progress({ done, of }: { done: number; of: number }) {
  return (
    <div className={styles.progress} role="status">
      <p>
        {done === 0 ? "Comparing from the first message on…" : `The first ${count(done)} messages are the same. Looking for the first difference…`}
      </p>
      <progress className={styles.meter} value={Math.min(done, of)} max={Math.max(of, 1)} aria-label="Messages compared" />
    </div>
  );
}
