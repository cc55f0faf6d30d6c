/** Days as the API writes them, YYYY-MM-DD, where the browser is. */
const full = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" });
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

const padded = (value: number) => String(value).padStart(2, "0");

export const dayOf = (date: Date): string => `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;

export const dayText = (day: string): string => full.format(new Date(`${day}T00:00:00`));

export const shortDay = (day: string): string => short.format(new Date(`${day}T00:00:00`));
