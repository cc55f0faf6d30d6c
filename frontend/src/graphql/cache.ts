/** The normalised cache: entities by `nodeId`, since one id may live in several profiles. */
import { type Cache, cacheExchange } from "@urql/exchange-graphcache";

const ENTITIES = ["Session", "Conversation", "Message"];
/**
 * A profile is a value although it has an id: as an entity all rows of a list would share it, and
 * the cache would read every page anew whenever one more arrives.
 */
const VALUES = [
  "AmbiguousIdError",
  "ArchiveSessionPayload",
  "BasicError",
  "BinEntry",
  "BulkPayload",
  "ConversationConnection",
  "ConversationEdge",
  "Cost",
  "CutLink",
  "DeleteSessionPayload",
  "DescendantConnection",
  "DescendantEdge",
  "FacetValue",
  "Facets",
  "Finding",
  "HiddenCounts",
  "ImagePart",
  "ImportPayload",
  "Lineage",
  "LineageNode",
  "MessageConnection",
  "MessageEdge",
  "MessageEvent",
  "ModelUsage",
  "OtherPart",
  "Outline",
  "OutlineCount",
  "OutlineMark",
  "PageInfo",
  "Profile",
  "ProfileFailure",
  "RenameSessionPayload",
  "Seam",
  "SearchConnection",
  "SearchEdge",
  "SearchHit",
  "SearchIndexHealth",
  "SearchIndexes",
  "Server",
  "SessionChange",
  "SessionConnection",
  "SessionEdge",
  "SkippedSession",
  "StoreHealth",
  "StoreHolder",
  "StoreHolders",
  "StorePart",
  "StoreSizes",
  "TextPart",
  "TextRange",
  "TitleTakenError",
  "ToolCall",
  "Usage",
  "UsageBooking",
  "UsageReport",
  "UsageRow",
];

const byNodeId = (entity: { nodeId?: unknown }) => (typeof entity.nodeId === "string" ? entity.nodeId : null);
const embedded = () => null;

const MOVING = new Set(["conversations", "profiles", "bin", "usage", "search"]);

const SINGLE = new Set(["conversation", "session"]);

interface MutationArguments {
  input?: { dryRun?: boolean };
}

/** Lists and counts are asked for again once a change may have moved rows in or out of them, and so is what was not there. */
function forgetLists(_result: unknown, args: MutationArguments, cache: Cache): void {
  if (args.input?.dryRun) return;
  for (const field of cache.inspectFields("Query")) {
    const isMissing = SINGLE.has(field.fieldName) && cache.resolve("Query", field.fieldKey) === null;
    if (isMissing || MOVING.has(field.fieldName)) {
      cache.invalidate("Query", field.fieldName, field.arguments);
    }
  }
}

/** A change of many tells ids of sessions alone, so what is open is asked for again. A dry run changed nothing. */
function forgetMany(result: unknown, args: MutationArguments, cache: Cache): void {
  if (args.input?.dryRun) return;
  forgetLists(result, args, cache);
  for (const { fieldKey, fieldName } of cache.inspectFields("Query")) {
    const entity = fieldName === "conversation" ? cache.resolve("Query", fieldKey) : null;
    if (typeof entity === "string") cache.invalidate(entity, "archived");
  }
}

export const createCache = () =>
  cacheExchange({
    keys: Object.fromEntries([
      ...ENTITIES.map((name) => [name, byNodeId]),
      ...VALUES.map((name) => [name, embedded]),
    ]),
    updates: {
      Mutation: {
        archiveSession: forgetLists,
        deleteSession: forgetLists,
        importSessions: forgetLists,
        restoreSessions: forgetLists,
        archiveSessions: forgetMany,
        deleteSessions: forgetMany,
        pruneSessions: forgetMany,
      },
    },
  });
