/** A title that turns into a text field: Enter keeps, Escape drops, and a refusal stands under the field. */
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useId, useState } from "react";
import { changeView, useView } from "../lib/useView";
import { toLocation } from "../lib/view";
import styles from "./EditableTitle.module.css";
import { Sentence } from "./Sentence";
import { dropTitleDraft, keepTitleDraft, titleDraft } from "./titleDrafts";
import type { RefusedTitle } from "./useConversationActions";

interface EditableTitleProps {
  /** What is renamed, and where: a title that was refused is there again for it. */
  draftKey: string;
  /** The title as stored; empty when there is none yet. */
  title: string;
  /** Shown where there is no title. */
  placeholder: string;
  /** Null when it was kept, else why not. */
  onSave: (title: string) => Promise<RefusedTitle | null>;
  onClose: () => void;
}

const MAX_LENGTH = 100;

export function EditableTitle({ draftKey, title, placeholder, onSave, onClose }: EditableTitleProps) {
  const draft = titleDraft(draftKey);
  const [text, setText] = useState(draft?.text ?? title);
  const [refused, setRefused] = useState(draft?.refused ?? null);
  const [saving, setSaving] = useState(false);
  const errorId = useId();

  const close = () => {
    dropTitleDraft(draftKey);
    onClose();
  };
  const type = (typed: string) => {
    setText(typed);
    if (refused) keepTitleDraft(draftKey, { text: typed, refused });
  };
  const save = async () => {
    if (text.trim() === title) return close();
    setSaving(true);
    const reason = await onSave(text.trim());
    setSaving(false);
    if (reason === null) return close();
    keepTitleDraft(draftKey, { text, refused: reason });
    setRefused(reason);
  };

  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void save();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };

  return (
    <span className={styles.editor}>
      <input
        className={styles.field}
        ref={focusAndSelect}
        value={text}
        placeholder={placeholder}
        maxLength={MAX_LENGTH}
        // Not disabled: that would take the focus away.
        readOnly={saving}
        aria-label="Title"
        aria-invalid={refused !== null}
        aria-describedby={refused === null ? undefined : errorId}
        onChange={(event) => type(event.target.value)}
        onClick={keep}
        onKeyDown={handleKey}
        onBlur={() => refused === null && !saving && close()}
      />
      {refused !== null && (
        <span className={styles.refused}>
          <span id={errorId} role="alert">
            <Sentence text={refused.message} />
          </span>
          {refused.holder ? <HolderLink {...refused.holder} /> : <AgainButton isSaving={saving} onAgain={() => void save()} />}
        </span>
      )}
    </span>
  );
}

function HolderLink({ title, open }: NonNullable<RefusedTitle["holder"]>) {
  const { view } = useView();
  return (
    <Link {...toLocation(changeView(view, { open }))} className={styles.way} onClick={keep}>
      Open “{title}”
    </Link>
  );
}

function AgainButton({ isSaving, onAgain }: { isSaving: boolean; onAgain: () => void }) {
  return (
    <button
      type="button"
      className={styles.way}
      aria-disabled={isSaving}
      onClick={(event) => {
        keep(event);
        if (!isSaving) onAgain();
      }}
    >
      Try again
    </button>
  );
}

/** The row around it is not opened. */
const keep = (event: MouseEvent) => event.stopPropagation();

function focusAndSelect(field: HTMLInputElement | null): void {
  if (field && document.activeElement !== field && !field.dataset.entered) {
    field.dataset.entered = "yes";
    field.focus();
    field.select();
  }
}
