/** What is said about a change of many conversations. */
import { plural } from "../lib/format";
import { type Change, type Outcome, sessionsOf, type Skipped } from "./bulkChanges";

const DOING: Record<Change, string> = { archive: "Archiving", bringBack: "Bringing back", delete: "Deleting" };
const DONE: Record<Change, string> = { archive: "Archived", bringBack: "Brought back", delete: "Deleted" };

export const conversations = (count: number): string => plural(count, "conversation");
export const doing = (change: Change, count: number): string => `${DOING[change]} ${conversations(count)}…`;

/** `asked` conversations were to be changed. */
export function outcomeText(change: Change, asked: number, outcome: Outcome): string {
  const sessions = sessionsOf(outcome);
  const left = leftText(outcome.skipped);
  const stopped = outcome.failures.length > 0 && "stopped before all was done";
  const after = [left, stopped].filter(Boolean).map((text) => ` · ${text}`).join("");
  if (sessions === 0 && after) return `Nothing was ${DONE[change].toLowerCase()}${after}`;
  if (sessions === 0) return `Nothing to change: ${conversations(asked)} ${asked === 1 ? "was" : "were"} so already`;
  const size = change === "delete" ? ` (${plural(sessions, "session")}, ${plural(outcome.messages, "message")})` : "";
  const what = stopped ? plural(sessions, "session") : conversations(Math.max(1, asked - outcome.skipped.length));
  return `${DONE[change]} ${what}${stopped ? "" : size}${after}`;
}

const REASONS: Record<string, string> = { SESSION_BUSY: "busy", NOT_FOUND: "no longer there" };

/** "3 were left: 2 busy, 1 no longer there". */
function leftText(skipped: readonly Skipped[]): string {
  if (skipped.length === 0) return "";
  const counts = new Map<string, number>();
  for (const { code } of skipped) counts.set(code, (counts.get(code) ?? 0) + 1);
  const reasons = [...counts].map(([code, count]) => (counts.size > 1 ? `${count} ` : "") + (REASONS[code] ?? code));
  return `${plural(skipped.length, "was", "were")} left: ${reasons.join(", ")}`;
}

/** One line for each conversation that was left, and for each profile that stopped. */
export function outcomeDetails({ skipped, failures }: Outcome): string[] {
  return [
    ...failures.map(({ profile, code, message }) => `${profile}: ${message} (${code})`),
    ...skipped.map(({ profile, id, code, reason }) => `${profile} ${id}: ${reason} (${code})`),
  ];
}
