/** What could not be read, while the rest is shown: which profile, why, a retry, and the details to pass on. */
import { describeProblem, type Problem, problem } from "../graphql/problem";
import { copyText } from "../lib/clipboard";
import { Icon } from "./Icon";
import styles from "./Failures.module.css";
import { Sentence } from "./Sentence";

interface FailuresProps {
  failures: readonly { profile: string; code: string; message: string }[];
  onRetry: () => void;
}

/** The profiles that did not answer, while the others do. */
export function Failures({ failures, onRetry }: FailuresProps) {
  return failures.map(({ profile, code, message }) => (
    <FailureLine key={profile} subject={profile} problem={problem(code, message)} onRetry={onRetry} />
  ));
}

interface FailureLineProps {
  /** What failed. */
  subject: string;
  problem: Problem;
  onRetry: () => void;
}

export function FailureLine({ subject, problem: failed, onRetry }: FailureLineProps) {
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warning" size={14} />
      <span className={styles.words}>
        <strong>{subject}</strong> <Sentence text={failed.message} />
      </span>{" "}
      <span className={styles.ways}>
        <code>{failed.code}</code>
        <button type="button" onClick={onRetry}>
          Try again
        </button>
        <button type="button" onClick={() => void copyText(`${subject}\n${describeProblem(failed)}`)}>
          Copy details
        </button>
      </span>
    </div>
  );
}
