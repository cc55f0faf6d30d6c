/** Changes many conversations at once, tells what was done and what was left, and takes it back. */
import { useCallback } from "react";
import { useClient } from "urql";
import { archiveBack, type Change, changeMany, type Outcome, type Part, restoreAll, sessionsOf } from "./bulkChanges";
import { conversations, doing, outcomeDetails, outcomeText } from "./bulkWords";
import { goingOn } from "./goingOn";
import { useToast } from "./Toasts";

interface Order {
  change: Change;
  /** How many conversations are meant. */
  count: number;
  /** Whom that is, found out before anything is changed. */
  parts: () => Promise<Part[]>;
  onUndo?: () => void;
}

export function useBulkChange() {
  const client = useClient();
  const toast = useToast();

  const takeBack = useCallback(
    async (change: Change, count: number, outcome: Outcome): Promise<void> => {
      const end = goingOn(toast, change === "archive" || change === "delete" ? doing("bringBack", count) : doing("archive", count));
      const failures = await (change === "delete" ? restoreAll(client, outcome.bins) : archiveBack(client, outcome.changed, change === "bringBack"));
      end.dismiss();
      if (failures.length > 0) toast({ text: `${conversations(count)}: not all could be taken back`, tone: "bad", details: failures });
      else toast({ text: `Undone: ${change === "bringBack" ? "archived" : "brought back"} ${conversations(count)}` });
    },
    [client, toast],
  );

  /** How many sessions were changed; rejects when it could not be found out whom to change. */
  return useCallback(
    async ({ change, count, parts, onUndo }: Order): Promise<number> => {
      const note = goingOn(toast, doing(change, count));
      try {
        const outcome = await changeMany(client, await parts(), change, (done) => note.progress(done / count));
        const changed = sessionsOf(outcome);
        const canUndo = change === "delete" ? outcome.bins.length > 0 : changed > 0;
        const undo = () => {
          onUndo?.();
          void takeBack(change, Math.max(1, count - outcome.skipped.length), outcome);
        };
        const isWhole = outcome.skipped.length + outcome.failures.length === 0;
        toast({
          text: outcomeText(change, count, outcome),
          tone: isWhole ? "plain" : "bad",
          details: outcomeDetails(outcome),
          undo: canUndo ? undo : undefined,
        });
        return changed;
      } finally {
        note.dismiss();
      }
    },
    [client, toast, takeBack],
  );
}
