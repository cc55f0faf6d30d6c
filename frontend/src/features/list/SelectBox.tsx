/** The box of a row: takes it into the selection. Stands over the row's sign once it is pointed at or ticked. */
import type { MouseEvent } from "react";
import { Icon } from "../../components/Icon";
import styles from "./SelectBox.module.css";

interface SelectBoxProps {
  title: string;
  checked: boolean;
  onClick: (event: MouseEvent) => void;
}

export function SelectBox({ title, checked, onClick }: SelectBoxProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      aria-label={`Select ${title}`}
      // The grid is one tab stop, and keeps the focus: its key for this is x.
      tabIndex={-1}
      className={styles.box}
      onMouseDown={(event) => {
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
      }}
      onClick={(event) => {
        event.stopPropagation();
        onClick(event);
      }}
    >
      <span className={styles.square}>{checked && <Icon name="check" size={12} />}</span>
    </button>
  );
}
