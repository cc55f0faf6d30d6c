/** Text of any length, as printed: its head and tail with what lies between on a click, and the rest from the server. */
import { useState } from "react";
import { bytes, plural } from "../../lib/format";
import { cutMiddle, withoutTerminalSequences } from "../../lib/longText";
import styles from "./LongText.module.css";
import type { Rest } from "./useFullMessage";

const HEAD_LINES = 24;
const TAIL_LINES = 12;

interface LongTextProps {
  text: string;
  /** How much there is where `text` is only its beginning. */
  rest?: Rest;
  tone?: "plain" | "bad";
  label: string;
}

export function LongText({ text, rest, tone, label }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const clean = withoutTerminalSequences(text);
  const cut = isWhole ? { head: clean, tail: "", hidden: 0 } : cutMiddle(clean, HEAD_LINES, TAIL_LINES);
  return (
    <div className={styles.text} data-tone={tone} role="group" aria-label={label}>
      <Lines text={cut.head} label={label} />
      {cut.hidden > 0 && (
        <>
          <button type="button" className={styles.more} onClick={() => setWhole(true)}>
            {plural(cut.hidden, "more line")}
          </button>
          <Lines text={cut.tail} label={`${label}, end`} />
        </>
      )}
      {rest?.load && (
        <button type="button" className={styles.more} disabled={rest.isLoading} onClick={rest.load}>
          {rest.isLoading ? "Loading…" : `Cut here, of ${bytes(rest.bytes)}: load more`}
        </button>
      )}
      {rest?.load === null && <p className={styles.note}>Shown is the beginning of {bytes(rest.bytes)}.</p>}
    </div>
  );
}

const Lines = ({ text, label }: { text: string; label: string }) => (
  <pre className={styles.lines} tabIndex={0} role="region" aria-label={label}>
    {text}
  </pre>
);
