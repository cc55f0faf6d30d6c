/** Text of any length, as printed: head and tail, what lies between on a click, more of it from the server. */
import { type ReactNode, useMemo } from "react";
import { type Row, Lines } from "../../components/Lines";
import { useToast } from "../../components/Toasts";
import { bytes } from "../../lib/format";
import { readTerminal } from "../../lib/terminal";
import styles from "./LongText.module.css";
import type { Rest } from "./useFullMessage";

const HEAD_LINES = 20;
const TAIL_LINES = 10;

interface LongTextProps {
  text: string;
  /** The end of the whole, where `text` is only its beginning. */
  end?: string | null;
  /** How much there is where `text` is only its beginning. */
  rest?: Rest;
  tone?: "plain" | "bad";
  label: string;
  /** What stands over the text within its frame. */
  title?: ReactNode;
}

const toRows = (text: string): Row[] => readTerminal(text).map((line) => ({ line }));

export function LongText({ text, end = null, rest, tone, label, title }: LongTextProps) {
  const rows = useMemo(() => toRows(text), [text]);
  const endRows = useMemo(() => (end ? toRows(end) : []), [end]);
  return (
    <div className={styles.text} data-tone={tone} role="group" aria-label={label}>
      {title}
      <Lines rows={rows} label={label} head={HEAD_LINES} tail={TAIL_LINES} gap={rest && <Cut rest={rest} />} end={rest && endRows.slice(-TAIL_LINES)} />
    </div>
  );
}

/** Says that a text is cut here, with its size and the ways to the rest. */
export function Cut({ rest }: { rest: Rest }) {
  const toast = useToast();
  const save = async () => {
    if (!(await rest.save())) toast({ text: "The text could not be loaded", tone: "bad" });
  };
  return (
    <p className={styles.cut}>
      <span>
        Cut here, of {bytes(rest.bytes)}
        {rest.hidesFound && ": what was found stands in what is not shown"}
      </span>
      {rest.load && (
        <button type="button" className={styles.way} disabled={rest.isLoading} onClick={rest.load}>
          {rest.isLoading ? "Loading…" : "Load more"}
        </button>
      )}
      <button type="button" className={styles.way} onClick={() => void save()}>
        Save the whole
      </button>
    </p>
  );
}
