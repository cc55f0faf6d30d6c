"""The schema of a store changes while it is served: what can be read is read, what cannot is told, and when all is
there again, the same server and its subscriptions go on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import httpx
import pytest

from tests.api.serving import Api, Refusal
from tests.api.streaming import CHANGES as SESSION_CHANGES
from tests.api.streaming import Stream, streaming
from tests.builders import StoreBuilder, T, home_with, store_path
from tests.faults.changes import CHANGES, PROFILES, prepared, ready_for_changes
from tests.faults.served import Faulty, done, faulty, read, titles, told, undisturbed, until_done
from tests.processes import client_of

RIGHT = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL); DELETE FROM schema_version;"
RIGHT += "INSERT INTO schema_version VALUES (22); PRAGMA user_version = 0"


class Switch(NamedTuple):
    """Statements there and back, what the store then lacks if it cannot be read, and changes that want it back."""

    there: str
    back: str
    lacks: str | None = None
    refused: tuple[str, ...] = ()


def renamed(table: str) -> tuple[str, str]:
    return f"ALTER TABLE {table} RENAME TO away", f"ALTER TABLE away RENAME TO {table}"


SWITCHES = {
    "lower": Switch("UPDATE schema_version SET version = 3; PRAGMA user_version = 1", RIGHT),
    "higher": Switch("UPDATE schema_version SET version = 999; PRAGMA user_version = 999", RIGHT),
    "no-version": Switch("DROP TABLE schema_version", RIGHT),
    "column-added": Switch(
        "ALTER TABLE sessions ADD COLUMN mood TEXT DEFAULT 'good'; ALTER TABLE messages ADD COLUMN mood TEXT",
        "ALTER TABLE sessions DROP COLUMN mood; ALTER TABLE messages DROP COLUMN mood",
    ),
    "column-dropped": Switch(
        "ALTER TABLE sessions DROP COLUMN git_branch; ALTER TABLE messages DROP COLUMN observed",
        "ALTER TABLE sessions ADD COLUMN git_branch TEXT; ALTER TABLE messages ADD COLUMN observed INTEGER DEFAULT 0",
    ),
    "needed-column": Switch(
        "ALTER TABLE sessions RENAME COLUMN source TO origin",
        "ALTER TABLE sessions RENAME COLUMN origin TO source",
        "sessions lacks source",
    ),
    "no-usage": Switch(*renamed("session_model_usage"), None, ("restore",)),
    "no-messages": Switch(*renamed("messages"), "messages lacks id, role, session_id"),
    "no-sessions": Switch(*renamed("sessions"), "sessions lacks id, parent_session_id, source, started_at"),
}


CHANGED = {"filed", "doomed", "old-1", "old-2"}
"""Sessions that changes take out of the list."""


def many(store: StoreBuilder) -> None:
    """So much that an export of it is still under way when its beginning has come."""
    ready_for_changes(store)
    store.index_no_more()
    store.session("long", start=T)
    store.sql("BEGIN")
    for number in range(400):
        store.message("long", content=f"{number} " + "x" * 20_000, at=T + number)
    store.sql("COMMIT")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("schemas")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys(SWITCHES, many))
    with faulty(folder / "server", home) as started:
        yield started


@pytest.mark.parametrize("name", SWITCHES)
def test_another_schema_is_told_or_used_and_the_right_one_is_found_again(server: Faulty, name: str) -> None:
    switch = SWITCHES[name]
    api = server.server.api(name)
    prepared(api)
    before = titles(api)

    async def story() -> None:
        async with streaming(server.server, api, SESSION_CHANGES) as changes:
            await changes.next()
            with StoreBuilder(store_path(server.server.home, name)) as agent:
                with client_of(server.replica.port) as client, client.stream("GET", exported(name)) as export:
                    pieces = export.iter_bytes()
                    assert next(pieces)
                    agent.sql(switch.there)
                    came, is_broken_off = rest_of(pieces)
                assert is_broken_off or came > 400 * 20_000, "what is missing looks like an end"
                with undisturbed(server):
                    if switch.lacks is None:
                        assert not is_broken_off
                        used(api, switch.refused)
                    else:
                        refused(server, api, switch.lacks)
                agent.sql(switch.back)
                until_done(lambda: titles(api))
                assert titles(api).keys() >= before.keys() - CHANGED
                agent.set("sessions", "told", title="By the agent")
                await until_told(changes, agent, "told")
        for kind in CHANGES if switch.lacks is not None else switch.refused:
            assert done(lambda: CHANGES[kind](api)), kind  # noqa: B023
        assert titles(api)["told"].startswith("By the agent")
        read(api)

    asyncio.run(story())


def exported(profile: str) -> str:
    return f"/export/{profile}/long.jsonl"


def rest_of(pieces: Iterator[bytes]) -> tuple[int, bool]:
    """Bytes until the end, or until it is broken off, and whether it was."""
    came = 0
    try:
        for piece in pieces:
            came += len(piece)
    except httpx.RemoteProtocolError:
        return came, True
    return came, False


def used(api: Api, refused: tuple[str, ...]) -> None:
    """Everything is read as soon as the store was looked at again, and every other change is made."""
    until_done(lambda: read(api))
    for kind, change in CHANGES.items():
        if kind in refused:
            assert told(lambda change=change: change(api))[0] == "UNSUPPORTED_STORE", kind  # type: ignore[misc]
        else:
            assert done(lambda change=change: change(api)), kind  # type: ignore[misc]


def refused(server: Faulty, api: Api, lacks: str) -> None:
    sentence = f"This database is no Hermes store: its table {lacks}."
    for kind, change in CHANGES.items():
        assert told(lambda change=change: change(api)) == ("UNSUPPORTED_STORE", sentence), kind  # type: ignore[misc]
    with pytest.raises(Refusal) as caught:
        read(api)
    assert {error["extensions"]["code"] for error in caught.value.errors} == {"UNSUPPORTED_STORE"}
    ready = server.ready(api.profile)
    assert (ready["ready"], ready["status"], ready["reason"]) == (False, "UNSUPPORTED", sentence)


async def until_told(changes: Stream, agent: StoreBuilder, id: str) -> None:
    """Of this session, whatever was told before. That everything may be another may be of before, too."""
    number = 0
    while (event := await changes.next())["sessionId"] != id:
        if event["kind"] == "STORE_REPLACED":
            number += 1
            agent.set("sessions", id, title=f"By the agent {number}")
