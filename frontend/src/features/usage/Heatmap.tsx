/** Activity as a calendar: one tab stop, the arrow keys go from day to day, Enter narrows the page to one. The table by day says the same. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { UsageView } from "../../lib/usageView";
import type { Bar } from "./days";
import { amountText, cellName, columnOf, moved, monthMarks, STEPS, stepOf, thresholds, valueOf } from "./heat";
import { weekdayOf } from "./calendar";
import styles from "./Heatmap.module.css";

const CELL = 15;
const SIZE = 12;
const LEFT = 30;
const TOP = 18;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

interface HeatmapProps {
  bars: readonly Bar[];
  measure: UsageView["measure"];
  /** The day that the page is narrowed to. */
  day: string | null;
  onDay: (day: string | null) => void;
}

export function Heatmap({ bars, measure, day, onDay }: HeatmapProps) {
  const limits = useMemo(() => thresholds(bars), [bars]);
  const lines = useMemo(() => WEEKDAYS.map((_, line) => bars.flatMap((bar, index) => (weekdayOf(bar.day) === line ? [{ bar, index, column: columnOf(bars, index), name: cellName(bar, measure) }] : []))), [bars, measure]);
  const [pointed, setPointed] = useState<number | null>(null);
  const [wanted, setStop] = useState<string | null>(null);
  const cells = useRef(new Map<string, SVGRectElement>());
  const scroll = useScrolledToEnd(bars.length);
  const last = bars.length - 1;
  const found = bars.findIndex((bar) => bar.day === (wanted ?? day));
  const stop = found === -1 ? last : found;
  if (last < 0) return null;

  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = bars[moved(event.key, stop, bars.length) ?? -1];
    if (next) {
      setStop(next.day);
      cells.current.get(next.day)?.focus();
    } else if (event.key === "Enter" || event.key === " ") toggle(bars[stop]?.day ?? null);
    else return;
    event.preventDefault();
  };
  const toggle = (chosen: string | null) => onDay(chosen === day ? null : chosen);

  const width = LEFT + (columnOf(bars, last) + 1) * CELL;
  const told = bars[pointed ?? -1];
  return (
    <figure className={styles.figure}>
      <div ref={scroll} className={styles.scroll}>
        <svg width={width} height={TOP + 7 * CELL} role="grid" aria-label={`Activity by day, ${measure === "cost" ? "cost" : "tokens"}`} onKeyDown={handleKey} onPointerLeave={() => setPointed(null)} onBlur={() => setPointed(null)}>
          {monthMarks(bars).map(({ name, column }) => (
            <text key={column} className={styles.name} x={LEFT + column * CELL} y={11} aria-hidden="true">{name}</text>
          ))}
          {WEEKDAYS.map((weekday, line) => (
            <g key={weekday} role="row" aria-label={weekday}>
              {line % 2 === 0 && <text className={styles.name} x={0} y={TOP + line * CELL + 10} aria-hidden="true">{weekday}</text>}
              {lines[line]?.map(({ bar, index, column, name }) => (
                <rect
                  key={bar.day}
                  ref={(rect) => void (rect ? cells.current.set(bar.day, rect) : cells.current.delete(bar.day))}
                  role="gridcell"
                  tabIndex={index === stop ? 0 : -1}
                  aria-label={name}
                  aria-selected={bar.day === day}
                  className={styles.cell}
                  data-step={stepOf(valueOf(bar), limits)}
                  data-partial={bar.isPartial || undefined}
                  x={LEFT + column * CELL}
                  y={TOP + line * CELL}
                  width={SIZE}
                  height={SIZE}
                  rx={2.5}
                  onClick={() => {
                    setStop(bar.day);
                    toggle(bar.day);
                  }}
                  onFocus={() => setPointed(index)}
                  onPointerEnter={() => setPointed(index)}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <figcaption className={styles.caption}>
        <Legend bars={bars} limits={limits} measure={measure} />
        <span className={styles.told} aria-hidden="true">{told ? cellName(told, measure) : ""}</span>
      </figcaption>
    </figure>
  );
}

/** The latest days are those that people come for. */
function useScrolledToEnd(length: number) {
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroll.current && length > 0) scroll.current.scrollLeft = scroll.current.scrollWidth;
  }, [length]);
  return scroll;
}

function Legend({ bars, limits, measure }: Pick<HeatmapProps, "bars" | "measure"> & { limits: readonly number[] }) {
  const used = bars.map(valueOf).filter((value) => value > 0);
  const isPartial = bars.some((bar) => bar.isPartial);
  return (
    <span className={styles.legend}>
      {used.length > 0 && (
        <span className={styles.entry}>
          {amountText(Math.min(...used), measure)}
          <svg width={STEPS * 14} height={SIZE} role="img" aria-label={`Five steps: up to ${limits.map((limit) => amountText(limit, measure)).join(", ")}`}>
            {limits.map((_, step) => (
              <rect key={step} className={styles.cell} data-step={step + 1} x={step * 14} y={0} width={SIZE} height={SIZE} rx={2.5} />
            ))}
          </svg>
          {amountText(Math.max(...used), measure)}
        </span>
      )}
      {isPartial && (
        <span className={styles.entry}>
          <svg width={SIZE} height={SIZE} aria-hidden="true">
            <rect className={styles.cell} data-step={0} data-partial x={1} y={1} width={SIZE - 2} height={SIZE - 2} rx={2.5} />
          </svg>
          a part without a price
        </span>
      )}
    </span>
  );
}
