"""A disk is full: whatever is asked, it is done or refused with a word about space, and nothing is half done."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import StoreBuilder, home_with, store_path
from tests.faults.changes import CHANGES, OF_BIN, PROFILES, everything, prepared, ready_for_changes
from tests.faults.disks import full, small_disk
from tests.faults.served import Faulty, done, faulty, read, rename, titles, told, undisturbed
from tests.hermes.process import HermesProcess

NO_SPACE = "There is no space left to write {}. Nothing was changed; free some space."

NO_SPACE_TO_READ = "There is no space left for the files that SQLite needs beside state.db to read it. Free some space."

OF_MANY_PAGES = ("restore", "append", "fork", "import")
SOME_PAGES = 16 * 4096
"""Bytes, so that the log takes a part of such a change."""


@pytest.fixture(scope="module")
def disks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Faulty, Path, Path]]:
    """A server, the disk of the profile `tight` and that of the state directory."""
    folder = tmp_path_factory.mktemp("disks")
    with (
        small_disk(folder / "home" / "profiles" / "tight") as tight,
        small_disk(folder / "server" / "state") as state,
    ):
        home = home_with(folder / "home", **PROFILES, tight=ready_for_changes, roomy=ready_for_changes)
        with faulty(folder / "server", home) as server:
            for name in ("tight", "roomy"):
                prepared(server.server.api(name))
            yield server, tight, state


@pytest.fixture(scope="module")
def agent(disks: tuple[Faulty, Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    """A Hermes that has the store open, with a log that holds what it wrote."""
    faulty, _, _ = disks
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as hermes:
        hermes.open(store_path(faulty.server.home, "tight"))
        hermes.create_session("agent", "telegram")
        hermes.append_message("agent", "user", "before")
        yield hermes
        assert hermes.complaints() == []


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_is_refused_for_want_of_space_and_done_once_there_is_some(
    disks: tuple[Faulty, Path, Path], agent: HermesProcess, kind: str
) -> None:
    faulty, tight, _ = disks
    api, path = faulty.server.api("tight"), store_path(faulty.server.home, "tight")
    agent.append_message("agent", "user", f"before {kind}")
    done(lambda: rename(api, "agent", f"Before {kind}"))  # after a change of one's own, every read is fresh
    before, seen = everything(api, path), read(api)
    for left in (0, SOME_PAGES) if kind in OF_MANY_PAGES else (0,):
        with full(tight, left), undisturbed(faulty):
            assert told(lambda: CHANGES[kind](api)) == ("STORAGE_FULL", NO_SPACE.format("state.db"))
            assert read(api) == seen
            assert faulty.ready("tight")["ready"]
        assert everything(api, path) == before
    done(lambda: CHANGES[kind](api))
    assert everything(api, path) != before
    agent.append_message("agent", "user", f"after {kind}")


@pytest.mark.parametrize("kind", ["create", "delete", "prune", "restore"])
def test_a_full_state_directory_costs_what_goes_into_the_bin(disks: tuple[Faulty, Path, Path], kind: str) -> None:
    """Everything else is done: what was restored is back, though its entry cannot be taken out."""
    faulty, _, state = disks
    api, path = faulty.server.api("roomy"), store_path(faulty.server.home, "roomy")
    before = everything(api, path)
    with full(state), undisturbed(faulty):
        if kind in OF_BIN:
            assert told(lambda: CHANGES[kind](api)) == ("STORAGE_FULL", NO_SPACE.format("bin.db"))
            assert everything(api, path) == before
        else:
            done(lambda: CHANGES[kind](api))
        read(api)
        assert faulty.ready("roomy")["ready"]
    if kind in OF_BIN:
        done(lambda: CHANGES[kind](api))
    assert everything(api, path) != before


@pytest.mark.parametrize("has_agent", [True, False])
def test_a_server_that_starts_on_a_full_disk_reads(tmp_path: Path, has_agent: bool) -> None:
    """Beside an agent that has the store open, or alone."""
    home = home_with(tmp_path / "home", **PROFILES)
    with (
        small_disk(home / "profiles" / "tight") as disk,
        StoreBuilder(store_path(home, "tight")) as store,
    ):
        ready_for_changes(store)
        if not has_agent:
            store.close()
        with contextlib.ExitStack() as until_there_is_space:
            until_there_is_space.enter_context(full(disk))
            with faulty(tmp_path / "server", home) as server:
                api = server.server.api("tight")
                with undisturbed(server):
                    if has_agent:
                        assert read(api)["session"]["messageCount"] == 1
                        assert server.ready("tight")["ready"]
                    else:  # SQLite needs a file beside the store that an agent would have made
                        assert told(lambda: titles(api)) == ("STORAGE_FULL", NO_SPACE_TO_READ)
                        assert server.ready("tight") == {
                            "name": "tight",
                            "ready": False,
                            "status": "UNREACHABLE",
                            "reason": NO_SPACE_TO_READ,
                        }
                until_there_is_space.close()
                assert read(api)["session"]["messageCount"] == 1
                done(lambda: rename(api, "named", "With space"))
