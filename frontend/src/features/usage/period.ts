/** The period of the page: in days, in the moments that the API takes, and in words. */
import type { UsageView } from "../../lib/usageView";
import { dayOf, dayStart, daysLater, shortDay } from "./calendar";

/** Both inclusive; null where open. */
export interface Days {
  first: string | null;
  last: string | null;
}

const LENGTHS: Partial<Record<UsageView["period"], number>> = { "7d": 7, "30d": 30, "90d": 90 };

/** Today is the last day of every period but one with dates of its own. */
export function periodDays({ period, since, until }: Pick<UsageView, "period" | "since" | "until">, now: Date): Days {
  const today = dayOf(now);
  if (period === "custom") {
    const isTurned = since !== null && until !== null && until < since;
    return isTurned ? { first: until, last: since } : { first: since, last: until };
  }
  if (period === "month") return { first: `${today.slice(0, 8)}01`, last: null };
  const length = LENGTHS[period];
  return { first: length === undefined ? null : daysLater(today, 1 - length), last: null };
}

/** The period, or the one day of it that the page is narrowed to. */
export function daysShown(usage: UsageView, now: Date): Days {
  const day = usage.only.find(({ by }) => by === "day")?.value;
  return day ? { first: day, last: day } : periodDays(usage, now);
}

/** From the first moment of the first day on, and until before the day after the last. */
export const bounds = ({ first, last }: Days) => ({
  from: first && dayStart(first).toISOString(),
  to: last && dayStart(daysLater(last, 1)).toISOString(),
});

export function daysText({ first, last }: Days): string {
  if (first && first === last) return `on ${shortDay(first)}`;
  if (first && last) return `from ${shortDay(first)} to ${shortDay(last)}`;
  if (first) return `since ${shortDay(first)}`;
  return last ? `until ${shortDay(last)}` : "at any time";
}
