/** Plain objects of the API's types, with believable values where a test does not care. */
const usage = {
  inputTokens: 1200,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 300,
  reasoningTokens: 0,
  totalTokens: 1500,
  apiCalls: 2,
};

export const aCost = (change: object = {}) => ({
  usd: 0.5,
  actualUsd: null,
  estimatedUsd: 0.5,
  status: "ESTIMATED",
  unknownSessions: 0,
  ...change,
});

export const aProfile = (name = "default") => ({
  __typename: "Profile",
  nodeId: `profile:${name}`,
  name,
  isDefault: name === "default",
  status: "READY",
  statusReason: null,
  conversationCount: 3,
});

export const aSession = (id: string, change: object = {}) => ({
  __typename: "Session",
  nodeId: `session:default:${id}`,
  id,
  profile: aProfile(),
  title: null,
  displayTitle: `Session ${id}`,
  kind: "ROOT",
  kindReason: "no parent",
  source: "cli",
  model: "hermes-4",
  startedAt: "2026-03-01T10:00:00.000000Z",
  endReason: null,
  isLive: false,
  archived: false,
  messageCount: 2,
  usage,
  cost: aCost(),
  ...change,
});

export const aConversation = (id: string, change: object = {}) => ({
  __typename: "Conversation",
  nodeId: `conversation:default:${id}`,
  id,
  profile: aProfile(),
  segments: [aSession(id)],
  tip: aSession(id),
  title: `Title of ${id}`,
  displayTitle: `Title of ${id}`,
  kind: "ROOT",
  source: "cli",
  model: "hermes-4",
  startedAt: "2026-03-01T10:00:00.000000Z",
  lastActiveAt: "2026-03-01T11:00:00.000000Z",
  endedAt: null,
  isLive: false,
  archived: false,
  archivedMixed: false,
  messageCount: 2,
  branchCount: 0,
  job: null,
  subagentCount: 0,
  usage,
  cost: aCost(),
  ...change,
});

export const aMessage = (id: string, change: object = {}) => ({
  __typename: "Message",
  nodeId: `message:default:${id}`,
  id,
  session: aSession("s1"),
  role: "user",
  state: "LIVE",
  content: `Text of ${id}`,
  contentTruncated: false,
  contentBytes: 10,
  parts: [{ __typename: "TextPart", text: `Text of ${id}` }],
  reasoning: null,
  toolCalls: [],
  toolCallId: null,
  toolName: null,
  timestamp: "2026-03-01T10:00:00.000000Z",
  finishReason: null,
  isSummary: false,
  isError: false,
  contentTail: null,
  warnings: [],
  ...change,
});

interface Connected {
  nodeId: string;
}

/** A whole connection on one page; `seams` by the id of the node that they stand before. */
export const aConnection = (nodes: Connected[], seams: Record<string, object> = {}) => ({
  edges: nodes.map((node) => ({ cursor: node.nodeId, node, seam: seams[node.nodeId] ?? null })),
  nodes,
  pageInfo: {
    hasNextPage: false,
    hasPreviousPage: false,
    startCursor: nodes[0]?.nodeId ?? null,
    endCursor: nodes.at(-1)?.nodeId ?? null,
  },
  totalCount: nodes.length,
});

export const noneHidden = { archived: 0, automation: 0, empty: 0, subagents: 0, sideRows: 0, otherFilters: 0 };

export const noFacets = { audiences: [], sources: [], models: [], workspaces: [] };

export const aHit = (id: string, change: object = {}) => ({
  __typename: "SearchHit",
  field: "CONTENT",
  hitsInConversation: 1,
  profile: aProfile(),
  conversation: aConversation(id),
  session: aSession(id),
  message: aMessage("1"),
  snippet: "a red fox",
  highlights: [],
  ...change,
});

/** An answer of the search on one page. */
export const anAnswer = (hits: ReturnType<typeof aHit>[], change: object = {}) => ({
  edges: hits.map((node, index) => ({ cursor: `${node.conversation.id} ${index}`, node })),
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: hits.length,
  totalIsCapped: false,
  degraded: null,
  unsearched: ["REASONING"],
  failures: [],
  ...change,
});
