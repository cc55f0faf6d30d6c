/** What an import would do, or did: counts, and everything that was left out or changed, with the reason. */
import type { ReactNode } from "react";
import { plural } from "../lib/format";
import { Icon } from "./Icon";
import styles from "./ImportDialog.module.css";
import { countsOf } from "./importing";
import { Sentence } from "./Sentence";
import type { ImportAnswer } from "./useImport";

const SHOWN = 50;

/** `profile` when it has been done. */
export function ImportReport({ answer, profile }: { answer: ImportAnswer; profile?: string }) {
  const { skipped, cutLinks, warnings, userErrors, sessionCount, completed } = answer;
  const isDone = profile !== undefined;
  const headline = sessionCount === 0 ? "Nothing new in this file" : isDone ? `Imported into ${profile}` : "Would come in";
  return (
    <div className={styles.report} role="status">
      <p className={styles.headline}>
        <Icon name={sessionCount === 0 ? "warning" : isDone ? "check" : "download"} />
        <span>
          <strong>{headline}</strong>
          {sessionCount > 0 && `: ${countsOf(answer)}`}
        </span>
      </p>
      {isDone && !completed && <p className={styles.alert}>It ended half-way. Import again: what is there is skipped. <Sentence text={userErrors[0]?.message ?? ""} /></p>}
      <Reasons title={`${plural(skipped.length, "session")} skipped`} lines={skipped.map(({ id, code, reason }) => [id, `${reason} (${code})`])} />
      <Reasons title={`${plural(cutLinks.length, "link")} to parents cut`} lines={cutLinks.map(({ childId, parentId, reason }) => [`${childId} → ${parentId}`, reason])} />
      <Reasons title={plural(warnings.length, "warning")} lines={warnings.map((warning) => ["", warning])} />
    </div>
  );
}

function Reasons({ title, lines }: { title: string; lines: readonly (readonly [string, string])[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <details className={styles.reasons} open={lines.length <= 3}>
      <summary>{title}</summary>
      <ul>
        {lines.slice(0, SHOWN).map(([id, reason], index) => (
          <li key={`${index} ${id}`}>
            {id && <code>{id}</code>} <Sentence text={reason} />
          </li>
        ))}
        {lines.length > SHOWN && <li>and {lines.length - SHOWN} more</li>}
      </ul>
    </details>
  );
}
