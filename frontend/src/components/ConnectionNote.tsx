/** Says that changes no longer arrive, for as long as that holds: over all regions, of which it covers none. */
import { useConnection } from "../graphql/useLive";
import styles from "./ConnectionNote.module.css";
import { Icon } from "./Icon";

export function ConnectionNote() {
  const isLost = useConnection() === "lost";
  return (
    <div role="status">
      {isLost && (
        <p className={styles.note}>
          <Icon name="warning" size={14} /> The connection to the server is lost. What is shown may be out of date; it is tried again by itself.
        </p>
      )}
    </div>
  );
}
