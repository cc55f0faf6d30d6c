/** The deletions as a table, to restore one of them or those that are ticked. */
import { useRef, useState } from "react";
import { Icon } from "../../components/Icon";
import type { BinRow_EntryFragment } from "../../graphql/generated/graphql";
import { plural } from "../../lib/format";
import styles from "./BinPage.module.css";
import { BinRow } from "./BinRow";
import { keyOf, ofText } from "./entries";
import { useRestore } from "./useRestore";

type Entry = BinRow_EntryFragment;

interface BinTableProps {
  entries: readonly Entry[];
  /** How many there are without the filter. */
  all: number;
}

export function BinTable({ entries, all }: BinTableProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const area = useRef<HTMLDivElement>(null);
  const restore = useRestore();
  const chosen = entries.filter((entry) => ticked.has(keyOf(entry)));

  const bringBack = async (wanted: readonly Entry[]) => {
    const keys = wanted.map(keyOf);
    setBusy((before) => new Set([...before, ...keys]));
    await restore(wanted);
    setBusy((before) => without(before, keys));
    setTicked((before) => without(before, keys));
    // The button that was pressed goes with its row.
    if (document.activeElement === document.body || area.current?.contains(document.activeElement)) area.current?.focus();
  };
  const tick = (keys: readonly string[], isOn: boolean) => setTicked((before) => (isOn ? new Set([...before, ...keys]) : without(before, keys)));

  return (
    <div ref={area} className={styles.area} tabIndex={-1} role="group" aria-label="Deletions">
      <div className={styles.bar}>
        <span className={styles.note} role="status">{chosen.length > 0 ? `${plural(chosen.length, "deletion")} ticked` : ofText(entries.length, all)}</span>
        <button type="button" className={styles.restore} disabled={chosen.length === 0 || busy.size > 0} onClick={() => void bringBack(chosen)}>
          <Icon name="reset" size={14} />
          Restore the ticked
        </button>
      </div>
      <table className={styles.table}>
        <caption className="visually-hidden">Deleted conversations, the latest first</caption>
        <thead>
          <tr>
            <td><TickAll entries={entries} chosen={chosen.length} onTick={tick} /></td>
            <th scope="col">Conversation</th>
            <th scope="col">Profile</th>
            <th scope="col" className={styles.number}>Sessions</th>
            <th scope="col" className={styles.number}>Messages</th>
            <th scope="col" className={styles.number}>Text</th>
            <th scope="col">Deleted</th>
            <th scope="col">Gone for good</th>
            <th scope="col"><span className="visually-hidden">What to do</span></th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <BinRow
              key={keyOf(entry)}
              entry={entry}
              isTicked={ticked.has(keyOf(entry))}
              isBusy={busy.has(keyOf(entry))}
              onTick={(isOn) => tick([keyOf(entry)], isOn)}
              onRestore={() => void bringBack([entry])}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TickAll({ entries, chosen, onTick }: { entries: readonly Entry[]; chosen: number; onTick: (keys: readonly string[], isOn: boolean) => void }) {
  const isAll = chosen === entries.length;
  const showSome = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = chosen > 0 && !isAll;
  };
  return (
    <label className={styles.tick}>
      <input ref={showSome} type="checkbox" checked={isAll} aria-label="Tick all that are shown" onChange={() => onTick(entries.map(keyOf), !isAll)} />
    </label>
  );
}

function without(keys: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  return new Set([...keys].filter((key) => !gone.includes(key)));
}
