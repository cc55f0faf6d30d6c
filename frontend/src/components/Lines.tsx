/** Lines of code, output or a change: long ones head and tail, numbers and signs beside them, long lines broken. */
import { type ReactNode, useRef, useState } from "react";
import { plural } from "../lib/format";
import { type Line, softBroken } from "../lib/spans";
import styles from "./Lines.module.css";
import { useScrolls } from "./useScrolls";
import { Visible } from "./Visible";

export type Change = "added" | "removed" | "place";

export interface Row {
  line: Line;
  /** Stands beside the line: its number, or those before and after a change. */
  numbers?: readonly (number | null)[];
  change?: Change;
  /** Drawn before the line, where it does not begin with one: "+", "−", or a space. */
  sign?: string;
}

export interface LinesProps {
  rows: readonly Row[];
  label: string;
  isWrapped?: boolean;
  /** How many lines are shown of the beginning and of the end of a long text. */
  head?: number;
  tail?: number;
  /** What stands where the text was cut before it came here; its end follows. */
  gap?: ReactNode;
  end?: readonly Row[];
}

/** As many lines come with each click: a browser draws no hundred thousand of them at once. */
const STEP = 1_000;
const NONE: readonly Row[] = [];

export function Lines({ rows, label, isWrapped = true, head = 20, tail = 10, gap, end = NONE }: LinesProps) {
  const [most, setMost] = useState(head);
  const hidden = rows.length - most - tail;
  const isWhole = hidden <= 1;
  return (
    <div className={styles.lines}>
      <Part rows={isWhole ? rows : rows.slice(0, most)} label={label} isWrapped={isWrapped} isTall={most > head} />
      {!isWhole && (
        <>
          <button type="button" className={styles.more} onClick={() => setMost(most + STEP)}>
            {hidden > STEP ? `${plural(STEP, "more line")} of ${plural(hidden, "hidden one")}` : plural(hidden, "more line")}
          </button>
          <Part rows={rows.slice(-tail)} label={`${label}, end`} isWrapped={isWrapped} />
        </>
      )}
      {gap}
      {end.length > 0 && <Part rows={end} label={`${label}, end of the whole`} isWrapped={isWrapped} />}
    </div>
  );
}

interface PartProps extends Pick<LinesProps, "rows" | "label" | "isWrapped"> {
  isTall?: boolean;
}

function Part({ rows, label, isWrapped, isTall }: PartProps) {
  const box = useRef<HTMLPreElement>(null);
  const scrolls = useScrolls(box, label);
  const last = rows.length - 1;
  return (
    <pre ref={box} className={styles.part} data-wrapped={isWrapped || undefined} data-tall={isTall || undefined} {...scrolls}>
      <code>
        {rows.map((row, index) => (
          <RowLine key={index} row={row} isLast={index === last} />
        ))}
      </code>
    </pre>
  );
}

function RowLine({ row: { line, numbers, change, sign }, isLast }: { row: Row; isLast: boolean }) {
  const pieces = softBroken(line);
  return (
    <span className={styles.line} data-change={change}>
      {numbers?.map((number, index) => <span key={index} className={styles.number} data-number={number ?? ""} />)}
      {sign !== undefined && <span className={styles.sign} data-sign={sign} />}
      <span className={styles.text}>
        {pieces.map((piece, index) => (
          <span key={index} className={pieces.length > 1 ? styles.piece : undefined}>
            {piece.map(({ text, look }, part) => (
              <span key={part} data-look={look}>
                <Visible text={text} where="code" />
              </span>
            ))}
          </span>
        ))}
        {!isLast && "\n"}
      </span>
    </span>
  );
}
