/** Code in its colours, with its language, a copy button, and a switch for long lines. */
import { type ReactNode, useMemo, useState } from "react";
import { copyText } from "../lib/clipboard";
import { useHighlight } from "../lib/highlight/useHighlight";
import styles from "./CodeBlock.module.css";
import { IconButton } from "./IconButton";
import { type Change, Lines, type Row } from "./Lines";

interface CodeBlockProps {
  text: string;
  language: string;
  /** What stands over the code; its language where nothing else is given. */
  title?: ReactNode;
  /** A word of ours beside the title. */
  note?: ReactNode;
  /** The numbers of the lines, where they have some. */
  numbers?: readonly number[];
  isWrapped?: boolean;
}

export function CodeBlock({ text, language, title, note, numbers, isWrapped = false }: CodeBlockProps) {
  const lines = useHighlight(text, language);
  const rows = useMemo(
    () => lines.map((line, index): Row => ({ line, numbers: numbers && [numbers[index] ?? null], change: changeOf(line[0]?.look) })),
    [lines, numbers],
  );
  return <CodeFrame rows={rows} text={text} title={title ?? (language || "text")} note={note} isWrapped={isWrapped} />;
}

interface CodeFrameProps {
  rows: readonly Row[];
  /** What copying takes. */
  text: string;
  title: ReactNode;
  note?: ReactNode;
  isWrapped?: boolean;
  children?: ReactNode;
}

/** The frame of code and of what is read like it. */
export function CodeFrame({ rows, text, title, note, isWrapped: wrapsAtFirst = false, children }: CodeFrameProps) {
  const [isWrapped, setWrapped] = useState(wrapsAtFirst);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), 1500);
  };
  const label = typeof title === "string" ? `Code: ${title}` : "Code";
  return (
    <figure className={styles.block}>
      <figcaption className={styles.bar}>
        <span className={styles.title}>{title}</span>
        {note && <span className={styles.note}>{note}</span>}
        <span className={styles.buttons}>
          <IconButton icon="wrap" label="Wrap long lines" aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)} />
          <IconButton icon={copied ? "check" : "copy"} label={copied ? "Copied" : "Copy the code"} onClick={() => void copy()} />
        </span>
      </figcaption>
      <Lines rows={rows} label={label} isWrapped={isWrapped} />
      {children}
    </figure>
  );
}

/** Lines that a grammar finds added or removed are drawn as such. */
const changeOf = (look: string | undefined): Change | undefined => (look === "added" || look === "removed" ? look : undefined);
