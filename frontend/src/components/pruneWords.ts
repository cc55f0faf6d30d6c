/** What is said about a pruning. */
import { bytes, count, plural } from "../lib/format";
import type { Pruned } from "./usePrune";

type Counts = Pick<Pruned, "sessionCount" | "messageCount" | "bytes" | "completed" | "skipped" | "binIds">;

/** What was deleted, and how that differs from what was promised. */
export function prunedText(done: Counts, promised: Pick<Pruned, "sessionCount" | "messageCount">): string {
  const what = `${plural(done.sessionCount, "session")}, ${plural(done.messageCount, "message")} (${bytes(done.bytes)})`;
  const notes = [
    !done.completed && "stopped before all was done",
    done.completed && done.sessionCount !== promised.sessionCount && `the preview said ${count(promised.sessionCount)}`,
    done.skipped.length > 0 && `${plural(done.skipped.length, "conversation was", "conversations were")} busy and spared`,
    done.binIds.length === 0 && "for good",
  ];
  return [`Deleted ${what}`, ...notes.filter((note) => note !== false)].join(" · ");
}
