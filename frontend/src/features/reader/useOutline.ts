/** The outline of what is open; what was known stays while a newer one is on its way. */
import { useMemo } from "react";
import { type TypedDocumentNode, useQuery } from "urql";
import { readFragment } from "../../graphql/generated";
import type { ConversationOutlineQuery, ConversationOutlineQueryVariables, SearchField, SessionOutlineQuery } from "../../graphql/generated/graphql";
import { useKept } from "../../lib/useKept";
import type { Mode, OpenView } from "../../lib/view";
import { statesIn } from "./modes";
import { ConversationOutline, OutlineMarks, SessionOutline } from "./outline";

type Answer = ConversationOutlineQuery | SessionOutlineQuery;

/** Thousands of marks are read once: in the cache each would be an entry of its own. */
const UNCACHED = { uncached: true };
const MOST_MARKS = 5_000;
const MOST_HITS = 20_000;

const WITH_REASONING: SearchField[] = ["CONTENT", "TOOL", "REASONING"];

export interface Sought {
  text: string;
  inReasoning: boolean;
}

/** With `sought`: also a HIT for each message that holds this text. */
export function useOutline({ type, id, profile }: OpenView, mode: Mode, sought: Sought | null, isPaused = false) {
  const document = type === "conversation" ? ConversationOutline : SessionOutline;
  const states = statesIn(mode);
  const filter = useMemo(() => (states ? { states: [...states] } : undefined), [states]);
  const [{ data, fetching, error, stale }, ask] = useQuery({
    query: document as TypedDocumentNode<Answer, ConversationOutlineQueryVariables>,
    variables: {
      id,
      profile,
      filter,
      find: sought?.text ?? null,
      findFields: sought?.inReasoning ? WITH_REASONING : undefined,
      maxMarks: sought ? MOST_HITS : MOST_MARKS,
    },
    pause: isPaused,
    context: UNCACHED,
  });
  const parent = data && ("conversation" in data ? data.conversation : data.session);
  const current = parent?.outline ?? null;
  const outline = useMemo(() => current && readFragment(OutlineMarks, current), [current]);
  const askAgain = () => ask({ ...UNCACHED, requestPolicy: "network-only" });
  return { outline: useKept(outline), isLoading: fetching || stale, error, ask: askAgain };
}
