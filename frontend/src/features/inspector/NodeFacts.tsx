/** Of the node under the cursor: what proves its kind, what it adds up to, and what can be done with it. */
import { KINDS } from "../../components/kinds";
import { ACTIONS, ariaKeys } from "../../lib/actions";
import { count, dateAndTime, plural } from "../../lib/format";
import styles from "./LineageTree.module.css";
import type { LineageNode, TreeRow } from "./lineage";
import { costWords, type Total } from "./totals";

interface NodeFactsProps {
  row: TreeRow;
  total: Total | undefined;
  parent: LineageNode["session"] | undefined;
  isOpen: boolean;
  onCompare: () => void;
  onCompareParent: (parentId: string) => void;
  onGoOn: () => void;
}

export function NodeFacts({ row, total, parent, isOpen, onCompare, onCompareParent, onGoOn }: NodeFactsProps) {
  const { session } = row.node;
  return (
    <section className={styles.details} aria-label="The chosen session">
      <div id="lineage-facts">
        <p className={styles.reason}>
          <strong className={styles.kind} data-kind={session.kind}>
            {KINDS[session.kind].word}
          </strong>{" "}
          {session.kindReason}
        </p>
        <p className={styles.id}>
          <code>{session.id}</code>
          {session.startedAt && <span>{dateAndTime(session.startedAt)}</span>}
        </p>
        {total && total.sessions > 1 && (
          <p>
            With all below: {plural(total.sessions, "session")} · {plural(total.messages, "message")} · {count(total.tokens)} tokens · {costWords(total)}
          </p>
        )}
      </div>
      {(!isOpen || (session.kind === "BRANCH" && parent) || row.missing > 0) && (
        <p className={styles.actions}>
          {!isOpen && (
            <button type="button" className={styles.action} aria-keyshortcuts={ariaKeys("lineage.compare")} onClick={onCompare}>
              Compare with the open one <kbd>{ACTIONS["lineage.compare"].keys[0]}</kbd>
            </button>
          )}
          {session.kind === "BRANCH" && parent && (
            <button type="button" className={styles.action} onClick={() => onCompareParent(parent.id)}>
              Compare with its parent
            </button>
          )}
          {row.missing > 0 && (
            <button type="button" className={styles.action} onClick={onGoOn}>
              Draw from here
            </button>
          )}
        </p>
      )}
    </section>
  );
}
