/** A title that turns into a text field: Enter keeps, Escape drops, and a refusal stands under the field. */
import { type KeyboardEvent, useId, useState } from "react";
import styles from "./EditableTitle.module.css";

interface EditableTitleProps {
  /** The title as stored; empty when there is none yet. */
  title: string;
  /** Shown where there is no title. */
  placeholder: string;
  /** Null when it was kept, else why not. */
  onSave: (title: string) => Promise<string | null>;
  onClose: () => void;
}

const MAX_LENGTH = 100;

export function EditableTitle({ title, placeholder, onSave, onClose }: EditableTitleProps) {
  const [text, setText] = useState(title);
  const [refused, setRefused] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const errorId = useId();

  const save = async () => {
    if (text.trim() === title) return onClose();
    setSaving(true);
    const reason = await onSave(text.trim());
    setSaving(false);
    if (reason === null) onClose();
    else setRefused(reason);
  };

  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void save();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
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
        onChange={(event) => setText(event.target.value)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={handleKey}
        onBlur={() => refused === null && !saving && onClose()}
      />
      {refused !== null && (
        <span id={errorId} role="alert" className={styles.refused}>
          {refused}
        </span>
      )}
    </span>
  );
}

function focusAndSelect(field: HTMLInputElement | null): void {
  if (field && document.activeElement !== field && !field.dataset.entered) {
    field.dataset.entered = "yes";
    field.focus();
    field.select();
  }
}
