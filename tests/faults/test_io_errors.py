"""System calls of the server fail: it is said, nothing is half done, the agent notices nothing, and once they succeed
again all goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import home_with, store_path
from tests.faults.changes import CHANGES, OF_BIN, PROFILES, everything, prepared, ready_for_changes
from tests.faults.served import Faulty, done, faulty, read, rename, titles, told, undisturbed, until_done
from tests.faults.strace import failing
from tests.faults.test_files import DAMAGED
from tests.faults.test_full_disk import NO_SPACE
from tests.hermes.process import HermesProcess

UNREADABLE = (
    "STORE_UNREACHABLE",
    "{} could not be opened or read. Check that it exists, that this user may read it and its directory.",
)
UNKNOWN = (
    "STORE_UNREACHABLE",
    "The store failed while the change was being written, so it is not known whether it was kept. "
    "Read the session again before you repeat it.",
)
FULL = ("STORAGE_FULL", NO_SPACE)
FAULTS = {
    "read": ("pread64", "EIO", UNREADABLE),
    "write": ("pwrite64", "EIO", UNKNOWN),
    "space": ("pwrite64", "ENOSPC", FULL),
    "sync": ("fsync,fdatasync", "EIO", UNKNOWN),
    "open": ("openat", "EIO", UNREADABLE),
}
"""Which calls on the files of the store fail, how, and what is said of a change."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("errors")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys([*FAULTS, "bin"], ready_for_changes))
    with faulty(folder / "server", home) as started:
        yield started


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as hermes:
        yield hermes


@pytest.mark.parametrize("name", FAULTS)
def test_a_failing_system_call_is_told_and_over_with_it(
    server: Faulty, agent: HermesProcess, tmp_path: Path, name: str
) -> None:
    calls, error, (code, sentence) = FAULTS[name]
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    agent.open(path)
    before = everything(api, path)
    read(api)
    with failing(server.replica.pid, calls, error, tmp_path, *files_of(path)), undisturbed(server):
        refusals = {}
        for kind, change in CHANGES.items():
            assert agent.set_session_title("open", f"Beside {kind}")
            refusals[kind] = told(lambda change=change: change(api))  # type: ignore[misc]
        if name == "read":
            assert told(lambda: read(api)) == (code, sentence.format("state.db"))
        else:
            read(api)
    # SQLite's full-text index calls a part damaged that it cannot read.
    also = {DAMAGED} if name == "read" else set()
    assert set(refusals.values()) - also == {(code, sentence.format("state.db"))}, refusals
    until_done(lambda: read(api))
    assert agent.set_session_title("open", "")
    assert everything(api, path) == before
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]
    assert everything(api, path) != before
    agent.append_message("told", "user", "after it")
    assert agent.complaints() == []
    agent.close()


def test_a_bin_that_cannot_be_written_costs_what_goes_into_it(server: Faulty, tmp_path: Path) -> None:
    """The store is as it was, whichever call on the bin's files fails."""
    api = server.server.api("bin")
    prepared(api)
    before = titles(api).keys()
    files = files_of(server.server.state_dir / "bin.db")
    for calls, (code, sentence) in {"pwrite64": UNREADABLE, "fsync,fdatasync": UNKNOWN}.items():
        said = (code, sentence.format("bin.db"))
        with failing(server.replica.pid, calls, "EIO", tmp_path, *files), undisturbed(server):
            for kind in OF_BIN:
                assert told(lambda kind=kind: CHANGES[kind](api)) == said, (calls, kind)  # type: ignore[misc]
            done(lambda calls=calls: rename(api, "named", calls))  # type: ignore[misc]
        assert titles(api).keys() == before
    for kind in OF_BIN:
        done(lambda kind=kind: CHANGES[kind](api))  # type: ignore[misc]


def files_of(path: Path) -> list[Path]:
    return [path, *(path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm", "-journal"))]
