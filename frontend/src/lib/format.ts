/** Numbers and moments as people read them. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The first format of a page takes 20 ms: it waits until something is told by it. */
function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

const compact = lazily(() => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }));
const whole = lazily(() => new Intl.NumberFormat("en"));
const dollars = lazily(() => new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const clock = lazily(() => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }));
const dayOfYear = lazily(() => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }));
const dayAndYear = lazily(() => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }));
const weekday = lazily(() => new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" }));

export const count = (value: number): string => whole().format(value);
export const tokens = (value: number): string => (value < 1000 ? whole().format(value) : compact().format(value));

/** "1 turn", "2 turns". */
export const plural = (value: number, noun: string, many = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : many}`;

export function usd(value: number): string {
  if (value === 0) return "$0";
  if (Math.abs(value) < 0.01) return `$${value.toFixed(4)}`;
  return `$${dollars().format(value)}`;
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`;
}

/** How long something took: "0.4 s", "12 s", "3 min". */
export function duration(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < MINUTE) return `${Math.round(milliseconds / 1000)} s`;
  if (milliseconds < HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  return `${(milliseconds / HOUR).toFixed(1)} h`;
}

/** How long ago: "now", "4m", "3h", "2d", then the date. */
export function age(moment: string, now = Date.now()): string {
  const passed = now - Date.parse(moment);
  if (passed < 0) return shortDate(moment, now);
  if (passed < MINUTE) return "now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h`;
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)}d`;
  return shortDate(moment, now);
}

function shortDate(moment: string, now: number): string {
  const date = new Date(moment);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayOfYear : dayAndYear)().format(date);
}

export const timeOfDay = (moment: string): string => clock().format(new Date(moment));

export const dateAndTime = (moment: string): string => {
  const date = new Date(moment);
  return `${dayAndYear().format(date)}, ${clock().format(date)}`;
};

/** "14 Jun, 09:30": for moments close to each other, of which the year is clear. */
export const dayAndTime = (moment: string): string => {
  const date = new Date(moment);
  return `${dayOfYear().format(date)}, ${clock().format(date)}`;
};

/** `dayName` for moments in order of time: the name of a day is made once, not for each of its moments. */
export function dayNames(now = Date.now()): (moment: string) => string {
  let day = { start: 0, end: 0, name: "" };
  return (moment) => {
    const time = Date.parse(moment);
    if (!(time >= day.start && time < day.end)) {
      const start = new Date(time);
      start.setHours(0, 0, 0, 0);
      day = { start: start.getTime(), end: new Date(start).setDate(start.getDate() + 1), name: dayName(moment, now) };
    }
    return day.name;
  };
}

/** The heading of a day: "Today", "Yesterday", "Monday, 3 June", with the year when it is another one. */
export function dayName(moment: string, now = Date.now()): string {
  const date = new Date(moment);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.round((midnight - new Date(moment).setHours(0, 0, 0, 0)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return sameYear ? weekday().format(date) : `${weekday().format(date)} ${date.getFullYear()}`;
}
