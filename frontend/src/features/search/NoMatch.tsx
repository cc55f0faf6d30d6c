/** A search without a hit: what was searched and what was not, and offers to search more. */
import styles from "../../components/ListRegion.module.css";
import type { ListView } from "../../lib/view";
import { type LeftOut, narrowings, searchedWords } from "./scope";

interface NoMatchProps {
  list: ListView;
  text: string;
  notSearched: LeftOut[];
  /** Whether a profile could not be read: then nobody knows what is there. */
  hasFailed: boolean;
  onChange: (change: Partial<ListView>) => void;
}

export function NoMatch({ list, text, notSearched, hasFailed, onChange }: NoMatchProps) {
  const filters = narrowings(list);
  const profile = list.profile === null ? [] : [{ name: `profile ${list.profile}`, drop: { profile: null } }];
  return (
    <div className={styles.empty} role="status">
      <p className={styles.emptyTitle}>Nothing found for “{text}”</p>
      <p>
        Searched: {searchedWords(list)}
        {hasFailed ? ", as far as the profiles could be read" : ""}. All words have to stand in one of them.
      </p>
      {notSearched.map(({ sentence, label, change }) => (
        <p key={sentence}>
          {sentence} ·{" "}
          <button type="button" className={styles.link} onClick={() => onChange(change)}>
            {label}
          </button>
        </p>
      ))}
      {filters.length + profile.length > 0 && <p>The search is narrowed. Drop one of:</p>}
      {[...profile, ...filters].map(({ name, drop }) => (
        <button key={name} type="button" className={styles.drop} onClick={() => onChange(drop)}>
          {name}
        </button>
      ))}
    </div>
  );
}
