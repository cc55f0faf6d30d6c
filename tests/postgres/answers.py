"""Everything that a store answers, as values that are the same for the same rows on any engine."""

from __future__ import annotations

from typing import Any

from hermes_sessions.model.export.outline import whole_conversation
from hermes_sessions.model.export.rows import Table
from hermes_sessions.model.export.writing import FORMATS, export_text
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import MessageState
from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.opening import export_source
from hermes_sessions.store import Store
from hermes_sessions.store_values import Find, Freshness, MessageQuery
from tests.postgres.operations import plain
from tests.postgres.searches import search
from tests.postgres.test_reading import columns, seen
from tests.postgres.twins import all_rows

ALL = MessageQuery(states=frozenset(MessageState))
SHOWN = MessageQuery()
QUERIES = [
    ALL,
    SHOWN,
    MessageQuery(text="FERRY"),
    MessageQuery(tools=frozenset({"booking"})),
    MessageQuery(errors_only=True),
]
SOUGHT = ["ferry", "漢字", "überfahrt", "book*", '"book the"', "written", "failed -book", "a%b"]
COLUMNS = {(table, name) for table, name, _ in columns()} | {
    (table.value, name) for table in Table for name in ("id", "session_id")
}
EVERY_FIELD = frozenset(SearchField)


async def lineage(store: Store) -> dict[str, Any]:
    """What is known of each session and conversation without reading any message."""
    forest = await store.forest(Freshness.NOW)
    return {
        "sessions": dict(forest.sessions),
        "kinds": {id: forest.kind(id) for id in forest.sessions},
        "conversations": dict(forest.conversations),
    }


async def answers(store: Store) -> dict[str, Any]:
    forest = await store.forest()
    ids = sorted(forest.sessions)
    heads = sorted(forest.conversations)
    chains = [[each.id for each in forest.conversations[head].segments] for head in heads]
    found = await store.messages((await store.transcript(ids, ALL)).ids)
    messages = {id: found[id] for id in sorted(found)}
    places = [(message.session_id, id) for id, message in messages.items()]
    return {
        "lineage": await lineage(store),
        "details": await store.details(ids),
        "previews": await store.previews(ids),
        "usage": [await store.usage_by_model(ids), dict(await store.all_usage())],
        "transcripts": [await store.transcript(chain, query) for chain in chains for query in QUERIES],
        "outlines": [
            list(await store.outline(chain, query, find))
            for chain in chains
            for query, find in ((ALL, None), (SHOWN, Find("ferry", EVERY_FIELD)))
        ],
        "messages": {id: seen(message) for id, message in messages.items()},
        "contents": [await store.content(id, size) for id in messages for size in (3, 100_000)],
        "tails of contents": await store.content_tails([(id, size) for id in messages for size in (0, 4)]),
        "tools": [await store.tool_results(places), await store.tool_names(places)],
        "searches": [await _found(store, text) for text in SOUGHT],
        "tails": [await _followed(store, head) for head in heads],
        "rows": {table: [_stored(table, row) for row in await all_rows(store, table)] for table in Table},
        "bin": plain(await store.bin(50)),
        "exports": {head: await _exported(store, forest, head) for head in heads},
    }


async def _found(store: Store, text: str) -> Any:
    result = await store.search(search(text, EVERY_FIELD), 30)
    return sorted(result.matches), result.is_capped, list(result.degraded)


async def _followed(store: Store, head: str) -> Any:
    """A chain from its first message on, a few at a time."""
    after, parts = 0, []
    while (tail := await store.tail(head, after=after, tip=None, limit=2)) is not None:
        parts.append((list(tail.segments), [seen(each) for each in tail.messages], tail.newest, tail.skipped))
        if not tail.messages:
            break
        after = tail.messages[-1].id
    return parts


def _stored(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """The cells of Hermes' columns with their types. In PostgreSQL there are also those of later versions."""
    return {name: (type(cell), cell) for name, cell in row.items() if (table.value, name) in COLUMNS}


async def _exported(store: Store, forest: Forest, head: str) -> list[str]:
    outline = whole_conversation("default", forest, forest.conversations[head])
    return [
        "".join([piece async for piece in export_text(outline, export_source(store), FORMATS[format])])
        for format in ("md", "html")
    ]
