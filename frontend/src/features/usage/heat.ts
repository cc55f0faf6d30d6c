/** The days of a period as a calendar: weeks as columns from Monday on, and how deep the colour of each day is. */
import { moneyText } from "../../components/Money";
import { plural, tokens, usd } from "../../lib/format";
import type { UsageView } from "../../lib/usageView";
import { longDay, monthName, weekdayOf } from "./calendar";
import type { Bar } from "./days";

export const STEPS = 5;

/** The greatest value of each step: as many days of use in one as in another, since a few days cost most of all. */
export function thresholds(bars: readonly Bar[]): number[] {
  const values = bars.map(valueOf).filter((value) => value > 0).toSorted((a, b) => a - b);
  return Array.from({ length: STEPS }, (_, step) => values[Math.ceil(((step + 1) * values.length) / STEPS) - 1] ?? 0);
}

export const valueOf = ({ solid, light }: Bar): number => solid + light;

/** 0 for nothing, 1 to 5 from the least to the most. */
export function stepOf(value: number, limits: readonly number[]): number {
  if (value <= 0) return 0;
  const step = limits.findIndex((limit) => value <= limit);
  return step === -1 ? STEPS : step + 1;
}

/** "Mon 2 March 2026: $1.20, 14 sessions". */
export function cellName({ day, row }: Bar, measure: UsageView["measure"]): string {
  if (!row) return `${longDay(day)}: nothing`;
  const value = measure === "cost" ? moneyText(row.cost) : `${tokens(row.usage.totalTokens)} tokens`;
  return `${longDay(day)}: ${value}, ${plural(row.sessions, "session")}`;
}

export const amountText = (value: number, measure: UsageView["measure"]): string => (measure === "cost" ? usd(value) : tokens(value));

/** In which column each day stands. */
export const columnOf = (bars: readonly Bar[], index: number): number => Math.floor(((bars[0] ? weekdayOf(bars[0].day) : 0) + index) / 7);

/** The months by the column that they begin in, none so close to the next that the names would touch. */
export function monthMarks(bars: readonly Bar[]): { name: string; column: number }[] {
  const marks = bars.flatMap(({ day }, index) => (index === 0 || day.endsWith("-01") ? [{ name: monthName(day), column: columnOf(bars, index) }] : []));
  return marks.filter(({ column }, index) => (marks[index + 1]?.column ?? Infinity) - column >= 3);
}

const MOVES: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28, Home: -Infinity, End: Infinity };

/** The day that a key leads to; null for keys that lead nowhere. Beyond the ends a step stays where it is. */
export function moved(key: string, index: number, length: number): number | null {
  const move = MOVES[key];
  if (move === undefined) return null;
  const next = index + move;
  if (Math.abs(move) === Infinity) return move < 0 ? 0 : length - 1;
  return next < 0 || next >= length ? index : next;
}
