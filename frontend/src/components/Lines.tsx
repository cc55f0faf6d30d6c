/** Lines of code, output or a change: long ones head and tail, numbers and signs beside them, long lines broken. */
import { Fragment, type ReactNode, useContext, useMemo, useRef, useState } from "react";
import { plural } from "../lib/format";
import { type Line, softBroken } from "../lib/spans";
import styles from "./Lines.module.css";
import { isIn, type Range, shownOf } from "./lineRanges";
import { holds, SoughtContext } from "./sought";
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
/** As many lines are shown before one that was looked for, and from it on. */
const BEFORE = 5;
const FROM = 15;

export function Lines({ rows, label, isWrapped = true, head = 20, tail = 10, gap, end = NONE }: LinesProps) {
  const [opened, setOpened] = useState<readonly Range[]>([]);
  const shown = shownOf(rows.length, [[0, head], ...opened, [rows.length - tail, rows.length]]);
  const found = useFound(rows);
  if (found >= 0 && !isIn(shown, found)) setOpened([...opened, [found - BEFORE, found + FROM]]);
  return (
    <div className={styles.lines}>
      {shown.map(([from, to], index) => {
        const [next] = shown[index + 1] ?? [to];
        const isLast = index > 0 && to === rows.length;
        return (
          <Fragment key={from}>
            {to > from && <Part rows={rows.slice(from, to)} label={isLast ? `${label}, end` : label} isWrapped={isWrapped} isTall={to - from > head + tail + 1} />}
            {next > to && (
              <button type="button" className={styles.more} onClick={() => setOpened([...opened, [to, to + STEP]])}>
                {next - to > STEP ? `${plural(STEP, "more line")} of ${plural(next - to, "hidden one")}` : plural(next - to, "more line")}
              </button>
            )}
          </Fragment>
        );
      })}
      {gap}
      {end.length > 0 && <Part rows={end} label={`${label}, end of the whole`} isWrapped={isWrapped} />}
    </div>
  );
}

const textOf = ({ line }: Row) => line.map(({ text }) => text).join("");

/** The first line that holds what is looked for; below 0 where none does. */
function useFound(rows: readonly Row[]): number {
  const sought = useContext(SoughtContext);
  return useMemo(() => (sought ? rows.findIndex((row) => holds(textOf(row), sought.words)) : -1), [rows, sought]);
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
