/** One deletion: what it took, when, how long it can still be taken back, and the button that does it. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import type { BinRow_EntryFragment } from "../../graphql/generated/graphql";
import { age, bytes, count, dateAndTime } from "../../lib/format";
import styles from "./BinPage.module.css";
import { isSoon, momentText, nameOf, timeLeft } from "./entries";

interface BinRowProps {
  entry: BinRow_EntryFragment;
  isTicked: boolean;
  isBusy: boolean;
  onTick: (isOn: boolean) => void;
  onRestore: () => void;
}

export function BinRow({ entry, isTicked, isBusy, onTick, onRestore }: BinRowProps) {
  const [now] = useState(Date.now);
  const name = nameOf(entry);
  const { expiresAt } = entry;
  return (
    <tr data-ticked={isTicked || undefined}>
      <td>
        <label className={styles.tick}>
          <input type="checkbox" checked={isTicked} aria-label={`Tick ${name}`} onChange={(event) => onTick(event.target.checked)} />
        </label>
      </td>
      <th scope="row" className={styles.name}>
        <span className={`in-short ${entry.title ? "" : styles.untitled}`}>{entry.title ?? `no title, ${entry.sessionIds[0]}`}</span>
      </th>
      <td data-label="Profile">{entry.profile}</td>
      <td data-label="Sessions" className={styles.number}>{count(entry.sessionIds.length)}</td>
      <td data-label="Messages" className={styles.number}>{count(entry.messageCount)}</td>
      <td data-label="Text" className={styles.number}>{bytes(entry.bytes)}</td>
      <td data-label="Deleted">
        <time dateTime={entry.deletedAt} title={dateAndTime(entry.deletedAt)}>{ago(entry.deletedAt)}</time>
      </td>
      <td data-label="Gone for good">
        <time dateTime={expiresAt ?? undefined} title={momentText(expiresAt)} data-soon={isSoon(expiresAt, now) || undefined}>{timeLeft(expiresAt, now)}</time>
      </td>
      <td>
        <button type="button" className={styles.restore} disabled={isBusy} aria-label={`Restore ${name}`} onClick={onRestore}>
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
