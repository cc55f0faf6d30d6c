/** One deletion: what it took, when, until when it can be taken back, and the button that does it. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import type { BinRow_EntryFragment } from "../../graphql/generated/graphql";
import { age, bytes, count, dateAndTime } from "../../lib/format";
import styles from "./BinPage.module.css";
import { useRestore } from "./useRestore";

export function BinRow({ entry }: { entry: BinRow_EntryFragment }) {
  const [isBusy, setBusy] = useState(false);
  const restore = useRestore();
  const name = entry.title ? `“${entry.title}”` : (entry.sessionIds[0] ?? entry.binId);
  const bringBack = async () => {
    setBusy(true);
    await restore(entry, name);
    setBusy(false);
  };
  return (
    <tr>
      <th scope="row" className={styles.name}>
        {entry.title ?? <span className={styles.untitled}>no title, {entry.sessionIds[0]}</span>}
      </th>
      <td data-label="Profile">{entry.profile}</td>
      <td data-label="Sessions" className={styles.number}>{count(entry.sessionIds.length)}</td>
      <td data-label="Messages" className={styles.number}>{count(entry.messageCount)}</td>
      <td data-label="Text" className={styles.number}>{bytes(entry.bytes)}</td>
      <td data-label="Deleted">
        <time dateTime={entry.deletedAt} title={dateAndTime(entry.deletedAt)}>{ago(entry.deletedAt)}</time>
      </td>
      <td data-label="Gone for good">{entry.expiresAt ? <time dateTime={entry.expiresAt}>{dateAndTime(entry.expiresAt)}</time> : "not known"}</td>
      <td>
        <button type="button" className={styles.restore} disabled={isBusy} aria-label={`Restore ${name}`} onClick={() => void bringBack()}>
          <Icon name="reset" size={14} />
          {isBusy ? "Restoring…" : "Restore"}
        </button>
      </td>
    </tr>
  );
}

function ago(moment: string): string {
  const text = age(moment);
  if (text === "now") return "just now";
  return /^\d+[mhd]$/.test(text) ? `${text} ago` : text;
}
