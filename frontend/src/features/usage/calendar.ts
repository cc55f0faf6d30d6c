/** Days as the API writes them, YYYY-MM-DD, where the browser is. */
const full = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" });
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const long = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "long", year: "numeric" });
const month = new Intl.DateTimeFormat("en-GB", { month: "short" });

const padded = (value: number) => String(value).padStart(2, "0");

/** The moment that a day begins with: midnight, or what comes after it where the clocks are put forward then. */
export const dayStart = (day: string): Date => new Date(`${day}T00:00:00`);

export const dayOf = (date: Date): string => `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;

export const dayText = (day: string): string => full.format(dayStart(day));

export const shortDay = (day: string): string => short.format(dayStart(day));

/** "Mon 2 March 2026". */
export const longDay = (day: string): string => long.format(dayStart(day)).replace(",", "");

export const monthName = (day: string): string => month.format(dayStart(day));

/** 0 for Monday. */
export const weekdayOf = (day: string): number => (dayStart(day).getDay() + 6) % 7;

/** By noon, which no change of the clocks moves to another day. */
export function daysLater(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00`);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}
