/** Over the list: which profile, the audience tabs, the text filter, and the menus of filters and order. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../../components/IconButton";
import { Icon } from "../../components/Icon";
import { ariaKeys } from "../../lib/actions";
import { count } from "../../lib/format";
import { useAction } from "../../lib/useAction";
import { AUDIENCES, type ListView } from "../../lib/view";
import { ActiveFilters } from "./ActiveFilters";
import { FilterMenu } from "./FilterMenu";
import type { Facets } from "./facets";
import styles from "./ListHeader.module.css";
import { ProfileMenu } from "./ProfileMenu";
import { SortMenu } from "./SortMenu";

interface ListHeaderProps {
  list: ListView;
  facets: Facets | null;
  takeQuery: ReactNode;
  onChange: (change: Partial<ListView>) => void;
}

export function ListHeader({ list, facets, takeQuery, onChange }: ListHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <ProfileMenu profile={list.profile} onChange={(profile) => onChange({ profile, workspace: null })} />
        <span className={styles.space} />
        <FilterMenu list={list} facets={facets} onChange={onChange} />
        <SortMenu list={list} onChange={onChange} />
        {takeQuery}
      </div>
      <TextFilter text={list.text} onChange={(text) => onChange({ text })} />
      <AudienceTabs audience={list.audience} facets={facets} onChange={(audience) => onChange({ audience })} />
      <ActiveFilters list={list} onChange={onChange} />
    </header>
  );
}

const TYPING_PAUSE = 200;

function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (text !== known) {
    setKnown(text);
    setTyped(text);
  }
  useAction("search.focus", () => field.current?.select());
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => change.current(typed), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed, text]);

  return (
    <label className={styles.search}>
      <Icon name="search" size={14} />
      <input
        ref={field}
        type="search"
        value={typed}
        placeholder="Filter by title, preview or id"
        aria-label="Filter by title, preview or id"
        aria-keyshortcuts={ariaKeys("search.focus")}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
      />
      {typed ? (
        <IconButton className={styles.clear} icon="close" label="Clear the text filter" onClick={() => setTyped("")} />
      ) : (
        <kbd className={styles.key}>/</kbd>
      )}
    </label>
  );
}

const AUDIENCE_NAMES: Record<ListView["audience"], string> = { chats: "Chats", automation: "Automation", all: "All" };

interface AudienceTabsProps {
  audience: ListView["audience"];
  facets: Facets | null;
  onChange: (audience: ListView["audience"]) => void;
}

function AudienceTabs({ audience, facets, onChange }: AudienceTabsProps) {
  return (
    <div className={styles.tabs} role="group" aria-label="Audience">
      {AUDIENCES.map((each) => (
        <button key={each} type="button" className={styles.tab} aria-pressed={each === audience} onClick={() => onChange(each)}>
          {AUDIENCE_NAMES[each]}
          {facets && <span className={styles.count}>{count(facets.audiences[each])}</span>}
        </button>
      ))}
    </div>
  );
}
