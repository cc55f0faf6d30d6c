/** An error in the pane that failed: its code, what to do, a retry, and the details to pass on. */
import type { ReactNode } from "react";
import { describeProblem, type Problem } from "../graphql/problem";
import { copyText } from "../lib/clipboard";
import { Icon } from "./Icon";
import styles from "./ProblemPane.module.css";
import { Sentence } from "./Sentence";

const TITLES: Record<string, string> = {
  DISCONNECTED: "The server does not answer",
  NOT_FOUND: "Not there",
  PROFILE_NOT_FOUND: "No such profile",
  STORE_BUSY: "The store is locked",
  STORE_DAMAGED: "The store is damaged",
  STORE_UNREACHABLE: "The store cannot be reached",
  UNSUPPORTED_STORE: "The store is of a kind that cannot be read",
  TIMEOUT: "It took too long",
  INTERNAL: "Something broke",
};

interface ProblemPaneProps {
  problem: Problem;
  onRetry?: () => void;
  /** Further buttons: ways on from here. */
  children?: ReactNode;
}

export function ProblemPane({ problem, onRetry, children }: ProblemPaneProps) {
  const title = TITLES[problem.code] ?? "That did not work";
  return (
    <div className={styles.pane} role="alert">
      <span className={styles.sign}>
        <Icon name="warning" size={18} />
      </span>
      <p className={styles.title}>{title}</p>
      {problem.message !== `${title}.` && <p className={styles.message}><Sentence text={problem.message} /></p>}
      {problem.hint && <p className={styles.message}><Sentence text={problem.hint} /></p>}
      <p className={styles.actions}>
        <code className={styles.code}>{problem.code}</code>
        {onRetry && (
          <button type="button" className={styles.button} onClick={onRetry}>
            Try again
          </button>
        )}
        {children}
        <button type="button" className={styles.button} onClick={() => void copyText(describeProblem(problem))}>
          Copy details
        </button>
      </p>
    </div>
  );
}

/** A way on, to stand in a pane. */
export function ProblemWay({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.button} onClick={onClick}>
      {label}
    </button>
  );
}
