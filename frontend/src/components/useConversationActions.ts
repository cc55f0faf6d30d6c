/** Rename, archive and delete a conversation, each with what it says and how it is taken back. */
import { useCallback, useMemo } from "react";
import { type Client, type CombinedError, useClient } from "urql";
import { graphql } from "../graphql/generated";
import type { ErrorCode } from "../graphql/generated/graphql";
import { toProblem } from "../graphql/problem";
import { plural } from "../lib/format";
import { inShort } from "../lib/titles";
import type { OpenView } from "../lib/view";
import { useToast } from "./Toasts";

export const RenameConversation = graphql(`
  mutation RenameConversation($input: RenameSessionInput!) {
    renameSession(input: $input) {
      session { nodeId title displayTitle }
      conversation { nodeId title displayTitle }
      userErrors { __typename code message path ... on TitleTakenError { holder { nodeId id displayTitle conversation { nodeId id segments { nodeId id } } } } }
    }
  }
`);

export const ArchiveConversation = graphql(`
  mutation ArchiveConversation($input: ArchiveSessionInput!) {
    archiveSession(input: $input) {
      conversation { nodeId archived archivedMixed }
      changedIds
      userErrors { __typename code message path }
    }
  }
`);

export const DeleteConversation = graphql(`
  mutation DeleteConversation($input: DeleteSessionInput!) {
    deleteSession(input: $input) {
      deletedIds
      detachedIds
      messageCount
      alreadyAbsent
      binId
      userErrors { __typename code message path }
    }
  }
`);

export const RestoreSessions = graphql(`
  mutation RestoreSessions($input: RestoreSessionsInput!) {
    restoreSessions(input: $input) {
      changedIds
      sessionCount
      messageCount
      skipped { id code reason }
      userErrors { __typename code message path }
    }
  }
`);

/** The conversation that an action is for. */
export interface Target {
  id: string;
  profile: string;
  displayTitle: string;
  archived: boolean;
}

interface Refusal {
  code: ErrorCode | string;
  message: string;
}

/** What may be over in a moment. */
const PASSING = new Set(["STORE_BUSY", "TIMEOUT", "DISCONNECTED"]);

/** Why a title was not kept, and the session that has it where that is the reason. */
export interface RefusedTitle extends Refusal {
  holder: { title: string; open: OpenView } | null;
}

interface Holder {
  id: string;
  conversation: { id: string; segments: readonly { id: string }[] };
}

/** A session where it is read: in its conversation, or alone where it is none of its segments. */
function openSession(profile: string, { id, conversation }: Holder): OpenView {
  const segment = conversation.segments.findIndex((each) => each.id === id);
  if (segment < 0) return { type: "session", profile, id, message: null, segment: null };
  return { type: "conversation", profile, id: conversation.id, message: null, segment: segment > 0 ? id : null };
}

/** Why a mutation did not happen, wherever the answer says so; null when it did. */
function refusal(error: CombinedError | undefined, userErrors: readonly Refusal[] | undefined): Refusal | null {
  if (error) return toProblem(error);
  return userErrors?.[0] ?? null;
}

async function setArchived(client: Client, { id, profile }: Target, archived: boolean): Promise<Refusal | null> {
  const { data, error } = await client.mutation(ArchiveConversation, { input: { id, profile, archived } });
  return refusal(error, data?.archiveSession.userErrors);
}

async function restore(client: Client, profile: string, binId: string): Promise<Refusal | null> {
  const { data, error } = await client.mutation(RestoreSessions, { input: { profile, binId } });
  const skipped = data?.restoreSessions.skipped[0];
  return refusal(error, data?.restoreSessions.userErrors) ?? (skipped ? { code: skipped.code, message: skipped.reason } : null);
}

/** What the undo of a deletion takes back. */
export const deletionName = (profile: string, binId: string): string => `deletion ${profile} ${binId}`;

async function deleteConversation(client: Client, { id, profile }: Target, force: boolean) {
  const { data, error } = await client.mutation(DeleteConversation, { input: { id, profile, exact: true, force } });
  const refused = refusal(error, data?.deleteSession.userErrors);
  if (refused === null && data) return { refused: null, deleted: data.deleteSession };
  return { refused: refused ?? { code: "INTERNAL", message: "The server gave no answer." }, deleted: null };
}

export function useConversationActions() {
  const client = useClient();
  const toast = useToast();

  const complain = useCallback(
    ({ code, message }: Refusal, again?: () => void) =>
      toast({ text: `${message} (${code})`, tone: "bad", ...(again && PASSING.has(code) && { action: { label: "Try again", run: again } }) }),
    [toast],
  );

  /** Null when renamed, else why not and who holds the title, to be told beside the field. */
  const rename = useCallback(
    async ({ id, profile }: Target, title: string): Promise<RefusedTitle | null> => {
      const { data, error } = await client.mutation(RenameConversation, { input: { id, profile, title: title || null } });
      const refused = refusal(error, data?.renameSession.userErrors);
      if (!refused) return null;
      const holder = data?.renameSession.userErrors.find((each) => each.__typename === "TitleTakenError")?.holder;
      return { ...refused, holder: holder ? { title: holder.displayTitle, open: openSession(profile, holder) } : null };
    },
    [client],
  );

  const archive = useCallback(
    async (target: Target): Promise<void> => {
      const archived = !target.archived;
      const back = (): void => void setArchived(client, target, !archived).then((failed) => failed && complain(failed, back));
      const attempt = async (): Promise<void> => {
        const refused = await setArchived(client, target, archived);
        if (refused) complain(refused, () => void attempt());
        else toast({ text: `${archived ? "Archived" : "Brought back"} “${inShort(target.displayTitle)}”`, undo: back });
      };
      await attempt();
    },
    [client, complain, toast],
  );

  const remove = useCallback(
    async (target: Target, onDone: () => void): Promise<void> => {
      const attempt = async (force: boolean): Promise<void> => {
        const { refused, deleted } = await deleteConversation(client, target, force);
        if (refused?.code === "SESSION_BUSY") {
          const action = { label: "Delete anyway", run: () => void attempt(true) };
          toast({ text: refused.message, tone: "bad", action });
          return;
        }
        if (!deleted) {
          complain(refused, () => void attempt(force));
          return;
        }
        const { binId, deletedIds, alreadyAbsent } = deleted;
        const undo = (): void => void restore(client, target.profile, binId ?? "").then((failed) => failed && complain(failed, undo));
        const text = alreadyAbsent ? "Was deleted before" : `Deleted “${inShort(target.displayTitle)}” (${plural(deletedIds.length, "session")})`;
        toast(binId ? { text, undo, undoes: deletionName(target.profile, binId) } : { text });
        onDone();
      };
      await attempt(false);
    },
    [client, complain, toast],
  );

  return useMemo(() => ({ rename, archive, remove }), [rename, archive, remove]);
}
