/** A dialog in the look of the dashboard; the focus returns to where it was. */
import * as Dialog from "@radix-ui/react-dialog";
import { type ReactNode, useState } from "react";
import styles from "./DialogFrame.module.css";
import { IconButton } from "./IconButton";

export interface Closing {
  onClose: () => void;
  /** Runs when the focus is back. */
  onClosed?: () => void;
}

interface DialogFrameProps extends Closing {
  title: string;
  /** Whether the title is read out alone. */
  isTitleHidden?: boolean;
  /** The id of what is read out after the title. */
  describedBy?: string;
  /** Chooses what has the focus first. */
  onOpen?: (event: Event) => void;
  className?: string;
  children: ReactNode;
}

export function DialogFrame({ title, isTitleHidden = false, describedBy, onOpen, className = "", onClose, onClosed, children }: DialogFrameProps) {
  const [before] = useState(() => document.activeElement);
  const leave = (event: Event) => {
    event.preventDefault();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    onClosed?.();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        {/* No Dialog.Overlay: it locks scrolling with an inline style sheet, which the content security policy refuses. */}
        <div className={styles.scrim} />
        <Dialog.Content className={`${styles.dialog} ${className}`} aria-describedby={describedBy} onOpenAutoFocus={onOpen} onCloseAutoFocus={leave}>
          {isTitleHidden ? (
            <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          ) : (
            <header className={styles.header}>
              <Dialog.Title className={styles.title}>{title}</Dialog.Title>
              <Dialog.Close asChild>
                <IconButton icon="close" label="Close" />
              </Dialog.Close>
            </header>
          )}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
