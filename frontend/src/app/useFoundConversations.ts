/** Conversations whose title, preview or id holds what is typed, a moment after the typing. */
import { useEffect, useMemo, useState } from "react";
import { useQuery } from "urql";
import { graphql } from "../graphql/generated";
import { age } from "../lib/format";
import { titleOf } from "../lib/titles";
import { useKept } from "../lib/useKept";
import { useView } from "../lib/useView";
import type { Entry } from "./paletteEntries";

const PaletteConversations = graphql(`
  query PaletteConversations($text: String!, $first: Int!) {
    conversations(profiles: [], first: $first, filter: { text: $text, audience: ALL, archived: INCLUDE }) {
      edges {
        node { nodeId id job title displayTitle source archived lastActiveAt profile { nodeId name } }
      }
    }
  }
`);

const FOUND_AT_MOST = 12;
const PAUSE = 150;

export function useFoundConversations(typed: string): { entries: Entry[]; isLate: boolean; hasFailed: boolean } {
  const { go } = useView();
  const wanted = typed.trim();
  const [text, setText] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setText(wanted), PAUSE);
    return () => clearTimeout(timer);
  }, [wanted]);
  const [{ data, operation, fetching, error }] = useQuery({
    query: PaletteConversations,
    variables: { text, first: FOUND_AT_MOST },
    pause: text === "",
  });
  // An answer to other words than the latest ones comes too late.
  const isAnswer = operation?.variables.text === text && !fetching;
  const answer = useKept(isAnswer && data ? data : null);
  const entries = useMemo(
    () =>
      (answer?.conversations?.edges ?? []).map(({ node }): Entry => {
        const profile = node.profile.name;
        return {
          key: `open ${profile} ${node.id}`,
          label: titleOf(node),
          note: [profile, node.source, node.archived && "archived", node.lastActiveAt && age(node.lastActiveAt)].filter(Boolean).join(" · "),
          icon: node.archived ? "archive" : "chat",
          run: () => go({ open: { type: "conversation", profile, id: node.id } }),
        };
      }),
    [answer, go],
  );
  return wanted ? { entries, isLate: !isAnswer || text !== wanted, hasFailed: error !== undefined } : { entries: [], isLate: false, hasFailed: false };
}
