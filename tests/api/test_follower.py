"""Random histories: what a reader is told, however often it comes back, is what the store got."""

from __future__ import annotations

import asyncio
import math
import random
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.api.follower import Follower, Told
from hermes_sessions.store_values import Tail
from hermes_sessions.stores import catalogue
from tests.builders import StoreBuilder, T
from tests.stores.opened import opened


class History:
    """A conversation in a store that an agent works on. `expected` are the ids that a reader must be told."""

    def __init__(self, agent: StoreBuilder, chance: random.Random) -> None:
        self.agent = agent
        self.chance = chance
        self.tip = agent.session("s0")
        self.expected: list[int] = []
        self.told: list[int] = []
        self.is_over = False
        self._moment = T
        agent.session("other")

    def take(self, event: Told) -> None:
        assert event.complete
        if event.message is not None:
            self.told.append(event.message.id)

    def append(self) -> None:
        for _ in range(self.chance.choice([1, 1, 3, 50])):
            self._append_one("hello")

    def _append_one(self, content: str) -> None:
        self._moment += 1
        self.expected.append(self.agent.message(self.tip, "user", content, at=self._moment))

    def append_elsewhere(self) -> None:
        self.agent.message("other")

    def append_in_one_transaction(self) -> None:
        self.agent.sql("BEGIN")
        self.append()
        self.agent.message("other")
        self.append()
        self.agent.sql("COMMIT")

    def go_on_in_a_continuation(self) -> None:
        name = f"s{len(self.expected)}-{self.chance.random()}"
        self.agent.set("sessions", self.tip, end_reason="compression", ended_at=self._moment)
        self.tip = self.agent.session(name, parent=self.tip, start=self._moment)

    def leave_a_stale_sibling(self) -> None:
        """Closed, so that it is never chosen."""
        parents = self.agent.sql("SELECT parent_session_id FROM sessions WHERE id = ?", [self.tip])
        if parents[0][0] is not None:
            stale = self.agent.session(f"x{self.chance.random()}", parent=parents[0][0], end=T, end_reason="cli_close")
            self.agent.message(stale, at=self._moment + 100)

    def compact_in_place(self) -> None:
        """Everything is set aside; the last messages are carried along as copies, behind a summary."""
        live = "FROM messages WHERE session_id = ? AND active = 1"
        self.agent.sql("BEGIN")
        rows = self.agent.sql(f"SELECT role, content, timestamp {live} ORDER BY id", [self.tip])
        self.agent.sql("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", [self.tip])
        self._append_one("summary")
        for role, content, at in rows[-2:]:
            self.agent.message(self.tip, role, content, at=at)
        self.agent.sql("COMMIT")

    def rewind(self) -> None:
        """The last message is taken back: it is told only where that was done before."""
        self._lose_the_last("UPDATE messages SET active = 0, compacted = 0 WHERE id = ?")

    def delete_the_last(self) -> None:
        self._lose_the_last("DELETE FROM messages WHERE id = ?")

    def _lose_the_last(self, statement: str) -> None:
        last = self.expected[-1:]
        if last and self.agent.sql("SELECT 1 FROM messages WHERE id = ? AND active = 1", last):
            self.agent.sql(statement, last)
            if last[0] not in self.told:
                self.expected.pop()


ACTIONS = [
    History.append,
    History.append,
    History.append_elsewhere,
    History.append_in_one_transaction,
    History.go_on_in_a_continuation,
    History.leave_a_stale_sibling,
    History.compact_in_place,
    History.rewind,
    History.delete_the_last,
]


@pytest.mark.parametrize("seed", range(25))
def test_every_message_is_told_once_and_in_order(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "state.db"

    async def visit(history: History, cursor: str | None, steps: int) -> str:
        """Comes, reads now and then, and leaves at some event: gives the cursor of the last one that it took."""
        async with opened(path) as store:  # anew, as after a restart
            follower = await Follower.of(store, "s0", cursor)
            [first] = (await follower.read())[0]
            assert (first.message, first.complete) == (None, True)
            cursor = first.cursor
            for step in range(steps):
                chance.choice(ACTIONS)(history)
                if chance.random() < 0.5:
                    events = (await follower.read())[0]
                    leaves = step == steps - 1
                    for event in events[: chance.randint(0, len(events))] if leaves else events:
                        history.take(event)
                        cursor = event.cursor
        return cursor

    async def story(history: History) -> None:
        cursor: str | None = None
        for _ in range(8):
            cursor = await visit(history, cursor, chance.randint(0, 6))
        async with opened(path) as store:
            follower = await Follower.of(store, "s0", cursor)
            while follower.has_more or not history.is_over:
                history.is_over = True
                for event in (await follower.read())[0]:
                    history.take(event)
        assert history.told == history.expected

    with StoreBuilder(path) as agent:
        asyncio.run(story(History(agent, chance)))


def ids(events: list[Told]) -> list[int]:
    return [event.message.id for event in events if event.message is not None]


def test_a_segment_that_is_deleted_amid_a_reading_takes_nothing_else_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "QUICK_SECONDS", math.inf)  # also on a machine that has much to do
    path = tmp_path / "state.db"

    async def story(agent: StoreBuilder) -> None:
        async with opened(path) as store:
            follower = await Follower.of(store, "a", None)
            await follower.read()
            number = agent.message("a")
            agent.message("b")
            tail = store.tail

            async def deleting(start: str, **options: Any) -> Tail | None:
                found = await tail(start, **options)
                agent.sql("DELETE FROM messages WHERE session_id = 'b'")
                agent.sql("DELETE FROM sessions WHERE id = 'b'")
                return found

            store.tail = deleting  # type: ignore[method-assign]
            events, forest = await follower.read()
            assert ids(events) == [number]
            assert {event.tip for event in events} == set(forest.sessions) == {"a"}

    with StoreBuilder(path) as agent:
        agent.session("a", end=T, end_reason="compression")
        agent.session("b", parent="a")
        asyncio.run(story(agent))


def test_ids_that_begin_anew_are_told(tmp_path: Path) -> None:
    """As where a backup was copied into the same file."""
    path = tmp_path / "state.db"

    async def story(agent: StoreBuilder) -> None:
        async with opened(path) as store:
            follower = await Follower.of(store, "a", None)
            await follower.read()
            for content in ("first", "second"):
                agent.message("a", "user", content)
            cursor = (await follower.read())[0][-1].cursor
            agent.sql("DELETE FROM messages WHERE id = 2")
            agent.sql("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'messages'")
            assert ids((await follower.read())[0]) == []
            resumed = await Follower.of(store, "a", cursor)
            await resumed.read()
            agent.message("a", "user", "another second")
            for each in (follower, resumed):
                assert ids((await each.read())[0]) == [2]

    with StoreBuilder(path) as agent:
        agent.session("a")
        asyncio.run(story(agent))
