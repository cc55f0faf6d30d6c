"""The usage rows of a store that are kept in memory equal those that are read from nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores import usage_rows
from hermes_sessions.stores.sqlite.answer import Bindings
from hermes_sessions.stores.sqlite.worker import Worker
from hermes_sessions.stores.usage_rows import UsageRows
from tests.builders import StoreBuilder, T
from tests.stores.opened import connected, opened

Change = tuple[Any, ...]

names = st.sampled_from(["a", "b", "c", "d\x00", b"e\xff"])
numbers = st.integers(1, 6)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("spend"), names, st.sampled_from(["opus", "haiku", "Opus"]), st.sampled_from(["", "vision"])),
        st.tuples(st.just("more"), numbers, st.sampled_from(["input_tokens", "last_seen"]), st.integers(0, 9)),
        st.tuples(st.just("over"), numbers, names),
        st.tuples(st.just("forget"), numbers),
        st.tuples(st.just("look")),
    ),
    max_size=25,
)


@asynccontextmanager
async def following(path: Path) -> AsyncIterator[UsageRows]:
    async with connected(path, prepare=usage_rows.PREPARE) as reader:
        yield UsageRows(reader)


def change(store: StoreBuilder, what: str, *given: Any) -> None:
    match what:
        case "spend":
            store.sql(
                "INSERT OR IGNORE INTO session_model_usage (session_id, model, task, input_tokens) VALUES (?, ?, ?, 1)",
                given,
            )
        case "more":
            number, column, value = given
            store.sql(f"UPDATE session_model_usage SET {column} = ? WHERE rowid = ?", (value, number))
        case "over":
            store.sql("UPDATE OR IGNORE session_model_usage SET session_id = ? WHERE rowid = ?", given[::-1])
        case "forget":
            store.sql("DELETE FROM session_model_usage WHERE rowid = ?", given)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(changes)
def test_any_changes_by_others_lead_to_the_rows_that_are_read_from_nothing(done: list[Change]) -> None:
    async def check(path: Path) -> None:
        with StoreBuilder(path) as agent:
            for name in ("a", "b", "c", "d\x00", b"e\xff"):
                agent.sql("INSERT INTO sessions (id, source, started_at) VALUES (?, 'cli', ?)", (name, T))
            async with following(path) as followed:
                for each in [*done, ("look",)]:
                    if each == ("look",):
                        table = await followed.read()
                    else:
                        change(agent, *each)
            async with following(path) as fresh:
                assert dict(table) == dict(await fresh.read())

    with TemporaryDirectory() as directory:
        asyncio.run(check(Path(directory) / "state.db"))


async def test_rows_of_sessions_that_did_not_change_are_taken_over(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.usage(agent.session("a"))
        agent.usage(agent.session("b"))
        async with following(path) as followed:
            before = await followed.read()
            assert await followed.read() is before
            agent.usage("b", task="vision")
            after = await followed.read()
            assert [each.task for each in after["b"]] == [None, "vision"]
            assert after["a"] is before["a"]
            assert after.differing(before) == {"b"}
            agent.usage("a", task="vision")
            assert (await followed.read())["b"] is after["b"]


async def test_a_reading_that_fails_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StoreBuilder(path) as agent:
        agent.usage(agent.session("a"))
        async with following(path) as followed:
            await followed.read()
            agent.usage("a", task="vision")
            with monkeypatch.context() as patched:
                patched.setattr(usage_rows, "_REMEMBER", f"{usage_rows._REMEMBER}; SELECT * FROM nowhere")
                with pytest.raises(HermesSessionsError):
                    await followed.read()
            assert len((await followed.read())["a"]) == 2


async def test_a_reading_that_is_cancelled_at_its_end_is_not_believed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had read was rolled back: a row that becomes what it was before would look unchanged."""
    query, loop = Worker._query, asyncio.get_running_loop()

    def cancelled(worker: Worker, sql: str, bindings: Bindings, limit: float) -> Any:
        if sql == "COMMIT":
            loop.call_soon_threadsafe(reading.cancel)
            raise apsw.InterruptError
        return query(worker, sql, bindings, limit)

    with StoreBuilder(path) as agent:
        agent.usage(agent.session("a"), input_tokens=1)
        async with following(path) as followed:
            await followed.read()
            agent.sql("UPDATE session_model_usage SET input_tokens = 2")
            with monkeypatch.context() as patched:
                patched.setattr(Worker, "_query", cancelled)
                reading = asyncio.ensure_future(followed.read())
                with pytest.raises(asyncio.CancelledError):
                    await reading
            agent.sql("UPDATE session_model_usage SET input_tokens = 1")
            assert [each.usage.input_tokens for each in (await followed.read())["a"]] == [1]


async def test_a_store_without_the_table_has_no_rows_until_it_gets_it(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("a")
        [[table]] = agent.sql("SELECT sql FROM sqlite_master WHERE name = 'session_model_usage'")
        agent.sql("DROP TABLE session_model_usage")
        async with opened(path) as store:
            assert not await store.all_usage()
            agent.sql(table)
            agent.usage("a")
            assert list(await store.all_usage()) == ["a"]
