/** Under the list: how much of the whole is shown, and what is hidden, each reason a click to show it. */
import { useState } from "react";
import regionStyles from "../../components/ListRegion.module.css";
import { type FragmentType, readFragment } from "../../graphql/generated";
import { count } from "../../lib/format";
import type { ListView } from "../../lib/view";
import styles from "./Ledger.module.css";
import { type LedgerEntry, LedgerFragment, ledgerEntries } from "./ledger";

interface LedgerProps {
  hidden: FragmentType<typeof LedgerFragment>;
  shown: number;
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function Ledger({ hidden, shown, list, onChange }: LedgerProps) {
  const [explained, setExplained] = useState<string | null>(null);
  const entries = ledgerEntries(readFragment(LedgerFragment, hidden), list);
  const conversations = entries.filter((entry) => entry.show !== null);
  const total = conversations.reduce((sum, entry) => sum + entry.count, shown);
  const where = entries.find(({ reason }) => reason === explained)?.where;
  const click = ({ reason, show }: LedgerEntry) => {
    if (show) onChange(show);
    else setExplained(reason === explained ? null : reason);
  };
  return (
    <footer className={regionStyles.footer} aria-label="What the list shows and hides">
      <span className={regionStyles.total}>
        {count(shown)} of {count(total)}
      </span>
      {entries.length > 0 && <span>hidden:</span>}
      {entries.map((entry) => (
        <button
          key={entry.reason}
          type="button"
          className={regionStyles.entry}
          title={entry.show ? "Show them" : "Where are they?"}
          aria-expanded={entry.show ? undefined : entry.reason === explained}
          onClick={() => click(entry)}
        >
          {entry.label}
        </button>
      ))}
      <output className={styles.where}>{where}</output>
    </footer>
  );
}
