/** The questions of the inspector. */
import { graphql } from "../../graphql/generated";

export const LineageNodeFragment = graphql(`
  fragment LineageTree_node on LineageNode {
    depth
    parentId
    childCount
    session {
      nodeId
      id
      kind
      kindReason
      displayTitle
      isLive
      messageCount
      usage { totalTokens }
      cost { usd unknownSessions ...Money_cost }
    }
  }
`);

/** By any session: a conversation's id is its head's. */
export const LineageOf = graphql(`
  query LineageOf($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      lineage(maxNodes: 2000) {
        nodes { ...LineageTree_node }
        totalCount
        truncated
        hasCycle
      }
    }
  }
`);

export const NumbersOf = graphql(`
  query NumbersOf($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      kind
      kindReason
      conversation {
        nodeId
        id
        startedAt
        lastActiveAt
        endedAt
        source
        model
        workspace
        profile { nodeId name }
        tip { nodeId id endReason cwd gitBranch }
        segments {
          nodeId
          id
          startedAt
          model
          messageCount
          usage { totalTokens }
          cost { ...Money_cost }
        }
        cost { ...Money_cost }
        costWithSubagents { ...Money_cost }
        usage { ...Numbers_usage }
        usageWithSubagents { ...Numbers_usage }
      }
    }
  }
`);

export const UsageFragment = graphql(`
  fragment Numbers_usage on Usage {
    inputTokens
    cacheReadTokens
    cacheWriteTokens
    outputTokens
    reasoningTokens
    totalTokens
    apiCalls
  }
`);
