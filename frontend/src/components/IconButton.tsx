/** A button that shows a sign alone: its label is read out, and shown with its key on hover. */
import type { ComponentProps } from "react";
import { ACTIONS, type ActionId, ariaKeys } from "../lib/actions";
import { Icon, type IconName } from "./Icon";
import styles from "./IconButton.module.css";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  label: string;
  /** The action that the button stands for, to tell its key. */
  action?: ActionId;
}

export function IconButton({ icon, label, action, className = "", ...rest }: IconButtonProps) {
  const title = action ? `${label}  (${ACTIONS[action].keys[0]})` : label;
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${className}`}
      aria-label={label}
      aria-keyshortcuts={action && ariaKeys(action)}
      title={title}
    >
      <Icon name={icon} />
    </button>
  );
}
