"""The real Hermes works while many users of the API do all that it offers: nothing is lost, nothing is doubled, and
Hermes meets no error."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import statistics
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.api.dumps import KEYS, loose_ends
from tests.api.locks import Locks, locks
from tests.api.serving import Server, serving
from tests.api.shaping import create
from tests.builders import StoreBuilder, home_with, store_path
from tests.hermes import crowd
from tests.hermes.crowd import ARCHIVED, DELETED, LONG, PRUNED, Listener, Outcome, Watcher
from tests.hermes.process import HermesProcess, Ledger

__all__ = ["locks"]  # a fixture

SECONDS = 8
PER_SECOND = 30
LONGEST_WAIT = 5.0
"""A guard against hanging; the printed figures are the measure."""
IN_PLACE = {"alpha": False, "beta": True}
"""The conversations that agents work on, and how they compress them."""
LISTENERS = [(id, turn) for id in ("alpha", "beta", "ours") for turn in (7, 10_000)]

Cells = dict[str, tuple[Any, ...]]
Rows = dict[str, dict[str, list[Cells]]]
"""By table and session, each row as (type, value) by column."""


class Story:
    """What happened: what Hermes says, what subscribers were told, and what the API's answers promise."""

    def __init__(self, server: Server, watched: set[str]) -> None:
        self.server, self.api = server, server.api()
        self.ledgers: dict[str, Ledger] = {}
        self.outcome = Outcome()
        self.exported: list[str] = []
        self.watcher = Watcher(server, server.api(), watched, turn=40)
        self.listeners = [Listener(server, self.api, id, turn) for id, turn in LISTENERS]

    async def happen(self, agents: Mapping[str, HermesProcess]) -> None:
        stop = threading.Event()
        for listener in self.listeners:
            await listener.begin()
        async with asyncio.TaskGroup() as tasks:
            for listener in self.listeners:
                tasks.create_task(listener.listen())
            tasks.create_task(self.watcher.watch())
            for id, agent in agents.items():
                agent.start_shift(id, per_second=PER_SECOND, in_place=IN_PLACE[id])
            ours = [asyncio.to_thread(work, *given) for work, given in self._works(stop)]
            export = tasks.create_task(asyncio.to_thread(crowd.download, self.server, stop))
            tasks.create_task(_after(SECONDS, stop))
            await asyncio.gather(*ours)
            self.exported = await export
            for id, agent in agents.items():
                self.ledgers[id] = await asyncio.to_thread(agent.end_shift)
            await asyncio.sleep(3)  # longer than sessions are ever looked at: what came before is told by then
            await asyncio.to_thread(create, self.api, id="the-end")

    def _works(self, stop: threading.Event) -> list[tuple[Callable[..., None], tuple[Any, ...]]]:
        works: list[Callable[..., None]] = [crowd.rename, crowd.write, crowd.branch_off]
        simple = [(work, (self.server.api(), stop, self.outcome)) for work in works]
        return [*simple, (crowd.clean_up, (self.server.api(), stop, self.outcome, self.watcher.present))]


async def _after(seconds: float, stop: threading.Event) -> None:
    try:
        await asyncio.sleep(seconds)
    finally:
        stop.set()  # also when something failed, or the threads would go on


def rows_of(store: StoreBuilder) -> Rows:
    found: Rows = {}
    for table, key in KEYS.items():
        names = sorted(store.columns(table))
        owner = names.index("id" if table == "sessions" else "session_id")
        cells = ", ".join(f"typeof({name}), CAST({name} AS BLOB)" for name in names)
        sessions = found.setdefault(table, {})
        for row in store.sql(f"SELECT {cells} FROM {table} ORDER BY {key}"):
            named = {name: row[2 * at : 2 * at + 2] for at, name in enumerate(names)}
            sessions.setdefault(row[2 * owner + 1].decode(), []).append(named)
    return found


@contextlib.contextmanager
def agents_on(path: Path, folder: Path) -> Iterator[dict[str, HermesProcess]]:
    """One Hermes for each conversation, which it has begun."""
    with contextlib.ExitStack() as stack:
        agents = {}
        for id in IN_PLACE:
            home = folder / f"hermes-{id}"
            home.mkdir()
            agent = agents[id] = stack.enter_context(HermesProcess(home))
            agent.open(path)
            agent.create_session(id, "telegram", model="m")
            agent.set_session_title(id, f"Work on {id}")
        yield agents


def test_agents_and_everybody_else_at_once(tmp_path: Path, locks: Locks) -> None:
    home = home_with(tmp_path / "home", default=crowd.fillers)
    path = store_path(home)
    with serving(home) as server, agents_on(path, tmp_path) as agents:
        with StoreBuilder(path) as store:
            before, loose = rows_of(store), loose_ends(store)
        story = Story(server, set(before["sessions"]))
        asyncio.run(story.happen(agents))
        complaints = [agent.complaints() for agent in agents.values()]
        for agent in agents.values():
            agent.close()
    tell(story, locks)
    assert complaints == [[], []]
    for ledger in story.ledgers.values():
        assert ledger.errors == []
        assert max(ledger.seconds) < LONGEST_WAIT
    with StoreBuilder(path) as store:
        hermes_has_what_it_wrote(store, story.ledgers)
        forks_are_whole(store, story.outcome)
        others_are_as_promised(before, rows_of(store), story.outcome)
        assert story.watcher.present == {id for (id,) in store.sql("SELECT id FROM sessions")}
        assert loose_ends(store) == loose
        assert store.sql("PRAGMA integrity_check") == [("ok",)]
    subscribers_were_told(story)
    assert story.exported == [cells["content"][1].decode() for cells in before["messages"]["long"]]
    search_indexes_are_sound(path, tmp_path / "copy.db")


def hermes_has_what_it_wrote(store: StoreBuilder, ledgers: Mapping[str, Ledger]) -> None:
    """Each message once and where Hermes put it, and the counters as Hermes alone would have left them."""
    for id, ledger in ledgers.items():
        assert len(ledger.written) > 2 * SECONDS
        stored = store.sql(
            "SELECT id, session_id FROM messages WHERE session_id = ? OR session_id GLOB ?"
            " AND session_id NOT GLOB '*errand*' ORDER BY id",
            (id, f"{id}-*"),
        )
        assert stored == sorted([*ledger.written, *((number, id) for number in ledger.carried)])
        chain = store.sql("SELECT id FROM sessions WHERE id = ? OR id GLOB ? ORDER BY started_at", (id, f"{id}-[0-9]*"))
        assert [session for (session,) in chain] == ledger.sessions
        for session in ledger.sessions:
            [counted] = store.sql(
                "SELECT message_count, tool_call_count, input_tokens FROM sessions WHERE id = ?", (session,)
            )
            [live] = store.sql(
                "SELECT count(*), coalesce(sum(json_array_length(tool_calls)), 0) FROM messages"
                " WHERE session_id = ? AND active = 1",
                (session,),
            )
            assert counted == (*live, ledger.tokens.get(session, 0))
    compacted = store.sql("SELECT count(*) FROM messages WHERE session_id = 'beta' AND compacted = 1")
    assert compacted[0][0] > 0
    assert len(ledgers["alpha"].sessions) > 1


def subscribers_were_told(story: Story) -> None:
    written = {id: [number for number, _ in ledger.written] for id, ledger in story.ledgers.items()}
    written["ours"] = story.outcome.appended
    for listener in story.listeners:
        assert listener.seen == written[listener.id]
    told = story.watcher.told
    for ledger in story.ledgers.values():
        assert told["CREATED"].issuperset(ledger.created)
        assert told["DELETED"].issuperset(ledger.deleted)
        assert told["UPDATED"].issuperset(ledger.sessions[:1])
    assert told["CREATED"].issuperset([*DELETED, *(fork for _, fork in story.outcome.forks)])
    assert told["DELETED"].issuperset([*DELETED, *PRUNED])


def others_are_as_promised(before: Rows, after: Rows, outcome: Outcome) -> None:
    """Every other row is byte for byte what it was, but for what an answer said."""
    assert outcome.titles
    for table, sessions in before.items():
        for id, rows in sessions.items():
            expected = [] if id in PRUNED else [dict(row) for row in rows]
            if table == "sessions" and id in ARCHIVED:
                expected[0]["archived"] = ("integer", str(int(outcome.archived)).encode())
            if table == "sessions" and id in outcome.titles:
                expected[0]["title"] = ("text", outcome.titles[id].encode())
            if id not in {"alpha", "beta", "ours"}:
                assert after[table].get(id, []) == expected, (table, id)
    ours = [int(cells["id"][1]) for cells in after["messages"]["ours"]]
    assert ours == outcome.appended
    assert int(after["sessions"]["ours"][0]["message_count"][1]) == len(ours)


def forks_are_whole(store: StoreBuilder, outcome: Outcome) -> None:
    """Each is what its parent was at some moment, and says so itself."""
    texts = "SELECT role, content, timestamp FROM messages WHERE session_id = ? ORDER BY id"
    assert {parent for parent, _ in outcome.forks} == {"long", "alpha"}
    for parent, fork in outcome.forks:
        copied, stored = store.sql(texts, (fork,)), store.sql(texts, (parent,))
        assert copied == stored[: len(copied)]
        assert store.sql("SELECT message_count FROM sessions WHERE id = ?", (fork,)) == [(len(copied),)]
        assert len(copied) == LONG or parent == "alpha"


def search_indexes_are_sound(path: Path, copy: Path) -> None:
    """On a copy: the check writes. Nobody has the store open any more."""
    for suffix in ("", "-wal"):
        if Path(f"{path}{suffix}").exists():
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    with StoreBuilder(copy) as store:
        expected = store.sql(
            "SELECT id, coalesce(content, '') || ' ' || coalesce(tool_name, '') || ' ' || coalesce(tool_calls, '')"
            " FROM messages ORDER BY id"
        )
        for index in ("messages_fts", "messages_fts_trigram"):
            store.sql(f"INSERT INTO {index}({index}) VALUES ('integrity-check')")
            assert store.sql(f"SELECT rowid, content FROM {index} ORDER BY rowid") == expected


def tell(story: Story, locks: Locks) -> None:
    """Prints the figures that the documents give."""
    locks.tell()
    for id, ledger in story.ledgers.items():
        waits = [seconds * 1000 for seconds in ledger.seconds]
        print(f"Hermes, {id}: {len(waits)} writes, median {statistics.median(waits):.1f} ms, max {max(waits):.0f} ms")
    print(f"{story.outcome.rounds} rounds of archiving, deleting and restoring")
