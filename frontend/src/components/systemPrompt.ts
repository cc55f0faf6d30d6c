/** The system prompt of a session: it may be very long, so that it is asked for where somebody wants to see it. */
import { useQuery } from "urql";
import { graphql } from "../graphql/generated";
import { toProblem } from "../graphql/problem";

const SystemPromptOf = graphql(`
  query SystemPromptOf($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      systemPrompt
    }
  }
`);

/** `text` is undefined until it is known and null where none is stored. */
export function useSystemPrompt(id: string, profile: string, isWanted: boolean) {
  const [{ data, error }, ask] = useQuery({ query: SystemPromptOf, variables: { id, profile }, pause: !isWanted });
  const problem = error && !data?.session ? toProblem(error) : null;
  return { text: data && (data.session?.systemPrompt ?? null), problem, retry: () => ask({ requestPolicy: "network-only" }) };
}
