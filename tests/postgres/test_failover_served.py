"""Servers go on when the primary is killed under load: nothing acknowledged is lost, nothing is there twice."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.api.streaming import CHANGES, MESSAGES
from tests.postgres.cluster import Cluster, running_cluster
from tests.postgres.listeners import Listener, listening, until
from tests.postgres.writers import CREATE, NOT_KNOWN, Writer, writing
from tests.processes import Replica, replica, run_command
from tests.web.proxy import Proxy, proxying

PASSWORD = "a-password-that-nobody-shows"
PROFILES = ("team", "side")
WRITERS = 2
"""For each profile."""
LOAD_SECONDS = 3.0
STAY_SECONDS = 1.5
MOST_OUTAGE_SECONDS = 10.0


@dataclass
class Readiness:
    """What /readyz said of each server, again and again: the status and the whole answer."""

    replicas: Sequence[Replica]
    said: dict[int, list[tuple[int, str]]] = field(default_factory=dict)

    def run(self, ending: threading.Event) -> None:
        while not ending.wait(0.1):
            for each in self.replicas:
                with each.client() as client:
                    answer = client.get("/readyz")
                self.said.setdefault(each.port, []).append((answer.status_code, answer.text))

    def is_last(self, status: int) -> bool:
        return all(self.said.get(each.port, [(0, "")])[-1][0] == status for each in self.replicas)


@contextmanager
def asking_whether_ready(replicas: Sequence[Replica]) -> Iterator[Readiness]:
    ending = threading.Event()
    readiness = Readiness(replicas)
    thread = threading.Thread(target=readiness.run, args=(ending,), daemon=True)
    thread.start()
    try:
        yield readiness
    finally:
        ending.set()
        thread.join(timeout=30)


@dataclass(frozen=True)
class Team:
    cluster: Cluster
    proxy: Proxy
    replicas: tuple[Replica, Replica]


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    with running_cluster() as cluster:
        hosts = cluster.url(parameters="").replace("postgres@", f"postgres:{PASSWORD}@")
        options = [part for name in PROFILES for part in ("--profile", f"{name}={hosts}schema={name}")]
        run_command(tmp_path, "migrate", *options)
        with (
            replica(tmp_path / "one", *options) as one,
            replica(tmp_path / "other", *options) as other,
            proxying(one.port, other.port) as proxy,
        ):
            yield Team(cluster, proxy, (one, other))


def test_a_primary_killed_under_load_costs_nothing_that_was_acknowledged(
    team: Team, figure: Callable[[str], None]
) -> None:
    writers = [Writer(team.proxy.port, name, f"{name}{number}") for name in PROFILES for number in range(WRITERS)]
    for writer in writers:
        made = team.replicas[0].ask(CREATE, writer.profile, id=writer.name)
        assert made["data"]["createSession"]["userErrors"] == []
    ports = [each.port for each in team.replicas]
    streams = [Listener(ports, each.profile, MESSAGES, {"id": each.name}, STAY_SECONDS) for each in writers]
    changes = [
        Listener(turned, name, CHANGES, {}, STAY_SECONDS) for name in PROFILES for turned in (ports, ports[::-1])
    ]
    with listening([*streams, *changes]), asking_whether_ready(team.replicas) as readiness:
        with writing(writers):
            time.sleep(LOAD_SECONDS)
            before = sum(len(each.moments) for each in writers)
            team.cluster.primary.kill()
            assert until(lambda: readiness.is_last(503), within=20)
            team.cluster.standby.promote()
            promoted = time.monotonic()
            assert until(lambda: all(each.moments[-1] > promoted for each in writers), within=30)
            time.sleep(LOAD_SECONDS)
        assert until(lambda: readiness.is_last(200), within=10)
        until(lambda: [_contents(each)[-1:] for each in streams] == [each.said[-1:] for each in writers], within=10)
        until(lambda: not [each for listener in changes for each in _not_shown(listener, writers)], within=10)

    for writer in writers:
        asyncio.run(_assert_kept(team.cluster, writer))
    refusals = [refusal for each in writers for refusal in each.refusals]
    _assert_only_unreachable(refusals)
    for stream, writer in zip(streams, writers, strict=True):
        assert _contents(stream) == writer.said
    for listener in changes:
        assert _not_shown(listener, writers) == []
        _assert_told_once(listener, writers)
    for each in (*streams, *changes):
        assert all(event["complete"] for event in each.events)
        assert set(each.refusals) <= {"STORE_UNREACHABLE"}
        assert each.begun > 2
    _assert_nothing_shown(team, [text for _, text in refusals], readiness)

    outages = [min(at for at in each.moments if at > promoted) - promoted for each in writers]
    assert max(outages) < MOST_OUTAGE_SECONDS
    figure(
        f"Failover: {before} changes acknowledged before the primary was killed, "
        f"{sum(len(each.moments) for each in writers) - before} after it, {len(refusals)} refused; all writers went on "
        f"{max(outages):.1f} s after the promotion."
    )


def _contents(stream: Listener) -> list[str]:
    return [event["message"]["content"] for event in stream.events if event["message"]]


def _not_shown(listener: Listener, writers: Sequence[Writer]) -> list[str]:
    """Sessions that were left otherwise than they were told last."""
    last: dict[str, Any] = {event["sessionId"]: event["session"] for event in listener.events if event["sessionId"]}
    found = []
    for writer in (each for each in writers if each.profile == listener.profile):
        own = last.get(writer.name)
        if own is None or own["messageCount"] != len(writer.said):
            found.append(writer.name)
        for id, title in writer.titles.items():
            state = last.get(id)
            if state is not None if id in writer.deleted else state is None or state["title"] != title:
                found.append(id)
    return found


def _assert_told_once(listener: Listener, writers: Sequence[Writer]) -> None:
    told = Counter((event["kind"], event["sessionId"]) for event in listener.events if event["sessionId"])
    for writer in (each for each in writers if each.profile == listener.profile):
        for id in writer.titles.keys() - writer.deleted:
            assert (told["CREATED", id], told["DELETED", id]) == (1, 0), id
        for id in writer.deleted:  # one that came and went between two looks may have been told as neither
            assert told["CREATED", id] <= 1
            assert told["DELETED", id] <= 1
    assert "STORE_REPLACED" not in {event["kind"] for event in listener.events}


async def _assert_kept(cluster: Cluster, writer: Writer) -> None:
    connection = await asyncpg.connect(cluster.standby.url())
    try:
        rows = await connection.fetch(
            f"SELECT content, platform_message_id FROM {writer.profile}.messages WHERE session_id = $1 ORDER BY id",
            writer.name,
        )
        assert [row["content"] for row in rows] == writer.said
        assert [row["platform_message_id"] for row in rows] == writer.said
        rows = await connection.fetch(
            f"SELECT id, title, archived FROM {writer.profile}.sessions WHERE id LIKE $1", f"{writer.name}-%"
        )
    finally:
        await connection.close()
    assert {row["id"]: row["title"] for row in rows} == {
        id: title for id, title in writer.titles.items() if id not in writer.deleted
    }
    assert {row["id"] for row in rows if row["archived"]} == writer.archived - writer.deleted


def _assert_only_unreachable(refusals: Sequence[tuple[str, str]]) -> None:
    assert refusals
    for code, message in refusals:
        assert code == "STORE_UNREACHABLE" or (code == "TIMEOUT" and NOT_KNOWN in message), (code, message)


def _assert_nothing_shown(team: Team, messages: Sequence[str], readiness: Readiness) -> None:
    logs = [each.log.read_text() for each in team.replicas]
    said = [text for each in readiness.said.values() for _, text in each]
    for text in (*logs, *messages, *said):
        assert "Traceback" not in text, text
        assert PASSWORD not in text
        assert "postgresql:" not in text
    assert all("/readyz" in log for log in logs)
    assert any("The database server cannot be reached" in text for text in said)
