/** The palette: everything that can be opened, gone to, done or set, by typing a few letters of it. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { type Closing, DialogFrame } from "../components/DialogFrame";
import { Icon } from "../components/Icon";
import { KeyCaps } from "../components/KeyCaps";
import { regionOf } from "../lib/actions";
import { plural } from "../lib/format";
import { keyOf } from "../lib/keys";
import { useView } from "../lib/useView";
import styles from "./Palette.module.css";
import { type Entry, type Group, narrow } from "./paletteEntries";
import { useFoundConversations } from "./useFoundConversations";
import { usePaletteGroups } from "./usePaletteGroups";

interface PaletteProps extends Closing {
  /** Closes the palette, then runs what was chosen. */
  onRun: (run: () => void) => void;
}

const PAGE = 8;

export function Palette({ onRun, onClose, onClosed }: PaletteProps) {
  const [region] = useState(() => regionOf(document.activeElement));
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const offered = usePaletteGroups(region);
  const found = useFoundConversations(typed);
  const search = useSearchEntry(typed.trim());

  const groups = useMemo(() => join(narrow(offered, typed), search, found.entries), [offered, typed, search, found.entries]);
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(0, entries.findIndex((entry) => entry.key === chosen));
  const current = entries[at];
  const optionId = (entry: Entry) => `${id} ${entry.key}`.replaceAll(/\s/g, "-");
  const currentId = current && optionId(current);

  useEffect(() => {
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else document.getElementById(currentId ?? "")?.scrollIntoView({ block: "nearest" });
  }, [at, currentId, list]);

  const type = (text: string) => {
    setTyped(text);
    setChosen(null);
  };
  const move = (by: number) => {
    const isStep = Math.abs(by) === 1;
    const next = isStep ? (at + by + entries.length) % entries.length : Math.min(Math.max(at + by, 0), entries.length - 1);
    setChosen(entries[next]?.key ?? null);
  };
  const moves: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(PAGE),
    PageUp: () => move(-PAGE),
    Enter: () => current && onRun(current.run),
    "Mod+k": onClose,
  };
  const handleKey = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? undefined : moves[keyOf(event)];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <DialogFrame title="Search and run anything" isTitleHidden className={styles.palette} onClose={onClose} onClosed={onClosed}>
      <div className={styles.field}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search and run anything"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="Open a conversation, go somewhere, do something…"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={handleKey}
        />
        <button type="button" className={styles.close} onClick={onClose} aria-label="Close, Esc">
          <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label="What can be opened and done" aria-busy={found.isLate}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={group.name}>
            <div className={styles.group} aria-hidden="true">
              {group.name}
            </div>
            {group.entries.map((entry) => (
              <Option
                key={entry.key}
                id={optionId(entry)}
                entry={entry}
                isChosen={entry === current}
                onPoint={() => setChosen(entry.key)}
                onRun={() => onRun(entry.run)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={styles.footer} role="status">
        {found.hasFailed ? "Conversations could not be asked for." : found.isLate ? "Looking for conversations…" : plural(entries.length, "result")}
      </p>
    </DialogFrame>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  isChosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, entry, isChosen, onPoint, onRun }: OptionProps) {
  return (
    <div id={id} className={styles.option} role="option" aria-selected={isChosen} onPointerMove={onPoint} onClick={onRun}>
      <Icon name={entry.icon} />
      {/* The spaces keep the words of its name apart. */}
      <span className={styles.label}>{entry.label}</span>{" "}
      {entry.note && <span className={styles.note}>{entry.note}</span>}{" "}
      {entry.keys && <KeyCaps keys={entry.keys} />}
    </div>
  );
}

/** What was found comes after what is known at once, which does not move under the hand; the search is what is left. */
function join(known: Group[], search: Entry | null, found: Entry[]): Group[] {
  const shown = new Set(known.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const others = found.filter(({ key }) => !shown.has(key));
  return [
    ...known,
    ...(others.length > 0 ? [{ name: "Conversations", entries: others }] : []),
    ...(search ? [{ name: "Search", entries: [search] }] : []),
  ];
}

function useSearchEntry(text: string): Entry | null {
  const { go } = useView();
  return useMemo(
    () =>
      text === "" ? null : { key: "search", label: `Search all messages for “${text}”`, icon: "search", run: () => go({ page: null, list: { find: text } }) },
    [text, go],
  );
}
