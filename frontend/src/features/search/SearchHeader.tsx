/** Over the hits: the words, in which profile, by which filters and order they are searched, and the way back. */
import type { ReactNode } from "react";
import { FilterChips } from "../../components/FilterChips";
import { IconButton } from "../../components/IconButton";
import regionStyles from "../../components/ListRegion.module.css";
import { ProfileMenu } from "../../components/ProfileMenu";
import { SearchField } from "../../components/SearchField";
import { useTyped } from "../../components/useTyped";
import { type ListView, NOTHING_TYPED } from "../../lib/view";
import { Days } from "./Days";
import { narrowings } from "./scope";
import styles from "./SearchHeader.module.css";
import { FilterMenu, SortMenu } from "./SearchMenus";
import { MAX_LENGTH } from "./searchQuery";

interface SearchHeaderProps {
  list: ListView;
  takesFocus: boolean;
  showsDays: boolean;
  takeQuery: ReactNode;
  onChange: (change: Partial<ListView>) => void;
  onDays: () => void;
  onClose: () => void;
  /** Goes from the field to the hits. */
  onDown: () => void;
}

export function SearchHeader({ list, takesFocus, showsDays, takeQuery, onChange, onDays, onClose, onDown }: SearchHeaderProps) {
  const text = list.find === NOTHING_TYPED ? "" : list.find;
  const { typed, setTyped, sendNow } = useTyped(text, (find) => onChange({ find: find || NOTHING_TYPED }));
  return (
    <header className={regionStyles.header}>
      <div className={regionStyles.bar}>
        <IconButton icon="back" label="Back to the list" onClick={onClose} />
        <ProfileMenu profile={list.profile} onChange={(profile) => onChange({ profile, workspace: null })} />
        <span className={regionStyles.space} />
        <FilterMenu list={list} onChange={onChange} onDays={onDays} />
        <SortMenu list={list} onChange={onChange} />
        {takeQuery}
      </div>
      <SearchField
        text={typed}
        label="Search all messages"
        clearLabel="Clear the search"
        action="search.messages"
        maxLength={MAX_LENGTH}
        takesFocus={takesFocus}
        onChange={setTyped}
        onEnter={() => (typed === text ? onDown() : sendNow())}
        onDown={onDown}
        onEscape={onClose}
      />
      {showsDays && <Days from={list.findFrom} until={list.findUntil} onChange={onChange} />}
      <div className={styles.filters}>
        <FilterChips filters={narrowings(list)} onChange={onChange} />
      </div>
    </header>
  );
}
