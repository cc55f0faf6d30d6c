/** What the API tells about a stored session, field by field in the order in which it is looked for. */
import type { RawOfQuery } from "../../graphql/generated/graphql";
import { readFragment } from "../../graphql/generated";
import { UsageFragment } from "./inspectorQueries";

type Session = NonNullable<RawOfQuery["session"]>;

export interface Column {
  name: string;
  /** As text; null where the store has nothing. */
  value: string | null;
}

const text = (value: string | number | boolean | null | undefined): string | null => (value === null || value === undefined ? null : String(value));

export function columnsOf(session: Session): Column[] {
  const { id, nodeId, title, parentId, root, conversation, childCount, kind, kindReason, source, userId, model } = session;
  const { cwd, gitBranch, gitRepoRoot, workspace, startedAt, lastActiveAt, endedAt, endReason, archived, cost } = session;
  const { messageCount, toolCallCount } = session;
  const usage = readFragment(UsageFragment, session.usage);
  const fields = {
    id, nodeId, profile: session.profile.name, title, parentId, root: root.id, conversation: conversation.id, childCount, kind, kindReason,
    source, userId, model, cwd, gitBranch, gitRepoRoot, workspace, startedAt, lastActiveAt, endedAt, endReason, archived,
    messageCount, toolCallCount,
    inputTokens: usage.inputTokens, cacheReadTokens: usage.cacheReadTokens, cacheWriteTokens: usage.cacheWriteTokens,
    outputTokens: usage.outputTokens, reasoningTokens: usage.reasoningTokens, totalTokens: usage.totalTokens, apiCalls: usage.apiCalls,
    costUsd: cost.usd, actualUsd: cost.actualUsd, estimatedUsd: cost.estimatedUsd, costStatus: cost.status,
  };
  return Object.entries(fields).map(([name, value]) => ({ name, value: text(value) }));
}
