/** A seam of the transcript: when a conversation went on elsewhere, why, and which sessions it joins. */
import { Icon, type IconName } from "../../components/Icon";
import { dateAndTime } from "../../lib/format";
import styles from "./SeamRow.module.css";
import type { Seam } from "./transcript";

const WORDS: Record<Seam["kind"], { title: string; icon: IconName }> = {
  CONTINUATION: { title: "Compressed, continued in a new session", icon: "continuation" },
  COMPACTION: { title: "Compacted here: what came before was summarised for the agent", icon: "archive" },
  REMOVED: { title: "Messages were removed here", icon: "cross" },
};

export function SeamRow({ seam }: { seam: Seam }) {
  const { title, icon } = WORDS[seam.kind];
  const { fromSession, toSession, at } = seam;
  const reason = seam.kind === "CONTINUATION" ? fromSession?.endReason : null;
  return (
    <div className={styles.seam} role="separator" aria-label={title}>
      <span className={styles.title}>
        <Icon name={icon} size={14} /> {title}
      </span>
      <span className={styles.facts}>
        {at && <time dateTime={at}>{dateAndTime(at)}</time>}
        {reason && <span>ended by {reason}</span>}
        {fromSession && toSession && fromSession.id !== toSession.id && (
          <code>
            {fromSession.id} → {toSession.id}
          </code>
        )}
      </span>
    </div>
  );
}
