"""What is kept of transcripts says the same as a store that was just opened, whatever others write meanwhile."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hermes_sessions.model.lines import Line, lines_of
from hermes_sessions.model.message import MessageState
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.appending import NewMessage
from hermes_sessions.store_values import Find, MessageQuery
from hermes_sessions.stores.kept import Kept
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder, T
from tests.stores.opened import ANYTHING, delete, opened
from tests.stores.test_sizes import statements

SESSIONS = ["a", "b", "c"]
QUERIES = [
    MessageQuery(),
    MessageQuery(states=frozenset(MessageState)),
    MessageQuery(roles=frozenset({"tool"}), errors_only=True),
    MessageQuery(text="error"),
    MessageQuery(tools=frozenset({"run"})),
]
CONTENTS = ["hello", "error", "error: broken", '{"exit_code": 1}', "[CONTEXT COMPACTION] so far", None]


def fill(store: StoreBuilder) -> None:
    for number, name in enumerate(SESSIONS):
        store.session(name, start=T + number)
        for _ in range(4):
            store.message(name)


def append(store: StoreBuilder, random: Random) -> None:
    call = {"id": f"c{random.randrange(3)}", "function": {"name": random.choice(["run", "look"])}}
    role = random.choice(["user", "assistant", "tool"])
    cells: dict[str, Any] = {"tool_calls": [call]} if role == "assistant" else {}
    if role == "tool":
        cells["tool_call_id"] = f"c{random.randrange(3)}"
    store.message(
        random.choice(SESSIONS),
        role,
        random.choice(CONTENTS),
        at=T + random.randrange(2),
        active=random.choice([1, 1, 0]),
        compacted=random.choice([0, 1]),
        **cells,
    )


def any_message(store: StoreBuilder, random: Random) -> int:
    ids = [id for (id,) in store.sql("SELECT id FROM messages")]
    return random.choice(ids) if ids else 0


def edit(store: StoreBuilder, random: Random) -> None:
    column, values = random.choice(
        [
            ("content", CONTENTS),
            ("active", [0, 1, None]),
            ("compacted", [0, 1]),
            ("timestamp", [T, T + 1]),
            ("session_id", SESSIONS),
            ("role", ["user", "tool", "assistant"]),
            ("tool_call_id", ["c0", "c1", None]),
        ]
    )
    store.sql(
        f"UPDATE OR IGNORE messages SET {column} = ? WHERE id = ?", (random.choice(values), any_message(store, random))
    )


def remove(store: StoreBuilder, random: Random) -> None:
    store.sql("DELETE FROM messages WHERE id = ?", (any_message(store, random),))


def copy(store: StoreBuilder, random: Random) -> None:
    """As a compaction carries a message along."""
    store.sql(
        "INSERT INTO messages (session_id, role, content, timestamp, tool_calls, tool_call_id, active, compacted)"
        " SELECT session_id, role, content, timestamp, tool_calls, tool_call_id, ?, 1 FROM messages WHERE id = ?",
        (random.choice([0, 1]), any_message(store, random)),
    )


CHANGES: list[Callable[[StoreBuilder, Random], None]] = [append, append, edit, edit, remove, copy]


async def answers(store: SqliteStore) -> list[Any]:
    found: list[Any] = []
    for query in QUERIES:
        lines = await store.transcript(SESSIONS, query)
        found += [lines, await store.outline(SESSIONS, query, Find("hello"))]
    everything = await store.transcript(SESSIONS, QUERIES[1])
    places = [(SESSIONS[line.segment], line.id) for line in everything]
    return [*found, await store.tool_results(places), await store.tool_names(places)]


@pytest.mark.parametrize("seed", range(4))
async def test_kept_answers_are_those_of_a_store_just_opened(path: Path, seed: int) -> None:
    random = Random(seed)
    with StoreBuilder(path) as agent:
        fill(agent)
        async with opened(path) as store:
            for _ in range(12):
                async with opened(path) as fresh:
                    expected = await answers(fresh)
                assert await answers(store) == expected
                assert await answers(store) == expected  # and again, now that all of it is kept
                for _ in range(random.randrange(3)):
                    random.choice(CHANGES)(agent, random)


async def test_a_commit_by_another_program_is_seen_by_the_next_question(path: Path) -> None:
    with StoreBuilder(path) as agent:
        fill(agent)
        async with opened(path) as store:
            for _ in range(20):
                before = await store.transcript(["a"], ANYTHING)
                number = agent.message("a")
                assert list((await store.transcript(["a"], ANYTHING)).ids) == [*before.ids, number]


async def test_our_own_messages_and_deletions_are_seen_by_the_next_question(path: Path) -> None:
    with StoreBuilder(path) as agent:
        fill(agent)
    async with opened(path) as store:
        assert len(await store.transcript(["a"], ANYTHING)) == 4
        await store.append("a", [NewMessage(role="user", content="more")], Scope.SESSION, force=True)
        assert len(await store.transcript(["a"], ANYTHING)) == 5
        await delete(store, "a", force=True)
        assert len(await store.transcript(["a"], ANYTHING)) == 0


async def test_what_was_read_while_somebody_committed_is_not_kept_for_later(path: Path) -> None:
    with StoreBuilder(path) as agent:
        fill(agent)
        async with opened(path) as store:
            for _ in range(20):
                reading = asyncio.gather(*(store.transcript(SESSIONS, query) for query in QUERIES))
                await asyncio.sleep(0)
                agent.message("b", "tool", "error")
                await reading
                async with opened(path) as fresh:
                    assert await answers(store) == await answers(fresh)


async def test_further_pages_of_an_unchanged_store_list_no_messages(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StoreBuilder(path) as agent:
        fill(agent)
    async with opened(path) as store:

        async def pages() -> list[Any]:
            shown = [await store.transcript(SESSIONS, query) for query in QUERIES]
            places = [(SESSIONS[line.segment], line.id) for line in shown[0]]
            outline = await store.outline(SESSIONS, ANYTHING, Find("hello"))
            return [*shown, outline, await store.tool_results(places), await store.tool_names(places)]

        expected = await pages()
        with statements(monkeypatch) as ran:
            assert await pages() == expected
    assert [sql for sql in ran if "messages" in sql and "json_each(:ids)" not in sql] == []


@pytest.mark.parametrize("between", [0, 15, 16, 100, 399])
async def test_a_call_is_found_near_and_far_and_the_nearest_one_counts(path: Path, between: int) -> None:
    with StoreBuilder(path) as agent:
        agent.session("s")
        for name in ("older", "run"):
            call = {"id": "c1", "function": {"name": name, "arguments": "{not json"}}
            caller = agent.message("s", "assistant", None, tool_calls=[call])
        for _ in range(between):
            agent.message("s")
        result = agent.message("s", "tool", "done", tool_call_id="c1")
    async with opened(path) as store:
        assert (await store.tool_names([("s", result)]))[("s", result)].get("c1") == "run"
        assert (await store.tool_results([("s", caller)]))[("s", caller)] == {"c1": result}


async def test_a_call_that_is_too_far_away_is_not_looked_for(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("s")
        caller = agent.message("s", "assistant", None, tool_calls=[{"id": "c1", "function": {"name": "run"}}])
        for _ in range(400):
            agent.message("s")
        result = agent.message("s", "tool", "done", tool_call_id="c1")
    async with opened(path) as store:
        assert await store.tool_names([("s", result)]) == {("s", result): {}}
        assert await store.tool_results([("s", caller)]) == {("s", caller): {}}


def test_lines_stand_by_segment_and_id_whatever_order_they_come_in() -> None:
    live, rewound = MessageState.LIVE, MessageState.REWOUND
    lines = lines_of(4, [(3, live, [9, 4]), (1, live, [8, 2]), (1, rewound, [5]), (2, live, [])])
    expected = [Line(1, 2, live), Line(1, 5, rewound), Line(1, 8, live), Line(3, 4, live), Line(3, 9, live)]
    assert list(lines) == expected
    assert lines[1:4] == expected[1:4]
    assert lines[-1] == expected[-1]
    assert [lines.position(line.id) for line in expected] == [0, 1, 2, 3, 4]
    assert [lines.position(missing) for missing in (0, 3, 6, 10)] == [None] * 4
    assert len(lines_of(0, [])) == 0


def test_the_oldest_answers_go_when_there_are_too_many_rows_or_answers() -> None:
    kept: Kept[array[int]] = Kept(answers=3, rows=10)
    rows = array("q", range(4))
    for question in "abc":
        kept.put((1, 1), question, rows)
    assert kept.get((1, 1), "a") is None
    assert kept.get((1, 1), "b") is rows
    kept.put((1, 1), "d", rows)
    assert kept.get((1, 1), "c") is None  # "b" was asked for since
    kept.put((1, 1), "huge", array("q", range(99)))
    assert kept.get((1, 1), "huge") is not None
    assert kept.get((1, 1), "b") is None
    assert kept.get((1, 2), "huge") is None
    kept.put((1, 2), "a", rows)
    assert kept.get((1, 1), "huge") is None
