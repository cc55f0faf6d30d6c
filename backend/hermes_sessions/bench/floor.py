"""The floor: a bare route for each operation, which runs one SQL statement that gives the answer as JSON text.

It reads the same file in the same way and sends about the same bytes, and does nothing else: no schema, no kinds, no
rules. What the API costs above it is the price of what the API does.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_SESSION = """
    json_object('id', id, 'source', source, 'model', model, 'title', title, 'startedAt', started_at,
        'endedAt', ended_at, 'endReason', end_reason, 'archived', archived, 'messageCount', message_count,
        'toolCallCount', tool_call_count, 'inputTokens', input_tokens, 'outputTokens', output_tokens,
        'cacheReadTokens', cache_read_tokens, 'reasoningTokens', reasoning_tokens, 'cwd', cwd, 'gitBranch', git_branch,
        'estimated', estimated_cost_usd, 'actual', actual_cost_usd, 'parentId', parent_session_id)
"""
_MESSAGE = """
    json_object('id', id, 'role', role, 'content', content, 'toolCalls', tool_calls, 'toolCallId', tool_call_id,
        'toolName', tool_name, 'timestamp', timestamp, 'tokenCount', token_count, 'reasoning', reasoning)
"""
STATEMENTS = {
    "sessions": f"""
        SELECT json_group_array({_SESSION}) FROM (SELECT * FROM sessions ORDER BY started_at DESC, id DESC LIMIT 50)
    """,
    "messages": f"""
        SELECT json_group_array({_MESSAGE})
        FROM (SELECT * FROM messages WHERE session_id = :id ORDER BY id LIMIT 100)
    """,
    "session": f"SELECT {_SESSION} FROM sessions WHERE id = :id",
    "prefix": f"SELECT {_SESSION} FROM sessions WHERE id >= :id AND id < :id || char(1114111) LIMIT 1",
    "tree": """
        WITH RECURSIVE tree(id, depth) AS (
            SELECT :id, 0 UNION
            SELECT sessions.id, tree.depth + 1 FROM tree JOIN sessions ON sessions.parent_session_id = tree.id
        )
        SELECT json_group_array(json_object('id', sessions.id, 'depth', tree.depth, 'title', sessions.title,
            'source', sessions.source, 'parentId', sessions.parent_session_id, 'startedAt', sessions.started_at,
            'messageCount', sessions.message_count, 'cost', sessions.estimated_cost_usd, 'model', sessions.model,
            'endReason', sessions.end_reason))
        FROM tree JOIN sessions ON sessions.id = tree.id
    """,
}


def floor_app(path: Path) -> Starlette:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def route(sql: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            await request.body()
            values: dict[str, Any] = dict(request.query_params)
            [(text,)] = connection.execute(sql, values).fetchall()
            return Response(text, media_type="application/json")

        return answer

    return Starlette(routes=[Route(f"/{name}", route(sql), methods=["POST"]) for name, sql in STATEMENTS.items()])


def main() -> None:
    path, port = Path(sys.argv[1]), int(sys.argv[2])
    uvicorn.run(floor_app(path), host="127.0.0.1", port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    main()
