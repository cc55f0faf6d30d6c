"""Whatever is done to a store, on both engines: the same answer to each change, and the same store in the end.

HERMES_SESSIONS_EXAMPLES=1000 tries so many other lists of changes, instead of a few that are always the same.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hermes_sessions.stores.postgres.address import Address
from tests.builders import StoreBuilder, T, full_plan, plan_chain, plan_subagents
from tests.postgres.answers import answers, lineage
from tests.postgres.conftest import new_database
from tests.postgres.operations import OPERATIONS, Foreign, Operation, Wait, difference, outcome
from tests.postgres.server import PostgresServer
from tests.postgres.surroundings import Surroundings
from tests.postgres.test_reading import ODD_NUMBERS, ODD_TEXTS, columns
from tests.postgres.twins import both, fill_from, postgres_store
from tests.stores.opened import fill, opened

WISHED = os.environ.get("HERMES_SESSIONS_EXAMPLES")
TRIED = settings(
    max_examples=int(WISHED or "24"),
    derandomize=WISHED is None,
    database=None,
    deadline=None,
    phases=[Phase.generate] if WISHED is None else list(Phase),  # to make a failure smaller takes minutes
    suppress_health_check=list(HealthCheck),
)


def talk(store: StoreBuilder) -> None:
    """Messages in which much is hard to keep, after the plan."""
    full_plan(store)
    call = {"id": "c1", "type": "function", "function": {"name": "booking", "arguments": '{"to": "\\u00e9 漢字"}'}}
    for content in ("漢字かな ferry", "a\x00b ferry", [{"type": "text", "text": "book the 漢字"}], None, "x'y\"z\\"):
        store.message("d1", "user", content, at=T + 1)
        store.message("d3", "assistant", content, at=T + 201, tool_calls=[call], reasoning="why\n漢")
        store.message("d3", "tool", content, at=T + 202, tool_call_id="c1", platform_message_id="c-1")
    store.session("day", "telegram", end=T + 50, end_reason="daily", session_key="k", model_config='{"max": 3}')
    for id, config in (("next1", None), ("next2", '{"a": "\\u00e9", "b": [1.0, true]}'), ("next3", "{broken")):
        store.session(id, "telegram", parent="day", start=T + 60, session_key="k", model_config=config)
    store.message("d2", "user", "compacted", at=T + 101, active=0, compacted=1)
    store.message("d2", "user", "taken back", at=T + 102, active=0)
    store.usage("d1", cost=0.25, input_tokens=3)
    store.usage("d3", task="compression", cost=0.01)


def subagents(store: StoreBuilder) -> None:
    plan_chain(store)
    plan_subagents(store)


Oddity = tuple[str, str, str, int]
"""A table, a column, a cell as SQL, and which row gets it."""
COLUMNS = [
    (table, name, cell) for table, name, kind in columns() for cell in (ODD_TEXTS if kind == "TEXT" else ODD_NUMBERS)
]
ODDITIES: st.SearchStrategy[Oddity] = st.tuples(st.sampled_from(COLUMNS), st.integers(0, 5)).map(
    lambda each: (*each[0], each[1])
)
STARTS = st.tuples(st.sampled_from([talk, fill, subagents]), st.lists(ODDITIES, max_size=8))
Start = tuple[Callable[[StoreBuilder], None], Sequence[Oddity]]


def write(path: Path, start: Start) -> None:
    build, oddities = start
    with StoreBuilder(path) as store:
        build(store)
        for table, column, cell, place in oddities:
            row = f"(SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {place})"
            store.sql(f'UPDATE OR IGNORE {table} SET "{column}" = {cell} WHERE rowid = {row}')


async def write_beside(path: Path, url: str, address: Address, written: Foreign) -> None:
    """Into a row that PostgreSQL holds in its columns alone, as another program writes it in each engine."""
    other = await asyncpg.connect(url, server_settings={"search_path": address.schema})
    ids = [row["id"] for row in await other.fetch(f"SELECT id FROM {written.table} WHERE cells IS NULL ORDER BY id")]
    if ids:
        id = ids[written.place % len(ids)]
        plain = ", is_structured = false" if "content" in written.sets else ""
        free = (
            ""
            if "title = '" not in written.sets
            else " AND NOT EXISTS (SELECT 1 FROM sessions WHERE title = 'Foreign')"
        )
        await other.execute(f"UPDATE {written.table} SET {written.sets}{plain} WHERE id = $1{free}", id)
        with StoreBuilder(path) as store:
            store.sql(f"UPDATE {written.table} SET {written.sets} WHERE id = ?{free}", [id])
    await other.close()


async def check(
    url: str, path: Path, surroundings: Surroundings, start: Start, operations: Sequence[Operation]
) -> None:
    address = Address.of("default", url)
    surroundings.begin()
    write(path, start)
    async with opened(path) as store:
        await fill_from(store, address)
    async with both(path, address) as (one, other), postgres_store(address) as replica:
        for operation in operations:
            if isinstance(operation, Wait):
                surroundings.now += operation.seconds
                continue
            if isinstance(operation, Foreign):
                await write_beside(path, url.partition("?")[0], address, operation)
            else:
                with surroundings.of(one):
                    theirs = await outcome(operation, one)
                with surroundings.of(other):
                    ours = await outcome(operation, other)
                assert difference(theirs, ours) is None, operation
            assert difference(await lineage(one), await lineage(other)) is None
            surroundings.now += 1
        assert difference(await answers(one), await answers(other)) is None
        async with both(path, address) as (one, other):
            expected = await answers(one)
            assert difference(expected, await answers(other)) is None
            assert difference(expected, await answers(replica)) is None


def test_any_changes_have_the_same_answers_and_lead_to_the_same_store(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    surroundings = Surroundings(monkeypatch)
    schemas = (f"case_{number}" for number in count())

    @TRIED
    @given(STARTS, st.lists(OPERATIONS, min_size=4, max_size=12))
    def run(start: Start, operations: list[Operation]) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "home" / "state.db"
            runner.run(check(f"{url}?schema={next(schemas)}", path, surroundings, start, operations))

    with asyncio.Runner() as runner:
        url = runner.run(new_database(server))
        run()
