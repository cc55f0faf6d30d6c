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
  /** More to read, one line each, folded at first. */
  details?: readonly string[];
  /** Something is going on: stays until it is taken away. How much of it is done, 0 to 1; null where nobody knows. */
  progress?: number | null;
}

/** A note that is shown, to change it or to take it away. */
export interface ToastHandle {
  update: (toast: Toast) => void;
  dismiss: () => void;
}

type Shown = Toast & { key: number };
const SHOWN_FOR = { decision: 10_000, details: 20_000, news: 4_000 };
const AT_ONCE = 3;

const ToastContext = createContext<(toast: Toast) => ToastHandle>(() => ({ update: () => {}, dismiss: () => {} }));
const UndoneContext = createContext<(undoes: string) => void>(() => {});

export const useToast = () => useContext(ToastContext);

/** To tell that something was taken back elsewhere: then there is nothing left to undo, and its undo vanishes. */
export const useUndone = () => useContext(UndoneContext);

const isGoingOn = (toast: Toast) => toast.progress !== undefined;

/** The same words again, with nothing of their own to take back or to follow. */
const isAgain = (before: Toast, after: Toast) => before.text === after.text && !before.undo && !isGoingOn(before);

/** The latest notes, and all of what is still going on. */
const latest = (all: Shown[]) => all.filter((toast, index) => isGoingOn(toast) || index >= all.length - AT_ONCE);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const undos = useRef<Shown[]>([]);
  const nextKey = useRef(0);

  const dismiss = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);
  const show = useCallback((toast: Toast) => {
    nextKey.current += 1;
    const shown = { ...toast, key: nextKey.current };
    const { key } = shown;
    if (shown.undo) undos.current.push(shown);
    // What was said already is not said beside itself.
    setToasts((all) => latest([...all.filter((each) => !isAgain(each, shown)), shown]));
    const update = (changed: Toast) => setToasts((all) => all.map((each) => (each.key === key ? { ...changed, key } : each)));
    return { update, dismiss: () => dismiss(key) };
  }, [dismiss]);
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
  const { action, tone, details, progress } = toast;
  const isDecision = toast.undo || action || tone === "bad";
  const shownFor = details?.length ? SHOWN_FOR.details : isDecision ? SHOWN_FOR.decision : SHOWN_FOR.news;
  const [pointed, setPointed] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const held = pointed || unfolded || isGoingOn(toast);
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
    <div className={styles.note} data-tone={tone} onPointerEnter={() => setPointed(true)} onPointerLeave={() => setPointed(false)}>
      <span className={styles.text}>{toast.text}</span>
      {progress !== undefined && <progress className={styles.progress} value={progress ?? undefined} aria-label={toast.text} />}
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
      {!isGoingOn(toast) && <IconButton icon="close" label="Dismiss" onClick={onDismiss} />}
      {details && details.length > 0 && (
        <details className={styles.details} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
          <summary>Details</summary>
          <ul>
            {details.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
