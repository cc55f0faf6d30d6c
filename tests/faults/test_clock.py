"""The system's clock is set while the server runs, and right again: everything goes on, and nothing is out of date
because of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import Api, Json
from tests.api.shaping import create
from tests.api.streaming import CHANGES, MESSAGES, Stream, streaming
from tests.api.test_actions import delete
from tests.api.test_restoring import BIN, restore
from tests.builders import StoreBuilder, T, home_with, store_path
from tests.debian import find_program
from tests.faults.changes import PROFILES
from tests.faults.served import Faulty, done, faulty, rename, titles, undisturbed

DAY = 86_400
STEPS = {
    "an hour back": -3600,
    "an hour ahead": 3600,
    "a year ahead": 365 * DAY,
    "to 1970": 30 * DAY - int(time.time()),
    "to 2040": 15 * 365 * DAY,
    "right again": 0,
}
"""Seconds that the clock says too much, one after the other."""
MOST_SECONDS = 10.0
"""A guard against hanging."""
ACTIVE = '{ session(id: "spoken") { isLive lastActiveAt } }'
STARTED = "query ($id: ID!) { session(id: $id) { startedAt } }"


class SetClock:
    """What the server takes for the time; the clock that only goes on is left alone, as by every system."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.set(0)

    def set(self, seconds: int) -> None:
        aside = self._file.with_suffix(".new")
        aside.write_text(f"{seconds:+d}\n")
        aside.replace(self._file)

    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(library()),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # else waiting for a lock ends at once, and is repeated for ever
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }


def library() -> Path:
    """What `faketime` loads into a program with threads."""
    program = Path(find_program("faketime")).resolve()
    found = sorted(program.parents[1].glob("lib*/**/faketime/libfaketimeMT.so.1"))
    assert found, f"There is no library beside {program}."
    return found[0]


def told_sessions(store: StoreBuilder) -> None:
    store.session("spoken", start=T)
    for name in ("named", "before", *(f"during-{number}" for number in range(len(STEPS)))):
        store.session(name, start=T, end=T + 60, end_reason="cli_close", title=name)
        store.message(name, content=f"words of {name}", at=T + 1)


@contextmanager
def clocked(folder: Path) -> Iterator[tuple[Faulty, SetClock]]:
    clock = SetClock(folder / "clock")
    home = home_with(folder / "home", **PROFILES, clocked=told_sessions)
    with faulty(folder / "server", home, **clock.environment()) as server:
        yield server, clock


def test_a_clock_that_is_set_costs_neither_events_nor_what_is_in_the_bin(
    tmp_path: Path, figure: Callable[[str], None]
) -> None:
    with clocked(tmp_path) as (server, clock), ExitStack() as closing:
        api = server.server.api("clocked")
        agent = closing.enter_context(StoreBuilder(store_path(server.server.home, "clocked")))
        neighbour = closing.enter_context(undisturbed(server))
        gone = {delete(api, "before", exact=True)["binId"]: "before"}
        took: list[float] = []

        async def story() -> None:
            async with (
                streaming(server.server, api, MESSAGES, id="spoken") as messages,
                streaming(server.server, api, CHANGES) as changes,
            ):
                await messages.next()
                await changes.next()
                for number, (name, seconds) in enumerate(STEPS.items()):
                    clock.set(seconds)
                    began = time.monotonic()
                    await told_at_once(api, agent, name, messages, changes)
                    changed_at_once(api, name, number, seconds)
                    deleted = done(lambda number=number: delete(api, f"during-{number}", exact=True))  # type: ignore[misc]
                    gone[deleted["binId"]] = f"during-{number}"
                    assert listed(api) == gone
                    assert server.ready("clocked")["ready"]
                    await asyncio.to_thread(neighbour.go_on)
                    took.append(time.monotonic() - began)

        asyncio.run(story())
        for bin_id, id in gone.items():
            assert done(lambda bin_id=bin_id: restore(api, bin_id))["changedIds"] == [id]  # type: ignore[misc]
        assert titles(api).keys() >= set(gone.values())
        assert max(took) < MOST_SECONDS
        figure(f"{len(STEPS)} settings of the clock; all that was asked after one took {max(took):.2f} s at most.")


async def told_at_once(api: Api, agent: StoreBuilder, name: str, messages: Stream, changes: Stream) -> None:
    """Both subscriptions tell of a message that the agent writes, whose moment is its own."""
    now = time.time()
    agent.message("spoken", content=f"The clock is set {name}", at=now)
    assert (await messages.next())["message"]["content"] == f"The clock is set {name}"
    while (await changes.next())["sessionId"] != "spoken":
        pass
    active = api.ask(ACTIVE)["session"]
    assert moment(active["lastActiveAt"]) == pytest.approx(now, abs=0.01)
    assert active["isLive"] == (STEPS[name] == 0)


def changed_at_once(api: Api, name: str, number: int, seconds: int) -> None:
    """A change is seen by the next question, and a new session begins when the clock says so, if that can be."""
    done(lambda: rename(api, "named", name))
    assert titles(api)["named"] == name
    done(lambda: create(api, id=f"made-{number}", source="cli"))
    started = api.ask(STARTED, id=f"made-{number}")["session"]["startedAt"]
    if name == "to 1970":
        assert started is None
    else:
        assert moment(started) == pytest.approx(time.time() + seconds, abs=60)


def listed(api: Api) -> dict[str, str]:
    entries: list[dict[str, Any]] = api.ask(BIN)["bin"]
    return {entry["binId"]: entry["sessionIds"][0] for entry in entries}


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def test_a_server_that_starts_in_another_year_removes_nothing_from_the_bin(tmp_path: Path) -> None:
    """What it takes for out of date comes back once a server starts with the right clock."""
    with clocked(tmp_path) as (server, clock):
        deleted = delete(server.server.api("clocked"), "before", exact=True)
    clock.set(STEPS["to 2040"])
    home = tmp_path / "home"
    with faulty(tmp_path / "server", home, **clock.environment()) as server:
        api = server.server.api("clocked")
        for number in range(3):
            done(lambda number=number: delete(api, f"during-{number}", exact=True))  # type: ignore[misc]
        assert deleted["binId"] not in listed(api)
    clock.set(0)
    with faulty(tmp_path / "server", home, **clock.environment()) as server:
        api = server.server.api("clocked")
        assert len(listed(api)) == 4
        payload: Json = done(lambda: restore(api, deleted["binId"]))
        assert payload["changedIds"] == ["before"]
