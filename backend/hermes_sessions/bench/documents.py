"""The GraphQL documents that are measured."""

from __future__ import annotations

_SESSION = """
    id source model title startedAt endedAt endReason archived messageCount toolCallCount cwd gitBranch parentId
    usage { inputTokens outputTokens cacheReadTokens reasoningTokens } cost { estimatedUsd actualUsd }
"""
_CONVERSATION = "id displayTitle source model lastActiveAt messageCount archived cost { usd status }"
_MESSAGE = "id role content toolCalls { id name argumentsText } toolCallId toolName timestamp tokenCount reasoning"
_PAGE_INFO = "pageInfo { hasNextPage endCursor }"

SESSIONS = f"query ($after: String) {{ sessions(first: 50, after: $after) {{ nodes {{ {_SESSION} }} }} }}"
CONVERSATIONS = (
    f"query ($after: String) {{ conversations(first: 50, after: $after) {{ nodes {{ {_CONVERSATION} }} }} }}"
)
MESSAGES = (
    "query ($id: ID!, $after: String) { session(id: $id) { messages(first: 100, after: $after) { nodes { "
    f"{_MESSAGE} }} }} }} }}"
)
SESSION = f"query ($id: ID!) {{ session(id: $id) {{ {_SESSION} }} }}"
TREE = """query ($id: ID!) { session(id: $id) { lineage(maxNodes: 2000) { nodes { depth parentId session {
    id title source startedAt messageCount model endReason cost { usd } } } } } }"""
COUNTS = """{ profile { sessionCount conversationCount messageCount } conversations(first: 1) { totalCount
    hidden { archived automation empty subagents sideRows otherFilters }
    facets { audiences { value count } sources { value count } models { value count } workspaces { value count } }
    } }"""
USAGE = """{ usage(by: [DAY, MODEL]) { rows { day model sessions messages
    usage { totalTokens inputTokens cacheReadTokens cacheWriteTokens outputTokens apiCalls }
    cost { usd actualUsd estimatedUsd status unknownSessions } }
    total { sessions messages usage { totalTokens } cost { usd } } } }"""
SEARCH = """query ($text: String!) { search(text: $text, first: 20) { totalCount edges { node {
    snippet highlights { start end } hitsInConversation session { id model source startedAt } } } } }"""

# Every page of these is read once, for the cursors of deep pages and for what the server then holds in memory.
ALL_SESSIONS = (
    f"query ($after: String) {{ sessions(first: 500, after: $after) {{ {_PAGE_INFO}"
    f" edges {{ cursor node {{ {_SESSION} }} }} }} }}"
)
ALL_CONVERSATIONS = (
    f"query ($after: String) {{ conversations(first: 500, after: $after) {{ {_PAGE_INFO}"
    f" edges {{ cursor node {{ {_CONVERSATION} }} }} }} }}"
)
ALL_MESSAGES = (
    "query ($id: ID!, $after: String) { session(id: $id) { messages(first: 500, after: $after) {"
    f" {_PAGE_INFO} edges {{ cursor }} }} }} }}"
)
LONGEST_SESSION = "{ sessions(first: 1, orderBy: {field: MESSAGES}) { nodes { id } } }"
MESSAGE_COUNT = "query ($id: ID!) { session(id: $id) { messageCount } }"
