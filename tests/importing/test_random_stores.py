"""Random stores with anything in any column come back byte for byte."""

from __future__ import annotations

import asyncio
import io
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.model.export.outline import whole_conversation
from hermes_sessions.model.export.writing import FORMATS, export_text
from hermes_sessions.model.importing.document import Document, DocumentSessions
from hermes_sessions.opening import export_source
from hermes_sessions.store_values import Imported, ImportOrder
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder
from tests.stores.opened import opened

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(max_size=20),
    st.text(max_size=20),
    st.binary(max_size=12).map(lambda raw: ("text", raw)),
    st.sampled_from(["\x00json:[1]", "a\x00b", "NaN", "1e999", 'say "x" \\ \\\\', "\u2028", "{]}"]),
)
"""Anything that a column takes; a pair is text of these bytes, which need not be UTF-8."""
KEYS = {"id", "session_id", "parent_session_id", "title", "model_config"}


def cells_of(table: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some columns with anything in them, and those that a row must have."""
    with TemporaryDirectory() as directory, StoreBuilder(Path(directory) / "state.db") as store:
        info = [row for row in store.sql(f"PRAGMA table_info({table})") if row[1] not in KEYS]
    forbids_null = {row[1]: row[4] is None for row in info if row[3]}
    some = st.dictionaries(st.sampled_from([row[1] for row in info]), CELLS, max_size=6)
    needed = {name: "needed" for name, is_needed in forbids_null.items() if is_needed}
    return some.map(
        lambda row: needed | {name: cell for name, cell in row.items() if cell is not None or name not in forbids_null}
    )


@st.composite
def random_sessions(draw: st.DrawFn) -> list[dict[str, Any]]:
    count = draw(st.integers(1, 4))
    return [
        {
            "row": draw(cells_of("sessions")),
            "parent": draw(st.sampled_from([None, "ghost", *(f"s{at}" for at in range(count))])),
            "usage": draw(st.lists(cells_of("session_model_usage"), max_size=1)),
            "messages": draw(st.lists(cells_of("messages"), max_size=3)),
        }
        for _ in range(count)
    ]


def write(store: StoreBuilder, sessions: list[dict[str, Any]]) -> None:
    for at, each in enumerate(sessions):
        insert(store, "sessions", each["row"] | {"id": f"s{at}", "parent_session_id": each["parent"]})
    for number in range(3):  # ids of different sessions lie between each other
        for at, each in enumerate(sessions):
            for row in each["messages"][number : number + 1]:
                insert(store, "messages", row | {"session_id": f"s{at}"})
    for at, each in enumerate(sessions):
        for row in each["usage"]:
            insert(store, "session_model_usage", row | {"session_id": f"s{at}"})


def insert(store: StoreBuilder, table: str, row: dict[str, Any]) -> None:
    places = ", ".join("CAST(? AS TEXT)" if isinstance(cell, tuple) else "?" for cell in row.values())
    names = ", ".join(f'"{name}"' for name in row)
    values = [cell[1] if isinstance(cell, tuple) else cell for cell in row.values()]
    store.sql(f"INSERT INTO {table} ({names}) VALUES ({places})", values)


async def exported(store: SqliteStore) -> list[bytes]:
    """Every conversation, as the command writes it."""
    forest = await store.forest()
    outlines = [whole_conversation("default", forest, each) for _, each in sorted(forest.conversations.items())]
    return [
        "".join([piece async for piece in export_text(outline, export_source(store), FORMATS["json"])]).encode()
        for outline in outlines
    ]


def document(name: str, raw: bytes) -> Document:
    return Document(name, lambda: nullcontext(io.BytesIO(raw)))


async def moved(source: Path, target: Path) -> tuple[list[bytes], list[bytes], Imported]:
    async with opened(source, read_only=True) as store:
        first = await exported(store)
    sessions = DocumentSessions([document(f"file {at}", raw) for at, raw in enumerate(first)])
    async with opened(target) as store:
        done = await store.import_sessions(ImportOrder(sessions))
        return first, await exported(store), done


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(random_sessions())
def test_any_store_comes_back_as_it_was(sessions: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as directory:
        source, target = Path(directory) / "a" / "state.db", Path(directory) / "b" / "state.db"
        target.parent.mkdir()
        with StoreBuilder(source) as store:
            write(store, sessions)
        first, second, done = asyncio.run(moved(source, target))
        assert (done.skipped, done.cut_links, done.failure) == ([], [], None)
        assert second == first
        assert sum(raw.count(b'"parent_session_id"') for raw in first) == len(sessions)
