/** The questions of a comparison: who is compared, and their messages by page. */
import { graphql } from "../../graphql/generated";

export const CompareSession = graphql(`
  fragment Compare_session on Session {
    nodeId
    id
    parentId
    kind
    kindReason
    displayTitle
    source
    model
    startedAt
    lastActiveAt
    endedAt
    isLive
    archived
    messageCount
    usage { totalTokens }
    cost { ...Money_cost }
    conversation {
      nodeId
      id
      kind
      displayTitle
      source
      model
      startedAt
      lastActiveAt
      endedAt
      isLive
      archived
      messageCount
      usage { totalTokens }
      cost { ...Money_cost }
      segments { nodeId id parentId }
    }
  }
`);

export const CompareHeads = graphql(`
  query CompareHeads($left: ID!, $right: ID!, $profile: String) {
    server { maxPageSize }
    left: session(id: $left, profile: $profile) { nodeId ...Compare_session }
    right: session(id: $right, profile: $profile) { nodeId ...Compare_session }
  }
`);

export const CompareMessages = graphql(`
  query CompareMessages($id: ID!, $profile: String, $first: Int!, $after: String) {
    session(id: $id, profile: $profile) {
      nodeId
      messages(first: $first, after: $after) {
        nodes {
          nodeId
          id
          role
          state
          content(maxBytes: 16384)
          contentTruncated(maxBytes: 16384)
          contentBytes
          isSummary
          toolCalls { id name argumentsText }
          toolName
          timestamp
          session { nodeId id }
        }
        pageInfo { hasNextPage endCursor }
        totalCount
      }
    }
  }
`);

/** Two long messages whole: where their beginnings do not tell them apart. */
export const CompareWhole = graphql(`
  query CompareWhole($left: ID!, $right: ID!) {
    left: node(nodeId: $left) { ... on Message { nodeId content(maxBytes: 64000000) } }
    right: node(nodeId: $right) { ... on Message { nodeId content(maxBytes: 64000000) } }
  }
`);
