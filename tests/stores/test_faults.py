"""A killed process, a full disk, a damaged index: nothing is half done, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.shaping import Scope
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder
from tests.stores.opened import delete, opened, read_everything, refused, rows_of, state_of, texts

ROOT = Path(__file__).parents[2]


async def test_a_server_that_is_killed_has_done_all_that_it_said_and_nothing_by_halves(filled: Path) -> None:
    chance = random.Random(9)
    for _ in range(3):
        said = kill_while_changing(filled, chance.uniform(0.05, 0.4))
        assert "renamed" in said
        async with opened(filled) as store:
            sessions = (await store.forest()).sessions
            assert int((sessions["br1"].title or "").removeprefix("Round ")) >= int(said["renamed"])
            assert len({sessions[segment].archived for segment in ("d1", "d2", "d3")}) == 1
            in_the_bin = [entry.message_count for entry in await store.bin(10) if "ferry" in entry.session_ids]
            if "ferry" in sessions:
                assert len(await texts(store, "ferry")) == 4
            else:
                assert in_the_bin[0] == 4
        assert rows_of(filled, "PRAGMA integrity_check") == [("ok",)]
        assert rows_of(filled, "PRAGMA foreign_key_check") == []


def kill_while_changing(path: Path, seconds: float) -> dict[str, str]:
    """Lets a process change the store, kills it so long after its first word; gives its last word on each matter."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.stores.changer", path],
        cwd=ROOT, env={"PYTHONPATH": "backend:.", "PYTHONDONTWRITEBYTECODE": "1"}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    first = process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    words = [first, *process.communicate()[0].splitlines()]
    return dict(line.split() for line in words if len(line.split()) == 2)


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    """As on a full disk, for this process alone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def rename(store: SqliteStore) -> None:
    await store.rename("ferry", "Boat", Scope.SESSION)


async def into_the_bin(store: SqliteStore) -> None:
    await delete(store, "ferry")


@pytest.mark.parametrize("change", [rename, into_the_bin])
async def test_a_full_disk_leaves_everything_as_it_was(
    filled: Path, change: Callable[[SqliteStore], Awaitable[None]]
) -> None:
    with StoreBuilder(filled) as agent:
        agent.message("ferry", "user", "one more")  # so that there is a WAL, which cannot grow
        async with opened(filled) as store:
            await read_everything(store)
            with no_file_grows_beyond(state_of(filled, "-wal").size), pytest.raises(HermesSessionsError) as caught:
                await change(store)
            assert caught.value.code.name in ("STORAGE_FULL", "STORE_UNREACHABLE")
            assert (await store.forest()).sessions["ferry"].title == "Ferry"
            assert len(await texts(store, "ferry")) == 5
            await store.rename("ferry", "Boat", Scope.SESSION)
            assert (await store.forest()).sessions["ferry"].title == "Boat"


async def test_a_damaged_full_text_index_costs_deletions_alone(filled: Path) -> None:
    with StoreBuilder(filled) as builder:
        builder.sql("UPDATE messages_fts_data SET block = x'0102030405'")
    async with opened(filled) as store:
        await read_everything(store)
        await store.rename("ferry", "Boat", Scope.SESSION)
        await store.archive("ferry", True, Scope.SESSION)
        with refused(ErrorCode.STORE_DAMAGED):
            await delete(store, "ferry")
        assert len(await texts(store, "ferry")) == 4
