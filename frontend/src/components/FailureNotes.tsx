/** The profiles that a page cannot tell of, each with what is wrong, beside those that it can. */
import { Icon } from "./Icon";
import styles from "./FailureNotes.module.css";

interface FailureNotesProps {
  failures: readonly { profile: string; code: string; message: string }[];
  onRetry: () => void;
}

export function FailureNotes({ failures, onRetry }: FailureNotesProps) {
  return failures.map(({ profile, code, message }) => (
    <div key={profile} className={styles.failure} role="alert">
      <Icon name="warning" size={14} />
      <span>
        <strong>{profile}</strong> {message} <code>{code}</code>
      </span>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  ));
}
