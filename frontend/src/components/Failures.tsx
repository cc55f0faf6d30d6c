/** The profiles that did not answer, while the others do. */
import { Icon } from "./Icon";
import styles from "./Failures.module.css";

interface FailuresProps {
  failures: readonly { profile: string; code: string; message: string }[];
  onRetry: () => void;
}

export function Failures({ failures, onRetry }: FailuresProps) {
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
