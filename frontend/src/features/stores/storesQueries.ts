/** The questions that the page of stores asks: which profiles there are, and about each one on its own, so that a slow store holds no other back. */
import { graphql } from "../../graphql/generated";

export const Stores = graphql(`
  query Stores {
    profiles { nodeId name }
    server { warnings }
  }
`);

export const StoreFacts = graphql(`
  query StoreFacts($profile: String!) {
    profile(name: $profile) {
      nodeId
      name
      isDefault
      engine
      status
      statusReason
      schemaVersion
      sizeBytes
      sessionCount
      conversationCount
      messageCount
    }
  }
`);

export const StoreFindings = graphql(`
  query StoreFindings($profile: String!) {
    profile(name: $profile) {
      nodeId
      health {
        walBytes
        pageBytes
        freePages
        journalMode
        library
        libraryWarnings
        danglingParents
        undercountedSessions
        searchIndexes { items { name state indexedRows expectedRows } reason }
        findings { severity area code message advice count ids }
      }
    }
  }
`);

/** Reads the whole store, so it is asked for on request alone. */
export const StoreParts = graphql(`
  query StoreParts($profile: String!) {
    profile(name: $profile) {
      nodeId
      health {
        sizes { items { name isIndex sizeBytes } reason }
        holders { items { pid command isThisServer hasLock } hidden }
      }
    }
  }
`);
