/** The questions that the bin asks: the profiles, and what was deleted from each. */
import { graphql } from "../../graphql/generated";

export const BinProfiles = graphql(`
  query BinProfiles {
    profiles { nodeId name }
  }
`);

export const BinOf = graphql(`
  query BinOf($profile: String!, $first: Int!) {
    bin(profile: $profile, first: $first) { ...BinRow_entry }
  }
`);

export const BinRowFragment = graphql(`
  fragment BinRow_entry on BinEntry {
    binId
    profile
    title
    sessionIds
    messageCount
    bytes
    deletedAt
    expiresAt
  }
`);

/** Of each profile. */
export const BIN_SIZE = 200;
