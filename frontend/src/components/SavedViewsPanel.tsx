/** The saved views: shows one with a click, renames, deletes, and saves what is shown under a name. */
import { type FormEvent, useState } from "react";
import { DEFAULT_VIEWS, deleteView, isPlain, listOf, LONGEST_NAME, renameView, type SavedView, saveView, setSavedViews } from "../lib/savedViews";
import { DEFAULT_LIST, type ListView } from "../lib/view";
import { Icon } from "./Icon";
import { IconButton } from "./IconButton";
import styles from "./SavedViews.module.css";
import { useToast } from "./Toasts";

interface SavedViewsPanelProps {
  list: ListView;
  views: readonly SavedView[];
  active: SavedView | null;
  onChange: (list: ListView) => void;
}

export function SavedViewsPanel({ list, views, active, onChange }: SavedViewsPanelProps) {
  const toast = useToast();
  const [renaming, setRenaming] = useState<string | null>(null);
  const remove = (view: SavedView) => {
    const before = views;
    deleteView(view.name);
    toast({ text: `Deleted the view “${view.name}”`, undo: () => setSavedViews(before) });
  };
  return (
    <div className={styles.panel}>
      <p className={styles.name}>Saved views</p>
      <ul className={styles.views}>
        <li>
          <ViewButton name="Chats, newest first" isActive={isPlain(list)} onClick={() => onChange(DEFAULT_LIST)} />
        </li>
        {views.map((view) => (
          <li key={view.name}>
            {renaming === view.name ? (
              <NameForm label={`New name of ${view.name}`} name={view.name} button="Rename" onSave={(name) => renameView(view.name, name)} onDone={() => setRenaming(null)} />
            ) : (
              <>
                <ViewButton name={view.name} isActive={view === active} onClick={() => onChange(listOf(view))} />
                <IconButton icon="edit" label={`Rename ${view.name}`} onClick={() => setRenaming(view.name)} />
                <IconButton icon="trash" label={`Delete ${view.name}`} onClick={() => remove(view)} />
              </>
            )}
          </li>
        ))}
      </ul>
      {views.length === 0 && (
        <button type="button" className={styles.quiet} onClick={() => setSavedViews(DEFAULT_VIEWS)}>
          Bring back the first ones
        </button>
      )}
      {active === null && !isPlain(list) ? (
        <NameForm label="Save this view as" name="" button="Save" onSave={(name) => save(name, list)} />
      ) : (
        <p className={styles.hint}>Filter, sort or group the list, and save that here under a name.</p>
      )}
    </div>
  );
}

function save(name: string, list: ListView): string | null {
  if (!name.trim()) return "A view needs a name.";
  saveView(name, list);
  return null;
}

interface ViewButtonProps {
  name: string;
  isActive: boolean;
  onClick: () => void;
}

function ViewButton({ name, isActive, onClick }: ViewButtonProps) {
  return (
    <button type="button" className={styles.view} aria-current={isActive || undefined} onClick={onClick}>
      <span className={styles.mark}>{isActive && <Icon name="check" />}</span>
      <span className={styles.text} dir="auto">
        {name}
      </span>
    </button>
  );
}

interface NameFormProps {
  label: string;
  name: string;
  button: string;
  /** Answers with why not. */
  onSave: (name: string) => string | null;
  onDone?: () => void;
}

function NameForm({ label, name, button, onSave, onDone }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refused = onSave(typed);
    setRefusal(refused);
    if (refused === null) onDone?.();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <input
        className={styles.field}
        value={typed}
        maxLength={LONGEST_NAME}
        placeholder={label}
        aria-label={label}
        aria-invalid={refusal !== null}
        ref={onDone && focusAndSelect}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !onDone) return;
          event.stopPropagation();
          onDone();
        }}
      />
      <button type="submit" className={styles.button}>
        {button}
      </button>
      {refusal && (
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
      )}
    </form>
  );
}

const focusAndSelect = (field: HTMLInputElement | null) => {
  if (field && document.activeElement !== field) field.select();
};
