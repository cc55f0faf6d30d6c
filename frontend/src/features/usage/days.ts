/** The bars of the chart: one for each day, those without usage included. */
import type { UsageView } from "../../lib/usageView";
import { dayOf } from "./calendar";
import { costParts } from "./certainty";
import type { Row } from "./usageQuery";

/** US dollars, or tokens. */
export interface Bar {
  day: string;
  /** Null on a day without usage. */
  row: Row | null;
  /** Billed, or tokens. */
  solid: number;
  /** Estimated, on top of it. */
  light: number;
  /** Something of that day has no price: its bar is too short by nobody knows how much. */
  isPartial: boolean;
}

const MOST_DAYS = 1_100;

/** From the first day of the period, or of usage where the period has none, to today or the last day with usage. */
export function toBars(rows: readonly Row[], measure: UsageView["measure"], start: string | null, today: string): Bar[] {
  const byDay = new Map(rows.flatMap((row) => (row.day ? [[row.day, row] as const] : [])));
  const used = [...byDay.keys()].toSorted();
  const first = start ?? used[0] ?? today;
  const last = [...used, today].toSorted().at(-1) ?? today;
  return daysBetween(first, last).map((day) => toBar(day, byDay.get(day) ?? null, measure));
}

function toBar(day: string, row: Row | null, measure: UsageView["measure"]): Bar {
  if (!row) return { day, row, solid: 0, light: 0, isPartial: false };
  if (measure === "tokens") return { day, row, solid: row.usage.totalTokens, light: 0, isPartial: false };
  const { billed, estimated } = costParts(row.cost);
  return { day, row, solid: billed, light: estimated, isPartial: row.cost.unknownSessions > 0 };
}

/** At most the last three years. */
function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let date = new Date(`${last}T00:00:00`); dayOf(date) >= first && days.length < MOST_DAYS; date.setDate(date.getDate() - 1)) {
    days.push(dayOf(date));
  }
  return days.toReversed();
}
