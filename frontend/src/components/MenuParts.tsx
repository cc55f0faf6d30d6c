/** What a drop-down menu is made of once it has been opened: heavy, and therefore loaded by `Menu` when it is wanted. */
import * as Dropdown from "@radix-ui/react-dropdown-menu";
import type { ReactElement, ReactNode } from "react";
import { Icon, type IconName } from "./Icon";
import styles from "./MenuParts.module.css";

export interface OpenedMenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<React.ComponentPropsWithoutRef<"button">>;
  children: ReactNode;
  align: "start" | "end";
  host: HTMLElement | null;
}

export function OpenedMenu({ trigger, children, align, host }: OpenedMenuProps) {
  // Not modal: the modal one locks scrolling with an inline style sheet, which the content security policy refuses.
  return (
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal container={host}>
        <Dropdown.Content className={styles.content} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

interface MenuItemProps {
  icon?: IconName;
  note?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, note, danger, disabled, onSelect, children }: MenuItemProps) {
  return (
    <Dropdown.Item className={styles.item} data-danger={danger || undefined} disabled={disabled} onSelect={onSelect}>
      {icon && <Icon name={icon} />}
      <span className={styles.name}>{children}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </Dropdown.Item>
  );
}

interface MenuChoiceProps {
  checked: boolean;
  /** One of several, of which one holds; else a switch of its own that leaves the menu open. */
  exclusive?: boolean;
  note?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuChoice({ checked, exclusive = false, note, onSelect, children }: MenuChoiceProps) {
  const select = (event: Event) => {
    if (!exclusive) event.preventDefault();
    onSelect();
  };
  return (
    <Dropdown.CheckboxItem className={styles.item} checked={checked} onSelect={select}>
      <span className={styles.mark}>{checked && <Icon name="check" />}</span>
      <span className={styles.name}>{children}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </Dropdown.CheckboxItem>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Dropdown.Label className={styles.label}>{children}</Dropdown.Label>
);

export const MenuLine = () => <Dropdown.Separator className={styles.line} />;
