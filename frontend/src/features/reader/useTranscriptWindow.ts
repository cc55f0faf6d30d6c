/** The loaded stretch of a transcript, be it of a whole conversation or of one session. */
import { useMemo } from "react";
import type { TypedDocumentNode } from "urql";
import type { FragmentType } from "../../graphql/generated";
import type { ConversationMessagesQuery, ConversationMessagesQueryVariables, SessionMessagesQuery } from "../../graphql/generated/graphql";
import type { Position } from "../../graphql/pageWindow";
import { usePageWindow } from "../../graphql/usePageWindow";
import { useKept } from "../../lib/useKept";
import type { Mode, OpenView } from "../../lib/view";
import { statesIn } from "./modes";
import { ConversationMessages, PAGE_SIZE, SessionMessages } from "./readerQueries";
import type { TranscriptEdge } from "./transcript";

type Answer = ConversationMessagesQuery | SessionMessagesQuery;
type Edge = FragmentType<typeof TranscriptEdge>;

const messagesIn = (data: Answer | null) => (data && ("conversation" in data ? data.conversation : data.session))?.messages ?? null;

/** Up to where a transcript has been read: a cursor for what comes later, and the session that alone is shown. */
export interface ReadUpTo {
  /** Null where it is not known: from now on. */
  cursor: string | null;
  /** By nodeId; null where a whole conversation is open. */
  session: string | null;
}

function readIn(data: Answer | null): ReadUpTo | null {
  const messages = messagesIn(data);
  if (!data || !messages) return null;
  return { cursor: messages.resumeCursor ?? null, session: "session" in data ? (data.session?.nodeId ?? null) : null };
}

export interface Anchor {
  position: Position;
  /** Tells a jump from an earlier one to the same place. */
  epoch: number;
}

export function useTranscriptWindow({ type, id, profile }: OpenView, mode: Mode, { position, epoch }: Anchor) {
  const states = statesIn(mode);
  const document = type === "conversation" ? ConversationMessages : SessionMessages;
  const window = usePageWindow<Answer, Edge, ConversationMessagesQueryVariables>({
    document: document as TypedDocumentNode<Answer, ConversationMessagesQueryVariables>,
    variables: { id, profile, filter: states ? { states: [...states] } : undefined },
    anchor: position,
    size: PAGE_SIZE,
    epoch,
    uncached: true,
    select: messagesIn,
  });
  const now = useMemo(
    () => ({
      ...window,
      /** Where the first loaded message stands in the whole transcript, from 0; null while nobody knows. */
      start: messagesIn(window.firstData)?.startPosition ?? null,
      total: (messagesIn(window.lastData) ?? messagesIn(window.data))?.totalCount ?? null,
      /** Behind what is to be followed; null before the first answer. */
      read: readIn(window.data),
    }),
    [window],
  );
  // While a jump is on its way the stretch that was read stays.
  const isThere = window.edges.length > 0 || window.loading === null;
  const kept = useKept(isThere ? now : null);
  return { now, shown: kept ?? now, isMoving: kept !== null && kept.key !== now.key };
}

export type TranscriptWindow = ReturnType<typeof useTranscriptWindow>["now"];
