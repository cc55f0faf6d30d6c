"""The same rows give the same answers, whichever engine they are in."""

from __future__ import annotations

import sqlite3
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.model.export.rows import Table
from hermes_sessions.model.message import Message, MessageState
from hermes_sessions.store_values import MessageQuery
from hermes_sessions.stores import hermes_schema
from hermes_sessions.stores.postgres.cells import COLUMNS
from tests.builders import StoreBuilder, T, store_path
from tests.postgres.twins import all_rows, twins
from tests.stores.opened import fill

QUERIES = [
    MessageQuery(),
    MessageQuery(roles=frozenset({"user", "tool"})),
    *(MessageQuery(states=frozenset({state})) for state in MessageState),
    MessageQuery(states=frozenset()),
    MessageQuery(text="THE"),
    MessageQuery(text='"type"'),
    MessageQuery(tools=frozenset({"terminal", "booking"})),
    MessageQuery(errors_only=True),
]
ODD_TEXTS = ["CAST(x'ff41c328' AS TEXT)", "'a' || char(0) || 'b'", "x'00ff'", "7", "''", "' '"]
ODD_NUMBERS = ["'many'", "x'ff'", "9e999", "-1", "9223372036854775807", "2.5", "NULL"]
"""Cells as SQL, for columns that should not have them."""


def seen(message: Message) -> dict[str, Any]:
    """Everything that can be read of it."""
    names = [name for name in dir(Message) if not name.startswith("_")]
    return {name: getattr(message, name) for name in names}


def fill_oddly(store: StoreBuilder) -> None:
    """Every column once with each sort of cell that it should not have, and contents of every form and size."""
    for table, name, kind in columns():
        for at, cell in enumerate(ODD_TEXTS if kind == "TEXT" else ODD_NUMBERS):
            key = f"{table}-{name}-{at}"
            store.session(key, title=f"title of {key}")
            if table == "messages":
                store.message(key, content=f"content of {key}", at=T)
            if table == "session_model_usage":
                store.usage(key, model=f"model of {key}")
            place = "id" if table == "sessions" else "session_id"
            store.sql(f"UPDATE OR IGNORE {table} SET \"{name}\" = {cell} WHERE {place} = '{key}'")
    store.session("contents")
    call = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"cmd": "\\u00e9 漢字"}'}}
    for content in (None, "", "é漢字" * 50_000, [{"type": "text", "text": "long " * 60_000}]):
        store.message("contents", "user", content, at=T)
        store.message("contents", "assistant", content, at=T, tool_calls=[call], reasoning="é" * 10)
        store.message("contents", "tool", content, at=T, tool_call_id="c1")
    store.message("contents", "user", [{"type": "text", "text": "é" * 2_100_000}], at=T)  # longer than is read whole
    store.message("contents", "tool", '{"error": "it failed"}', at=T, tool_call_id="c1")
    store.message("contents", "tool", "{" + '"error": "x", ' * 30_000, at=T, tool_call_id="c1")
    for active, compacted in ((1, 0), (0, 1), (0, 1), (0, 0)):
        store.message("contents", "user", "carried along", at=T + 9)
        store.sql(
            f"UPDATE messages SET active = {active}, compacted = {compacted} WHERE id = (SELECT max(id) FROM messages)"
        )


def columns() -> list[tuple[str, str, str]]:
    """Table, name and type of each column that is no key."""
    with sqlite3.connect(":memory:") as connection:
        for sql in (hermes_schema.SESSIONS, hermes_schema.MESSAGES, hermes_schema.SESSION_MODEL_USAGE):
            connection.execute(sql)
        return [
            (table, name, kind)
            for table in COLUMNS
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if name not in ("id", "session_id")
        ]


STORES = {"cases": fill, "oddities": fill_oddly}


@pytest.fixture(params=[*STORES, "default", "work"])
def path(request: pytest.FixtureRequest, tmp_path: Path, demo_home: Path) -> Path:
    """Stores of the cases, of whatever is odd, and of the demo home."""
    if request.param not in STORES:
        return store_path(demo_home, request.param)
    with StoreBuilder(tmp_path / "state.db") as store:
        STORES[request.param](store)
    return tmp_path / "state.db"


async def test_every_session_is_the_same(path: Path, url: str) -> None:
    async with twins(path, url) as (original, twin):
        theirs, ours = await original.forest(), await twin.forest()
        assert ours.sessions == theirs.sessions
        assert {id: ours.kind(id) for id in ours.sessions} == {id: theirs.kind(id) for id in theirs.sessions}
        ids = [*theirs.sessions, "never-was"]
        assert await twin.details(ids) == await original.details(ids)
        assert await twin.previews(ids) == await original.previews(ids)
        assert await twin.usage_by_model(ids) == await original.usage_by_model(ids)
        assert dict(await twin.all_usage()) == dict(await original.all_usage())


async def test_every_message_is_the_same(path: Path, url: str) -> None:
    async with twins(path, url) as (original, twin):
        ids = list((await original.forest()).sessions)
        for query in QUERIES:
            assert await twin.transcript(ids, query) == await original.transcript(ids, query), query
        everything = await original.transcript(ids, MessageQuery())
        theirs, ours = await original.messages(everything.ids), await twin.messages(everything.ids)
        assert ours.keys() == theirs.keys()
        for number, message in theirs.items():
            assert seen(ours[number]) == seen(message), number
        for number, size in product(everything.ids[:: len(everything) // 100 + 1], (0, 5, 100, 300_000)):
            assert await twin.content(number, size) == await original.content(number, size), (number, size)
        wanted = [(number, size) for number in everything.ids for size in (0, 3, 50)]
        assert await twin.content_tails(wanted) == await original.content_tails(wanted)
        places = [(message.session_id, number) for number, message in theirs.items()]
        assert await twin.tool_results(places) == await original.tool_results(places)
        assert await twin.tool_names(places) == await original.tool_names(places)


async def test_rows_leave_as_they_came(path: Path, url: str) -> None:
    async with twins(path, url) as (original, twin):
        for table in Table:
            theirs, ours = await all_rows(original, table), await all_rows(twin, table)
            assert len(ours) == len(theirs)
            for one, other in zip(ours, theirs, strict=True):
                assert {name: one[name] for name in other} == other
