/** A button that shows a sign alone: its label is read out, and shown with its key on hover. */
import type { ComponentProps } from "react";
import type { ActionId } from "../lib/actions";
import { useKeys } from "../lib/useAction";
import { Icon, type IconName } from "./Icon";
import styles from "./IconButton.module.css";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  label: string;
  /** The action that the button stands for, to tell its key. */
  action?: ActionId;
}

export function IconButton({ icon, label, action, className = "", ...rest }: IconButtonProps) {
  const keys = useKeys(action);
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${className}`}
      aria-label={label}
      aria-keyshortcuts={keys.aria}
      title={keys.shown ? `${label}  (${keys.shown})` : label}
    >
      <Icon name={icon} />
    </button>
  );
}
