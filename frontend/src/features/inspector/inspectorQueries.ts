/** The questions of the inspector. */
import { graphql } from "../../graphql/generated";

export const LineageSession = graphql(`
  fragment LineageTree_session on Session {
    nodeId
    id
    parentId
    childCount
    kind
    kindReason
    displayTitle
    isLive
    archived
    startedAt
    lastActiveAt
    messageCount
    usage { totalTokens }
    cost { usd status unknownSessions ...Money_cost }
  }
`);

/** By any session: a conversation's id is its head's. */
export const LineageOf = graphql(`
  query LineageOf($id: ID!, $profile: String, $maxNodes: Int!) {
    session(id: $id, profile: $profile) {
      nodeId
      lineage(maxNodes: $maxNodes) {
        nodes {
          depth
          parentId
          isFocus
          session { nodeId ...LineageTree_session }
        }
        totalCount
        depth
        truncated
        hasCycle
        usage { totalTokens }
        cost { usd status unknownSessions }
      }
    }
  }
`);

/** One node and what is below it: where a lineage is too big to be drawn whole. */
export const LineageBelow = graphql(`
  query LineageBelow($id: ID!, $profile: String, $first: Int!) {
    session(id: $id, profile: $profile) {
      nodeId
      ...LineageTree_session
      descendants(first: $first) {
        edges {
          depth
          parentId
          node { nodeId ...LineageTree_session }
        }
        totalCount
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

/** A session as it is stored, but for its system prompt, which may be very long. */
export const RawOf = graphql(`
  query RawOf($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      id
      profile { nodeId name }
      title
      kind
      kindReason
      source
      userId
      model
      modelConfig
      cwd
      gitBranch
      gitRepoRoot
      workspace
      startedAt
      endedAt
      endReason
      lastActiveAt
      archived
      messageCount
      toolCallCount
      parentId
      childCount
      warnings
      root { nodeId id }
      conversation { nodeId id segments { nodeId id } }
      usage { ...Numbers_usage }
      cost { usd actualUsd estimatedUsd status unknownSessions }
    }
  }
`);
