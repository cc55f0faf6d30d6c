/** Days of the calendar as YYYY-MM-DD, where the reader is. */

/** The moment at which a day, or the one so many days later, begins. */
export function startOfDay(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** The day so many days ago; 0 is today. */
export function daysAgo(days: number, now = Date.now()): string {
  const date = new Date(now);
  date.setDate(date.getDate() - days);
  return dayText(date);
}

/** The day that a word such as "7d" stands for today; any other text is a day already. */
export function sinceDay(since: string, now = Date.now()): string {
  if (since === "today") return daysAgo(0, now);
  if (since === "month") return firstOfMonth(now);
  const days = /^(\d+)d$/.exec(since)?.[1];
  return days === undefined ? since : daysAgo(Number(days) - 1, now);
}

function firstOfMonth(now: number): string {
  const date = new Date(now);
  date.setDate(1);
  return dayText(date);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
const dayText = (date: Date): string => `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
