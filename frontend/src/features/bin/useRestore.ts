/** Brings back what was deleted, and tells what came back, and what could not and why. */
import { useCallback } from "react";
import { useClient } from "urql";
import { useToast } from "../../components/Toasts";
import { RestoreSessions } from "../../components/useConversationActions";
import type { BinRow_EntryFragment, RestoreSessionsMutation } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { plural } from "../../lib/format";

type Restored = RestoreSessionsMutation["restoreSessions"];

export function restoredText({ sessionCount, messageCount, skipped }: Pick<Restored, "sessionCount" | "messageCount" | "skipped">, name: string): string {
  const came = `${plural(sessionCount, "session")}, ${plural(messageCount, "message")}`;
  const [first] = skipped;
  if (!first) return `Brought back ${name} (${came})`;
  const head = sessionCount > 0 ? `Brought back a part of ${name} (${came}); ` : `${name} could not be brought back: `;
  const others = skipped.length > 1 ? `, and ${plural(skipped.length - 1, "other")}` : "";
  return `${head}${plural(skipped.length, "session")} left out. ${first.id}: ${first.reason} (${first.code})${others}`;
}

export function useRestore() {
  const client = useClient();
  const toast = useToast();
  return useCallback(
    async ({ profile, binId }: BinRow_EntryFragment, name: string): Promise<void> => {
      const { data, error } = await client.mutation(RestoreSessions, { input: { profile, binId } });
      const restored = data?.restoreSessions;
      const refused = error ? toProblem(error) : restored?.userErrors[0];
      if (refused) toast({ text: `${refused.message} (${refused.code})`, tone: "bad" });
      else if (restored) toast({ text: restoredText(restored, name), tone: restored.skipped.length > 0 ? "bad" : "plain" });
    },
    [client, toast],
  );
}
