/** Over the list: which profile, the audience tabs, the text filter, and the menus of filters and order. */
import type { ReactNode } from "react";
import { FilterChips } from "../../components/FilterChips";
import regionStyles from "../../components/ListRegion.module.css";
import { ProfileMenu } from "../../components/ProfileMenu";
import { SavedViews } from "../../components/SavedViews";
import { SearchField } from "../../components/SearchField";
import { Segments } from "../../components/Segments";
import { useTyped } from "../../components/useTyped";
import { ariaKeys } from "../../lib/actions";
import { useAction } from "../../lib/useAction";
import { type ListView, NOTHING_TYPED } from "../../lib/view";
import { FilterMenu } from "./FilterMenu";
import type { Facets } from "./facets";
import { narrowings } from "./ledger";
import styles from "./ListHeader.module.css";
import { SortMenu } from "./SortMenu";

interface ListHeaderProps {
  list: ListView;
  facets: Facets | null;
  takeQuery: ReactNode;
  onChange: (change: Partial<ListView>) => void;
}

export function ListHeader({ list, facets, takeQuery, onChange }: ListHeaderProps) {
  return (
    <header className={regionStyles.header}>
      <div className={regionStyles.bar}>
        <ProfileMenu profile={list.profile} onChange={(profile) => onChange({ profile, workspace: null })} />
        <span className={regionStyles.space} />
        <SavedViews list={list} onChange={onChange} />
        <FilterMenu list={list} facets={facets} onChange={onChange} />
        <SortMenu list={list} onChange={onChange} />
        {takeQuery}
      </div>
      <TextFilter text={list.text} onChange={(text) => onChange({ text })} onFind={(text) => onChange({ text, find: text || NOTHING_TYPED })} />
      <div className={styles.tabs}>
        <Segments label="Audience" names={AUDIENCE_NAMES} counts={facets?.audiences} value={list.audience} onChange={(audience) => onChange({ audience })} />
      </div>
      {/* The audience and the text have their own places. */}
      <FilterChips filters={narrowings({ ...list, text: "", audience: "all" })} onChange={onChange} />
    </header>
  );
}

interface TextFilterProps {
  text: string;
  onChange: (text: string) => void;
  onFind: (text: string) => void;
}

/** Filters what the list knows of its conversations; what stands in them is searched elsewhere, one key away. */
function TextFilter({ text, onChange, onFind }: TextFilterProps) {
  const { typed, setTyped } = useTyped(text, onChange);
  const wanted = typed.trim();
  useAction("search.messages", () => onFind(wanted));
  return (
    <>
      <SearchField
        text={typed}
        label="Filter by title, preview or id"
        clearLabel="Clear the text filter"
        action="search.focus"
        onChange={setTyped}
        onEnter={() => wanted && onFind(wanted)}
      />
      {wanted && (
        <button type="button" className={styles.everywhere} aria-keyshortcuts={ariaKeys("search.messages")} onClick={() => onFind(wanted)}>
          <span>Search all messages for “{wanted}”</span> <kbd aria-hidden="true">↵</kbd>
        </button>
      )}
    </>
  );
}

const AUDIENCE_NAMES: Record<ListView["audience"], string> = { chats: "Chats", automation: "Automation", all: "All" };
