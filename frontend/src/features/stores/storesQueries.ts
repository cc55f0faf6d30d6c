/** The questions that the page of stores asks: all profiles at once, and each one's health on its own. */
import { graphql } from "../../graphql/generated";

export const Stores = graphql(`
  query Stores {
    profiles { nodeId name ...StoreCard_profile }
  }
`);

export const StoreCardFragment = graphql(`
  fragment StoreCard_profile on Profile {
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
`);

export const StoreFindings = graphql(`
  query StoreFindings($profile: String!) {
    profile(name: $profile) {
      nodeId
      health {
        walBytes
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
