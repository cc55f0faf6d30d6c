/** Keys as caps: one for each that is pressed after the other. */
import { Fragment } from "react";
import { showKeys } from "../lib/keys";
import styles from "./KeyCaps.module.css";

export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={styles.caps}>
      {showKeys(keys).map((key, index) => (
        <Fragment key={`${index} ${key}`}>
          {index > 0 && " "}
          <kbd className={styles.cap}>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
