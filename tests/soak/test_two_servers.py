"""Two servers on one home, and an agent: each sees what the other acknowledged, one goes on when the other is killed,
and the agent notices nothing."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.api.streaming import CHANGES, MESSAGES
from tests.api.test_restoring import RESTORE
from tests.builders import StoreBuilder, store_path
from tests.hermes.appending import appending
from tests.hermes.crowd import DELETED, NAMES
from tests.postgres.listeners import Listener, listening, until
from tests.postgres.writers import CREATE, RENAME, writing
from tests.processes import Replica, replica
from tests.soak.changers import GO
from tests.soak.home import AGENTS_RATE
from tests.soak.pair import Mover, Pair, crowded_home, kill

RACES = 5
ROUNDS = 8
"""Of looking through the other server for what one has acknowledged."""
WITHIN_SECONDS = 5.0
"""Most that it may take a server to see what another one with a state directory of its own has changed."""
MOST_PAUSE = 10.0
"""A guard against hanging, of a program whose server goes on while the other one dies."""
SEEN = "query ($id: ID!) { session(id: $id) { title messageCount } }"
LISTED = "{ conversations(first: 50, filter: {audience: ALL}) { nodes { title } } }"


@pytest.fixture(params=["one state directory", "two state directories"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    home = crowded_home(tmp_path / "home")
    is_one = request.param == "one state directory"
    environment = {"HERMES_SESSIONS_STATE_DIR": str(tmp_path / "state")} if is_one else {}
    folders = [tmp_path / "one", tmp_path / "other"]
    with ExitStack() as stack:
        start = [replica(folder, "--home", str(home), environment=environment) for folder in folders]
        yield Pair(home, folders, environment, [stack.enter_context(each) for each in start])


def test_two_servers_are_one_to_their_users(pair: Pair, lasting: float, figure: Callable[[str], None]) -> None:
    waits = seconds_until_seen(pair)
    assert max(waits) < WITHIN_SECONDS
    for race in range(RACES):
        race_for_a_title(pair, f"Title of race {race}")
        race_for_an_id(pair, f"race-{race}")
    races_of_deletions(pair)
    movers = [Mover(port, "default", f"ours-{at}-{port}", ports=pair.ports) for at in range(2) for port in pair.ports]
    survivor = pair.ports[0]
    streams = [Listener([port], "default", MESSAGES, {"id": each.name}) for port in pair.ports for each in movers[:2]]
    changes = [Listener([port], "default", CHANGES) for port in pair.ports]
    for mover in movers:
        assert ask(pair.servers[0], CREATE, id=mover.name)["userErrors"] == []
    with (
        appending(pair.path, pair.home.parent, per_second=AGENTS_RATE),
        listening([*streams, *changes]),
        ExitStack() as stack,
    ):
        with writing(movers):
            time.sleep(lasting / 6)
            kill(pair.servers[1].pid)
            time.sleep(lasting / 12)
            stack.enter_context(pair.again(1))
            time.sleep(lasting / 6)
        is_whole(pair.path, movers)
        assert until(lambda: all(is_told(stream, movers) for stream in streams), within=10)
        time.sleep(2.5)  # longer than sessions are ever looked at
    for mover in movers:
        assert (mover.moves > 0) == (mover.name.endswith(str(pair.ports[1])))
        assert {code for code, _ in mover.refusals} <= {"ID_TAKEN", "STORE_BUSY"}
    pauses = [gap for mover in movers if not mover.moves for gap in gaps(mover)]
    assert max(pauses) < MOST_PAUSE
    told_all([each for each in changes if each.ports == [survivor]], movers)
    figure(
        f"Two servers, {'one state directory' if pair.is_one_state else 'two state directories'}: seen through the "
        f"other one after {1000 * statistics.median(waits):.0f} ms (median), at most {1000 * max(waits):.0f} ms; "
        f"{sum(len(each.moments) for each in movers)} changes acknowledged around kill -9, the survivor's writers "
        f"waited at most {1000 * max(pauses):.0f} ms."
    )


def test_a_worker_that_is_killed_costs_nothing_that_was_acknowledged(
    tmp_path: Path, lasting: float, figure: Callable[[str], None]
) -> None:
    home = crowded_home(tmp_path / "home")
    with replica(tmp_path / "server", "--home", str(home), "--workers", "2") as server:
        movers = [Mover(server.port, "default", f"ours-{at}", ports=[server.port]) for at in range(4)]
        streams = [Listener([server.port], "default", MESSAGES, {"id": each.name}) for each in movers]
        for mover in movers:
            assert ask(server, CREATE, id=mover.name)["userErrors"] == []
        with appending(store_path(home), tmp_path, per_second=AGENTS_RATE), listening(streams):
            with writing(movers):
                time.sleep(lasting / 6)
                workers = workers_of(server)
                kill(workers[0])
                time.sleep(lasting / 4)
            assert until(lambda: all(is_told(stream, movers) for stream in streams), within=10)
        assert until(lambda: len(set(workers_of(server)) - set(workers)) == 1, within=30)
        assert f"worker {workers[0]} has ended with -9, another one takes its place" in server.log.read_text()
    is_whole(store_path(home), movers)
    figure(
        f"Two workers, one killed: {sum(len(each.moments) for each in movers)} changes acknowledged, "
        f"{sum(each.moves for each in movers)} connections lost, writers waited at most "
        f"{1000 * max(max(gaps(each)) for each in movers):.0f} ms."
    )


def ask(server: Replica, document: str, **variables: object) -> Any:
    """What the first field of the answer holds."""
    answer = server.ask(document, None, **variables)
    assert "errors" not in answer, answer
    return next(iter(answer["data"].values()))


def refusals(payload: Any) -> list[str]:
    return [each["code"] for each in payload["userErrors"]]


def seconds_until_seen(pair: Pair) -> list[float]:
    """From the acknowledgement of a title by one server to an answer of the other one with it, both ways."""
    waits = []
    for number in range(ROUNDS):
        one, other = pair.servers[number % 2], pair.servers[1 - number % 2]
        title = f"Seen {number}"
        assert refusals(ask(one, RENAME, id=NAMES[-1], title=title)) == []
        acknowledged, asked = time.monotonic(), 0
        while title not in [node["title"] for node in ask(other, LISTED)["nodes"]]:
            asked += 1
            assert time.monotonic() - acknowledged < WITHIN_SECONDS
        assert not (pair.is_one_state and asked), "not seen at once"
        assert ask(other, SEEN, id=NAMES[-1])["title"] == title
        waits.append(time.monotonic() - acknowledged)
    return waits


def both(pair: Pair, document: str, inputs: Sequence[dict[str, object]]) -> list[Any]:
    """Asks both at once, each with its own variables."""
    with ThreadPoolExecutor(2) as threads:
        return list(threads.map(lambda server, input: ask(server, document, **input), pair.servers, inputs))


def race_for_a_title(pair: Pair, title: str) -> None:
    answers = both(pair, RENAME, [{"id": id, "title": title} for id in NAMES[-2:]])
    assert sorted(map(refusals, answers)) == [[], ["TITLE_TAKEN"]]


def race_for_an_id(pair: Pair, id: str) -> None:
    answers = both(pair, CREATE, [{"id": id}, {"id": id}])
    assert sorted(map(refusals, answers)) == [[], ["ID_TAKEN"]]


def races_of_deletions(pair: Pair) -> None:
    """Both delete the same sessions: each goes once, and comes back out of the bin that it went to."""
    with StoreBuilder(pair.path) as store:
        before = contents(store)
        both(pair, GO, [{"ids": DELETED}, {"ids": DELETED[::-1]}])
        while missing := [id for id in DELETED if id in contents(store)]:
            ask(pair.servers[0], GO, ids=missing)
        entries = [ask(server, "{ bin { binId sessionIds } }") for server in pair.servers]
        assert (entries[0] == entries[1]) == pair.is_one_state
        kept = Counter(
            id
            for entry in (entries[:1] if pair.is_one_state else entries)
            for each in entry
            for id in each["sessionIds"]
        )
        assert kept == Counter(DELETED)
        restored: list[str] = []
        for server, entry in zip(pair.servers[::-1] if pair.is_one_state else pair.servers, entries, strict=True):
            for each in entry:
                if not set(each["sessionIds"]) & set(restored):
                    restored += ask(server, RESTORE, binId=each["binId"])["changedIds"]
        assert sorted(restored) == DELETED
        assert contents(store) == before


def contents(store: StoreBuilder) -> dict[str, int]:
    return dict(store.sql("SELECT session_id, count(*) FROM messages GROUP BY session_id"))


def workers_of(server: Replica) -> list[int]:
    """Process ids; the helper that cleans up behind processes is not one of them."""
    children = psutil.Process(server.pid).children()
    return [each.pid for each in children if "spawn_main" in " ".join(each.cmdline())]


def is_told(stream: Listener, movers: Sequence[Mover]) -> bool:
    [mover] = [each for each in movers if each.name == stream.variables["id"]]
    return [event["message"]["content"] for event in stream.events if event["message"]] == mover.said


def gaps(mover: Mover) -> list[float]:
    return [after - before for before, after in zip(mover.moments, mover.moments[1:], strict=False)]


def told_all(listeners: Sequence[Listener], movers: Sequence[Mover]) -> None:
    """By the server that lived on all the time: what was made and deleted through either, once."""
    for listener in listeners:
        assert (listener.begun, listener.refusals) == (1, [])
        assert all(event["complete"] for event in listener.events)
        told = Counter((event["kind"], event["sessionId"]) for event in listener.events)
        for mover in movers:
            for id in mover.titles:
                is_gone = id in mover.deleted
                assert told["CREATED", id] in ((0, 1) if is_gone else (1,)), id
                assert told["DELETED", id] == (told["CREATED", id] if is_gone else 0), id


def is_whole(path: Path, movers: Sequence[Mover]) -> None:
    with StoreBuilder(path) as store:
        assert store.sql("PRAGMA integrity_check") == [("ok",)]
        for mover in movers:
            said = store.sql("SELECT content FROM messages WHERE session_id = ? ORDER BY id", (mover.name,))
            assert [text for (text,) in said] == mover.said
            rows = store.sql("SELECT id, title, archived FROM sessions WHERE id GLOB ?", (f"{mover.name}-*",))
            titles = {id: title for id, title in mover.titles.items() if id not in mover.deleted}
            assert {id: title for id, title, _ in rows} == titles
            assert {id for id, _, archived in rows if archived} == mover.archived - mover.deleted
