/** The questions of the reader: what is open, and its messages by page. */
import { graphql } from "../../graphql/generated";

export const ConversationHead = graphql(`
  query ConversationHead($id: ID!, $profile: String) {
    conversation(id: $id, profile: $profile) {
      nodeId
      ...ReaderHeader_conversation
    }
  }
`);

export const SessionHead = graphql(`
  query SessionHead($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      ...SessionHeader_session
    }
  }
`);

export const ConversationMessages = graphql(`
  query ConversationMessages($id: ID!, $profile: String, $first: Int, $after: String, $last: Int, $before: String, $around: ID, $filter: MessageFilter, $isAnchor: Boolean! = true) {
    conversation(id: $id, profile: $profile) {
      nodeId
      messages(first: $first, after: $after, last: $last, before: $before, around: $around, filter: $filter) {
        edges { cursor ...Transcript_edge }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        totalCount
        startPosition
        resumeCursor @include(if: $isAnchor)
      }
    }
  }
`);

export const SessionMessages = graphql(`
  query SessionMessages($id: ID!, $profile: String, $first: Int, $after: String, $last: Int, $before: String, $around: ID, $filter: MessageFilter, $isAnchor: Boolean! = true) {
    session(id: $id, profile: $profile) {
      nodeId
      messages(first: $first, after: $after, last: $last, before: $before, around: $around, filter: $filter) {
        edges { cursor ...Transcript_edge }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        totalCount
        startPosition
        resumeCursor @include(if: $isAnchor)
      }
    }
  }
`);

/** The first message of a segment: where the reader goes when that segment is opened. */
export const SegmentStart = graphql(`
  query SegmentStart($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      messages(first: 1) { nodes { nodeId id } }
    }
  }
`);

export const PAGE_SIZE = 40;
/** Of the page that a conversation opens with: more than is in sight, and drawn in half the time. */
export const FIRST_SIZE = 20;
