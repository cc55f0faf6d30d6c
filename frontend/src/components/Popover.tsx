/** A panel that opens from a button over the region it stands in: by keys, by mouse, by touch. */
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { IconName } from "./Icon";
import { IconButton } from "./IconButton";
import styles from "./Popover.module.css";

interface PopoverProps {
  icon: IconName;
  /** What the button is called; the panel bears `title`. */
  label: string;
  title: string;
  pressed?: boolean;
  /** May be lazy: it is loaded when the panel first opens. */
  children: ReactNode;
}

const FOCUSABLE = "input, button, select";

export function Popover({ icon, label, title, pressed = false, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, [isOpen]);

  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    close();
  };

  return (
    <div ref={root} className={styles.root}>
      <IconButton icon={icon} label={label} aria-haspopup="dialog" aria-expanded={isOpen} data-state={isOpen ? "open" : undefined} data-active={pressed || undefined} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <Suspense>
          <Panel title={title} onKeyDown={handleKey} onClose={close}>
            {children}
          </Panel>
        </Suspense>
      )}
    </div>
  );
}

interface PanelProps {
  title: string;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}

function Panel({ title, onKeyDown, onClose, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus(), []);
  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={title} tabIndex={-1} onKeyDown={onKeyDown}>
      {children}
      <IconButton className={styles.close} icon="close" label={`Close: ${title}`} onClick={onClose} />
    </div>
  );
}
