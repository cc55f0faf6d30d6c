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
