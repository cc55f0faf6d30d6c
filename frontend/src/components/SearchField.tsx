/** A field to search by: its key, a button that clears it, and what Enter, the arrow down and Escape do. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ActionId } from "../lib/actions";
import { useAction, useKeys } from "../lib/useAction";
import { Icon } from "./Icon";
import { IconButton } from "./IconButton";
import styles from "./SearchField.module.css";

interface SearchFieldProps {
  text: string;
  label: string;
  clearLabel: string;
  /** The action that leads into the field. */
  action: ActionId;
  maxLength?: number;
  /** Whether it has the focus from the start. */
  takesFocus?: boolean;
  onChange: (text: string) => void;
  onEnter?: () => void;
  onDown?: () => void;
  /** Without it Escape leaves the field. */
  onEscape?: () => void;
}

export function SearchField({ text, label, clearLabel, action, maxLength, takesFocus = false, onChange, onEnter, onDown, onEscape }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const focus = () => {
    field.current?.focus();
    field.current?.select();
  };
  useAction(action, focus);
  const keys = useKeys(action);
  const takesFocusNow = useRef(takesFocus);
  useEffect(() => {
    if (takesFocusNow.current) field.current?.focus();
  }, []);

  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") onEnter?.();
    if (event.key === "Escape") (onEscape ?? (() => field.current?.blur()))();
    if (event.key === "ArrowDown" && onDown) {
      event.preventDefault();
      onDown();
    }
  };

  return (
    <label className={styles.field}>
      <Icon name="search" size={14} />
      <input
        ref={field}
        type="search"
        value={text}
        maxLength={maxLength}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts={keys.aria}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKey}
      />
      {text ? (
        <IconButton className={styles.clear} icon="close" label={clearLabel} onClick={() => onChange("")} />
      ) : (
        keys.shown && <kbd className={styles.key}>{keys.shown}</kbd>
      )}
    </label>
  );
}
