/** Brings back what was deleted, and tells what came back, and what could not and why. */
import { useCallback } from "react";
import { type Client, useClient } from "urql";
import { type Toast, useToast, useUndone } from "../../components/Toasts";
import { deletionName, RestoreSessions } from "../../components/useConversationActions";
import type { BinRow_EntryFragment, RestoreSessionsMutation } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { count, plural } from "../../lib/format";
import { nameOf } from "./entries";

type Restored = RestoreSessionsMutation["restoreSessions"];

export function restoredText({ sessionCount, messageCount, skipped }: Pick<Restored, "sessionCount" | "messageCount" | "skipped">, name: string): string {
  const came = `${plural(sessionCount, "session")}, ${plural(messageCount, "message")}`;
  const [first] = skipped;
  if (!first) return `Brought back ${name} (${came})`;
  const head = sessionCount > 0 ? `Brought back a part of ${name} (${came}); ` : `${name} could not be brought back: `;
  const others = skipped.length > 1 ? `, and ${plural(skipped.length - 1, "other")}` : "";
  return `${head}${plural(skipped.length, "session")} left out. ${first.id}: ${first.reason} (${first.code})${others}`;
}

/** Restores deletions one after the other, in their order; one that is refused does not keep the others. */
export function useRestore() {
  const client = useClient();
  const toast = useToast();
  const undone = useUndone();
  return useCallback(
    async (entries: readonly BinRow_EntryFragment[]): Promise<void> => {
      const several: Told[] = [];
      for (const entry of entries) {
        // oxlint-disable-next-line no-await-in-loop -- one store, one writer
        const told = await restore(client, entry);
        // A part that could not come back is still in the bin, and its undo would say why.
        if (told.restored?.skipped.length === 0) undone(deletionName(entry.profile, entry.binId));
        several.push(told);
      }
      const [only] = several;
      if (several.length === 1 && only) toast(only.toast);
      else if (several.length > 1) toast(summary(several));
    },
    [client, toast, undone],
  );
}

interface Told {
  toast: Toast;
  /** Null when it was refused. */
  restored: Restored | null;
}

async function restore(client: Client, entry: BinRow_EntryFragment): Promise<Told> {
  const { data, error } = await client.mutation(RestoreSessions, { input: { profile: entry.profile, binId: entry.binId } });
  const restored = data?.restoreSessions;
  const refused = error ? toProblem(error) : restored?.userErrors[0];
  if (refused || !restored) return { toast: { text: refused ? `${refused.message} (${refused.code})` : "The server gave no answer.", tone: "bad" }, restored: null };
  return { toast: { text: restoredText(restored, nameOf(entry)), tone: restored.skipped.length > 0 ? "bad" : "plain" }, restored };
}

/** What several restorations did together, with the reason of the first that did not do all. */
export function summary(several: readonly Told[]): Toast {
  const whole = several.filter(({ restored }) => restored?.skipped.length === 0);
  const sessions = several.reduce((sum, { restored }) => sum + (restored?.sessionCount ?? 0), 0);
  const messages = several.reduce((sum, { restored }) => sum + (restored?.messageCount ?? 0), 0);
  const failed = several.find((each) => !whole.includes(each));
  const came = `Brought back ${count(whole.length)} of ${plural(several.length, "deletion")} (${plural(sessions, "session")}, ${plural(messages, "message")})`;
  return failed ? { text: `${came}. ${failed.toast.text}`, tone: "bad" } : { text: came };
}
