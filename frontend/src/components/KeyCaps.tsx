/** Keys as caps: one for each that is pressed after the other. */
import { showKeys } from "../lib/keys";
import styles from "./KeyCaps.module.css";

export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={styles.caps}>
      {showKeys(keys).map((key, index) => (
        <kbd key={`${index} ${key}`} className={styles.cap}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
