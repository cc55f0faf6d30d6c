/** Short notes about what was done, each with its undo, and the stack that the undo key takes from. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useAction } from "../lib/useAction";
import { IconButton } from "./IconButton";
import styles from "./Toasts.module.css";

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  text: string;
  tone?: "plain" | "bad";
  /** Takes the change back; stays reachable by key after the note has gone. */
  undo?: () => void;
  /** Names what `undo` takes back, for `useUndone`. */
  undoes?: string;
  action?: ToastAction;
}

type Shown = Toast & { key: number };
const SHOWN_FOR = { decision: 10_000, news: 4_000 };

const ToastContext = createContext<(toast: Toast) => void>(() => {});
const UndoneContext = createContext<(undoes: string) => void>(() => {});

export const useToast = () => useContext(ToastContext);

/** To tell that something was taken back elsewhere: then there is nothing left to undo, and its undo vanishes. */
export const useUndone = () => useContext(UndoneContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const undos = useRef<Shown[]>([]);
  const nextKey = useRef(0);

  const dismiss = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);
  const show = useCallback((toast: Toast) => {
    nextKey.current += 1;
    const shown = { ...toast, key: nextKey.current };
    if (shown.undo) undos.current.push(shown);
    setToasts((all) => [...all.slice(-2), shown]);
  }, []);
  const undo = useCallback(
    (toast: Shown) => {
      undos.current = undos.current.filter((each) => each.key !== toast.key);
      dismiss(toast.key);
      toast.undo?.();
    },
    [dismiss],
  );
  const forget = useCallback((undoes: string) => {
    undos.current = undos.current.filter((each) => each.undoes !== undoes);
    setToasts((all) => all.filter((each) => each.undoes !== undoes));
  }, []);
  useAction("undo", () => {
    const last = undos.current.at(-1);
    if (last) undo(last);
    else show({ text: "Nothing to undo" });
  });

  const context = useMemo(() => show, [show]);
  return (
    <ToastContext value={context}>
      <UndoneContext value={forget}>{children}</UndoneContext>
      <div className={styles.stack} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <Note key={toast.key} toast={toast} onUndo={() => undo(toast)} onDismiss={() => dismiss(toast.key)} />
        ))}
      </div>
    </ToastContext>
  );
}

function Note({ toast, onUndo, onDismiss }: { toast: Shown; onUndo: () => void; onDismiss: () => void }) {
  const { action, tone } = toast;
  const shownFor = toast.undo || action || tone === "bad" ? SHOWN_FOR.decision : SHOWN_FOR.news;
  const [held, setHeld] = useState(false);
  const leave = useRef(onDismiss);
  useEffect(() => {
    leave.current = onDismiss;
  });
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => leave.current(), shownFor);
    return () => clearTimeout(timer);
  }, [held, shownFor]);

  return (
    <div className={styles.note} data-tone={tone} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <span className={styles.text}>{toast.text}</span>
      {toast.undo && (
        <button type="button" className={styles.undo} onClick={onUndo} aria-keyshortcuts="z">
          Undo
        </button>
      )}
      {action && (
        <button type="button" className={styles.undo} onClick={() => { onDismiss(); action.run(); }}>
          {action.label}
        </button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={onDismiss} />
    </div>
  );
}
