"""A server under steady load beside the real Hermes and a foreign program: nothing grows, nothing is lost, and neither
of the two is any worse off than alone."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.api.dumps import loose_ends
from tests.api.streaming import CHANGES, MESSAGES
from tests.builders import StoreBuilder, store_path
from tests.hermes.crowd import ARCHIVED, DELETED
from tests.hermes.test_together import hermes_has_what_it_wrote, search_indexes_are_sound
from tests.postgres.listeners import Listener, listening, until
from tests.postgres.writers import writing
from tests.processes import replica
from tests.soak.changers import OURS, Promised
from tests.soak.figures import in_milliseconds, spread
from tests.soak.gauges import Gauges, looking
from tests.soak.home import Others, make_home, others_on
from tests.soak.judging import MB, Run, slower, together
from tests.soak.programs import all_took
from tests.soak.readers import readers

FURTHER = 40_000
"""Messages that the store of the long form has more."""
STREAMED = ["alpha", "foreign-0", "foreign-1", "foreign-2", OURS]
LONGEST_WAIT = 20.0
"""Of the agents and the foreign program. Of the API it is the time of a request. Guards against hanging; the printed
figures are the measure."""
LONGEST_REQUEST = 30.0
WARM_SECONDS = 300.0
"""A run that is shorter ends while SQLite's caches and the allocator's arenas still fill."""
SLACK = 5.0
"""Seconds that the latencies of the last third may have more than three times those of the second one: the machine may
have got other work meanwhile."""


def test_a_long_day_beside_the_agent_and_another_program(
    tmp_path: Path, is_long: bool, lasting: float, figure: Callable[[str], None]
) -> None:
    home = make_home(tmp_path / "home", FURTHER if is_long else 0)
    shutil.copytree(home, tmp_path / "alone")
    control, alone = work_alone(store_path(tmp_path / "alone"), tmp_path / "hermes-alone", lasting / 4)

    path, promised = store_path(home), Promised()
    asking, changing = [], []
    with replica(tmp_path / "server", "--home", str(home)) as server, others_on(path, tmp_path / "hermes") as others:
        gauges = Gauges(server.pid, path, tmp_path / "server" / "state" / "bin.db")
        streams = [Listener([server.port], "default", MESSAGES, {"id": id}) for id in STREAMED]
        changes = [Listener([server.port], "default", CHANGES) for _ in STREAMED]
        asking, changing = readers([server.port]), promised.changers([server.port], 10 if is_long else 4)
        with listening([*streams, *changes]):
            before = gauges.look()
            present = sessions_of(path)
            with looking(gauges):
                others.begin()
                with writing([*asking, *changing]):
                    time.sleep(lasting)
                    others.end()
            assert until(lambda: all(map(is_told(others, promised), streams)), within=20), behind(
                others, promised, streams
            )
            time.sleep(3)  # longer than sessions are ever looked at
        is_at_rest = until(lambda: gauges.look().files <= before.files, within=10)
    warm = others.began + lasting / 6
    run = Run(
        warm, others.ended, gauges, all_took(asking), all_took(changing),
        *(spread(each, others.began, others.ended) for each in seconds_of(others)),
    )  # fmt: skip
    for line in (*run.table(60 if is_long else lasting / 3), *run.by_operation()):
        figure(line)
    busy = sum((program.busy for program in (*asking, *changing)), Counter())
    tell_of_writers(figure, control, others)
    figure(f"WAL at most {max(each.wal for each in alone.samples) / MB:.1f} MB alone; busy answers: {dict(busy)}")
    assert is_at_rest, "files stayed open that were opened for changes and clients"
    subscribers_heard_all(path, present, changes, promised)
    assert others.errors == control.errors == []
    assert others.complaints == control.complaints == []
    nothing_is_lost(path, others, promised, tmp_path / "copy.db")
    is_as_at_first(run)


def work_alone(path: Path, folder: Path, seconds: float) -> tuple[Others, Gauges]:
    """The same agents and the same program, without us."""
    gauges = Gauges(None, path)
    with others_on(path, folder) as others, looking(gauges):
        others.begin()
        time.sleep(seconds)
        others.end()
    return others, gauges


def seconds_of(others: Others) -> tuple[list[float], list[float]]:
    return [each for ledger in others.ledgers.values() for each in ledger.seconds], others.foreign.seconds


def tell_of_writers(figure: Callable[[str], None], control: Others, others: Others) -> None:
    for name, alone, beside in zip(("agents", "foreign"), seconds_of(control), seconds_of(others), strict=True):
        figure(f"{name}: {len(alone)} writes alone {in_milliseconds(alone)}")
        figure(f"{name}: {len(beside)} writes beside us {in_milliseconds(beside)}")
    figure(f"foreign: repeated {control.foreign.repeated} alone, {others.foreign.repeated} beside us")


def sessions_of(path: Path) -> set[str]:
    with StoreBuilder(path) as store:
        return {id for (id,) in store.sql("SELECT id FROM sessions")}


def written_to(id: str, others: Others, promised: Promised) -> list[str]:
    """Ids of the messages that its subscribers must hear, in order."""
    if id in others.ledgers:
        return [str(number) for number, _ in others.ledgers[id].written]
    if id == OURS:
        return promised.said
    return [str(number) for number, session in others.foreign.written if session == id]


def heard(stream: Listener) -> list[str]:
    return [event["message"]["id"] for event in stream.events if event["message"]]


def is_told(others: Others, promised: Promised) -> Callable[[Listener], bool]:
    return lambda stream: heard(stream) == written_to(stream.variables["id"], others, promised)


def behind(others: Others, promised: Promised, streams: Sequence[Listener]) -> dict[str, object]:
    """How many messages each subscriber has heard, and how many there are."""
    return {
        id: (len(heard(stream)), len(written_to(id, others, promised)), stream.refusals)
        for stream in streams
        for id in [stream.variables["id"]]
    }


def subscribers_heard_all(path: Path, present: set[str], changes: Sequence[Listener], promised: Promised) -> None:
    """Each session comes and goes in turns, and in the end those are known that there are."""
    for listener in changes:
        assert (listener.begun, listener.refusals) == (1, [])
        known, told = set(present), Counter[str]()
        for event in listener.events:
            kind, id = event["kind"], event["sessionId"]
            assert event["complete"], event
            assert kind == "SYNCED" or (id in known) == (kind != "CREATED"), event
            told[f"{kind} {id}"] += 1
            known ^= {id} if kind in ("CREATED", "DELETED") else set()
        assert known == sessions_of(path)
        assert {told[f"CREATED {id}"] for id in promised.created} == {1}
        for id in DELETED:  # one that was gone for less time than a look took may not have been missed
            assert 1 <= told[f"DELETED {id}"] == told[f"CREATED {id}"] <= promised.rounds


def nothing_is_lost(path: Path, others: Others, promised: Promised, copy: Path) -> None:
    with StoreBuilder(path) as store:
        hermes_has_what_it_wrote(store, others.ledgers)
        of = "SELECT id FROM messages WHERE session_id = ? ORDER BY id"
        for id in sorted({session for _, session in others.foreign.written}):
            assert [str(number) for (number,) in store.sql(of, (id,))] == written_to(id, others, promised)
        assert [str(number) for (number,) in store.sql(of, (OURS,))] == promised.said
        titles = dict(store.sql("SELECT id, title FROM sessions"))
        assert titles.items() >= promised.titles.items()
        there = [id for id in promised.created if id not in set(promised.deleted)]
        assert {id for id in titles if id.startswith("made-")} == set(there)
        flags = dict(store.sql("SELECT id, archived FROM sessions"))
        assert {flags[id] for id in ARCHIVED} == {int(promised.archived)}
        assert store.sql(
            "SELECT count(*) FROM messages WHERE session_id >= ? AND session_id <= ?", (DELETED[0], DELETED[-1])
        ) == [(10 * len(DELETED),)]
        assert loose_ends(store) == []
        assert store.sql("PRAGMA integrity_check") == [("ok",)]
    search_indexes_are_sound(path, copy)
    assert promised.rounds > 0


def is_as_at_first(run: Run) -> None:
    """Compares the last third of the run with the second one.

    Memory: what a server keeps of a message that is added is some bytes, so that a store which grows by ten thousand
    messages a third may cost it some per cent. Files and threads: a few more may be open for changes under way. The WAL
    is as long as it ever was, so it may not have become much longer.
    """
    memory, last_memory = run.middle_and_last(lambda sample: sample.rss)
    assert last_memory <= memory * (1.05 if run.end - run.start > WARM_SECONDS else 1.25)
    for of in (lambda sample: sample.files, lambda sample: sample.threads):
        before, after = run.middle_and_last(of)
        assert after <= before + 5
    wal, last_wal = run.middle_and_last(lambda sample: sample.wal)
    assert last_wal <= 2 * wal + 16 * MB
    for took in (together(run.reads), together(run.writes), run.agents, run.foreign):
        for share in (0.5, 0.99):
            before, after = slower(run, took, share)
            assert after <= 3 * before + SLACK
    assert max(each.seconds for each in (*run.agents, *run.foreign)) < LONGEST_WAIT
    assert max(each.seconds for each in (*together(run.reads), *together(run.writes))) < LONGEST_REQUEST
