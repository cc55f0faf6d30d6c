/** What the parts of an address are read with. */
export const AUDIENCES = ["chats", "automation", "all"] as const;

/** The value, when it is one of those that there are. */
export const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((each) => each === value);

/** The day as given, when the calendar has it. */
export function dayOf(text: string | undefined): string | null {
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? text : null;
}

/** An amount above nothing. */
export function amountOf(text: string | undefined): number | null {
  const amount = Number(text);
  return Number.isFinite(amount) && amount > 0 ? amount : null;
}
