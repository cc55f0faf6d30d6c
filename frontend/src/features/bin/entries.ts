/** Entries of the bin: how they are called, which ones a text finds, and how long they stay. */
import type { BinRow_EntryFragment } from "../../graphql/generated/graphql";
import { count, dateAndTime, plural } from "../../lib/format";
import { inShort } from "../../lib/titles";

type Entry = BinRow_EntryFragment;
const DAY = 86_400_000;
const HOUR = 3_600_000;

export const keyOf = ({ profile, binId }: Pick<Entry, "profile" | "binId">): string => `${profile} ${binId}`;

export const nameOf = ({ title, sessionIds, binId }: Pick<Entry, "title" | "sessionIds" | "binId">): string => (title ? `“${inShort(title)}”` : inShort(sessionIds[0] ?? binId));

/** Those whose title, or one of whose ids, holds the text, whatever its case. */
export function found(entries: readonly Entry[], text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  return entries.filter(({ title, sessionIds }) => [title ?? "", ...sessionIds].some((each) => each.toLowerCase().includes(wanted)));
}

/** "27 days left", then "5 hours left": whole ones, rounded down, so that nobody comes too late. */
export function timeLeft(expiresAt: string | null | undefined, now: number): string {
  if (!expiresAt) return "not known";
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "goes with the next look";
  if (left < HOUR) return "under an hour left";
  return left < DAY ? `${plural(Math.floor(left / HOUR), "hour")} left` : `${plural(Math.floor(left / DAY), "day")} left`;
}

export const isSoon = (expiresAt: string | null | undefined, now: number): boolean => Boolean(expiresAt) && Date.parse(expiresAt ?? "") - now < 3 * DAY;

export const momentText = (moment: string | null | undefined): string | undefined => (moment ? dateAndTime(moment) : undefined);

/** "2 of 14 deletions". */
export const ofText = (shown: number, all: number): string => `${count(shown)} of ${plural(all, "deletion")}`;
