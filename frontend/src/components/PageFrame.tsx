/** The frame of a place beside the conversations: its name, its tools, and what it shows, in one scroll. */
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useTitle } from "../lib/useTitle";
import styles from "./PageFrame.module.css";

interface PageFrameProps {
  title: string;
  tools?: ReactNode;
  /** What is shown is from before, a newer answer is on its way. */
  isOld?: boolean;
  children: ReactNode;
}

export function PageFrame({ title, tools, isOld = false, children }: PageFrameProps) {
  useTitle(title);
  const frame = useRef<HTMLElement>(null);
  const { history } = useRouter();
  // Who came by key has left what had the focus; who came by a link keeps it there.
  useEffect(() => {
    if (history.canGoBack() && document.activeElement === document.body) frame.current?.focus();
  }, [history]);
  return (
    <section ref={frame} className={styles.frame} aria-label={title} tabIndex={0}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        <div className={styles.tools}>{tools}</div>
      </header>
      <div className={styles.body} data-old={isOld || undefined} aria-busy={isOld || undefined}>
        {children}
      </div>
    </section>
  );
}

export function PageSkeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  return (
    <div className={styles.skeletons} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.skeleton} />
      ))}
    </div>
  );
}

export function PageNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      <p className={styles.noteTitle}>{title}</p>
      {children}
    </div>
  );
}
