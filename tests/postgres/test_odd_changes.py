"""Changes of rows with cells that PostgreSQL's columns cannot hold, and of cells that come in with another type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.model.export.rows import BEGINNING, Row, Table
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.recording import usage_record
from hermes_sessions.store import Store
from hermes_sessions.store_values import Fork
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.cells import FILLED
from tests.builders import StoreBuilder, T
from tests.postgres.operations import Import
from tests.postgres.twins import both, fill_from
from tests.stores.opened import opened

BROKEN = "CAST(x'ff41c328' AS TEXT)"
Fill = Callable[[StoreBuilder], object]
Pair = Callable[[Fill], Any]


@pytest.fixture
def pair(tmp_path: Path, url: str) -> Pair:
    """The store that a function fills, on both engines."""

    @asynccontextmanager
    async def filled(fill: Fill) -> AsyncIterator[tuple[Store, Store]]:
        path, address = tmp_path / "home" / "state.db", Address.of("default", url)
        with StoreBuilder(path) as store:
            fill(store)
        async with opened(path) as original:
            await fill_from(original, address)
        async with both(path, address) as stores:
            yield stores

    return filled


def with_cell(table: str, column: str, cell: str) -> Fill:
    """One session with a message and usage; this cell is as the SQL says."""

    def fill(store: StoreBuilder) -> None:
        store.session("a", title="A")
        store.message("a", "user", "hello")
        store.usage("a")
        store.sql(f"UPDATE {table} SET {column} = {cell}")

    return fill


async def rows(store: Store, table: Table, id: str = "a") -> list[Row]:
    return list((await store.exact_rows(table, [id], BEGINNING)).rows)


def document(*messages: Row, **columns: Any) -> Import:
    session = {"id": "new", "source": "cli", "started_at": T, "messages": list(messages), "usage": []}
    return Import([session | columns], dry_run=False)


@pytest.mark.parametrize("column", ["content", "tool_calls"])
@pytest.mark.parametrize("cell", ["'a' || char(0) || 'b'", "x'00ff00'", BROKEN])
async def test_messages_that_go_are_measured_in_full(pair: Pair, column: str, cell: str) -> None:
    sizes = []
    async with pair(with_cell("messages", column, cell)) as stores:
        for store in stores:
            gone = await store.delete("a", Scope.SESSION, exact=True, permanent=True, force=True, dry_run=True)
            sizes.append(gone.size_bytes)
    assert sizes[0] == sizes[1] > 2


@pytest.mark.parametrize("content", [[{"type": "text", "text": "hi"}], "a\x00b", "a \\u0000 b", "a \\\\u0000 \\b"])
async def test_a_restoration_is_foretold_whatever_the_messages_hold(pair: Pair, content: Any) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("a")
        store.message("a", "user", content)

    async with pair(fill) as (_, store):
        gone = await store.delete("a", Scope.SESSION, exact=True, permanent=False, force=True, dry_run=False)
        assert (await store.restore(gone.bin_id, dry_run=True)).message_count == 1
        assert (await store.restore(gone.bin_id, dry_run=False)).message_count == 1


@pytest.mark.parametrize("model", ["x'6d'", BROKEN, "'a' || char(0) || 'b'", "'m'"])
async def test_usage_is_recorded_whatever_the_model_of_a_session_is(pair: Pair, model: str) -> None:
    """A row whose model is only shown as the same is another one, and what is there is kept to the byte."""

    def fill(store: StoreBuilder) -> None:
        store.session("a")
        store.usage("a", model="m", cost=1.0)
        store.sql(f"UPDATE sessions SET model = {model}")

    record = usage_record({"input_tokens": 5}, estimated_usd=0.5)
    async with pair(fill) as stores:
        [before] = await rows(stores[0], Table.SESSIONS)
        found = []
        for store in stores:
            for _ in range(2):
                await store.record_usage("a", record, Scope.SESSION)
            [session] = await rows(store, Table.SESSIONS)
            assert session["model"] == before["model"]
            usage = await rows(store, Table.USAGE)
            found.append([(row["model"], row["input_tokens"], row["estimated_cost_usd"]) for row in usage])
    assert found[0] == found[1]


@pytest.mark.parametrize("cell", ["9223372036854775807", "9e999", "'many'", "'12abc'", "x'31'", "2.5", "-1"])
async def test_a_count_goes_on_from_whatever_is_there(pair: Pair, cell: str) -> None:
    found = []
    async with pair(with_cell("sessions", "api_call_count", cell)) as stores:
        for store in stores:
            await store.record_usage("a", usage_record({}), Scope.SESSION)
            [row] = await rows(store, Table.SESSIONS)
            found.append((type(row["api_call_count"]), row["api_call_count"]))
    assert found[0] == found[1]


async def test_cells_of_a_document_get_the_type_of_their_column(pair: Pair) -> None:
    message = {"role": 3, "timestamp": int(T) + 1, "token_count": "7", "active": None, "content": 2.5}
    found = []
    async with pair(lambda store: store.session("a")) as stores:
        for store in stores:
            assert (await document(message, title=12, archived=None, ended_at="1750000000").on(store)).failure is None
            [session], [written] = await rows(store, Table.SESSIONS, "new"), await rows(store, Table.MESSAGES, "new")
            cells = [session[name] for name in ("title", "archived", "ended_at")]
            cells += [written[name] for name in message]
            found.append([(type(cell), cell) for cell in cells])
            assert (await store.forest()).sessions["new"].activity.newest == T + 1
    assert found[0] == found[1]


async def test_a_title_with_a_nul_is_taken_too(pair: Pair) -> None:
    async with pair(with_cell("sessions", "title", "'a' || char(0) || 'b'")) as stores:
        [theirs, ours] = [(await document(title="a\x00b").on(store)).warnings for store in stores]
    assert len(theirs) == 1
    assert ours == theirs


async def test_a_parent_that_no_column_can_hold_is_missing(pair: Pair) -> None:
    found = []
    async with pair(lambda store: store.session("a")) as stores:
        for store in stores:
            done = await document(parent_session_id="a\x00b").on(store)
            found.append((done.imported_ids, [link.child_id for link in done.cut_links]))
    assert found[0] == found[1] == (["new"], ["new"])


async def test_a_fork_has_what_can_be_read_of_broken_settings(pair: Pair) -> None:
    broken = "CAST(x'7b2261223a2022ff227d' AS TEXT)"  # {"a": "..."}
    found = []
    async with pair(with_cell("sessions", "model_config", broken)) as stores:
        for store in stores:
            await store.fork(Fork("a", new_id="new"))
            [session] = await rows(store, Table.SESSIONS, "new")
            found.append(session["model_config"])
    assert found[0] == found[1]
    assert '"a"' in found[0]


SETTINGS = [
    "NULL",
    "''",
    "'[1]'",
    "'{broken'",
    """'{"a": NaN}'""",
    """'{"a" : "\\u00e9 \\" } ,", "b":[1.0 , 1e5]}'""",
    """'{"_reset_from": "another", "a": 1}'""",
    "CAST(x'7b2261223a2022ff227d' AS TEXT)",
]


@pytest.mark.parametrize("settings", SETTINGS)
async def test_a_marker_leaves_the_settings_of_a_child_as_they_are(pair: Pair, settings: str) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("p", end=T + 50, end_reason="daily", session_key="k")
        store.session("a", parent="p", start=T + 60, session_key="k")
        store.sql(f"UPDATE sessions SET model_config = {settings} WHERE id = 'a'")

    found = []
    async with pair(fill) as stores:
        for store in stores:
            await store.reopen("p", Scope.SESSION, force=True)
            [session] = await rows(store, Table.SESSIONS)
            found.append(session["model_config"])
    assert found[0] == found[1]


def test_what_is_never_empty_in_hermes_is_never_empty(tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "state.db") as store:
        for table, names in FILLED.items():
            found = store.sql(f"SELECT name FROM pragma_table_info('{table}') WHERE \"notnull\" AND dflt_value NOTNULL")
            assert names == {name for [name] in found}
