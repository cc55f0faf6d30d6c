/** The tabs that GraphiQL opens with when it is used for the first time. */
import { type Fetcher, fetcherReturnToPromise } from "@graphiql/toolkit";
import archiveConversation from "./examples/archiveConversation.graphql?raw";
import followConversation from "./examples/followConversation.graphql?raw";
import latestConversations from "./examples/latestConversations.graphql?raw";
import lineageTree from "./examples/lineageTree.graphql?raw";
import previewDeletion from "./examples/previewDeletion.graphql?raw";
import transcript from "./examples/transcript.graphql?raw";
import usageByModel from "./examples/usageByModel.graphql?raw";
import type { Tab } from "./link";

/** Stands where no id is known, and where none should stand before somebody chose it. */
export const PLACEHOLDER_ID = "ID-OR-ITS-BEGINNING";

export const LONGEST_CONVERSATION = `{
  conversations(first: 1, orderBy: { field: MESSAGES, direction: DESC }) { nodes { id } }
}`;

const tab = (query: string, variables: Record<string, unknown>): Tab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** The examples with the id of a conversation to read. Nothing is filled in for the one that changes something. */
export const exampleTabs = (id: string): Tab[] => [
  { query: latestConversations, variables: "" },
  tab(transcript, { id, first: 30 }),
  tab(lineageTree, { id }),
  tab(usageByModel, { id }),
  tab(followConversation, { id }),
  tab(archiveConversation, { id: PLACEHOLDER_ID, archived: true }),
  tab(previewDeletion, { id, dryRun: true }),
];

interface Answer {
  data?: { conversations: { nodes: { id: string }[] } | null } | null;
}

/** The id of a conversation that shows much: the longest. A placeholder where there is none or the server does not tell. */
export async function findExampleId(fetcher: Fetcher): Promise<string> {
  try {
    const answer = (await fetcherReturnToPromise(fetcher({ query: LONGEST_CONVERSATION }))) as Answer;
    return answer.data?.conversations?.nodes[0]?.id ?? PLACEHOLDER_ID;
  } catch {
    return PLACEHOLDER_ID;
  }
}
