"""System calls of the server fail: it is said, nothing is half done, and once they succeed again all goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.serving import Json, Refusal
from tests.builders import home_with, store_path
from tests.faults.changes import CHANGES, OF_BIN, PROFILES, everything, prepared, ready_for_changes
from tests.faults.served import Faulty, done, faulty, read, titles, undisturbed, until_done
from tests.faults.strace import failing

FAULTS = {
    "read": ("pread64", "EIO"),
    "write": ("pwrite64", "EIO"),
    "space": ("pwrite64", "ENOSPC"),
    "sync": ("fsync,fdatasync", "EIO"),
    "open": ("openat", "EIO"),
}
"""Which calls on the files of the store fail, and how."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("errors")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys([*FAULTS, "bin"], ready_for_changes))
    with faulty(folder / "server", home) as started:
        yield started


@pytest.mark.parametrize("name", FAULTS)
def test_a_failing_system_call_is_told_and_over_with_it(
    server: Faulty, tmp_path: Path, name: str, figure: Callable[[str], None]
) -> None:
    calls, error = FAULTS[name]
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    before = everything(api, path)
    read(api)
    codes = {}
    with undisturbed(server), failing(server.replica.pid, calls, error, tmp_path, *files_of(path)):
        for kind, change in CHANGES.items():
            codes[kind] = code_of(lambda change=change: change(api))  # type: ignore[misc]
        codes["reading"] = code_of(lambda: read(api))
    figure(f"{name}: {codes}")
    told = {codes[kind] for kind in CHANGES}
    expected = {"STORAGE_FULL" if error == "ENOSPC" else "STORE_UNREACHABLE"}
    # SQLite's full-text index calls a part damaged that it cannot read.
    assert told - ({"STORE_DAMAGED"} if name == "read" else set()) == expected, codes
    assert codes["reading"] == ("STORE_UNREACHABLE" if name == "read" else "done")
    until_done(lambda: read(api))
    assert everything(api, path) == before
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]
    assert everything(api, path) != before


def test_a_bin_that_cannot_be_written_costs_what_goes_into_it(server: Faulty, tmp_path: Path) -> None:
    """The store is as it was, whichever call on the bin's files fails."""
    api = server.server.api("bin")
    prepared(api)
    before = titles(api).keys()
    files = files_of(server.server.state_dir / "bin.db")
    with undisturbed(server):
        for calls in ("pwrite64", "fsync,fdatasync"):
            with failing(server.replica.pid, calls, "EIO", tmp_path, *files):
                for kind in OF_BIN:
                    assert code_of(lambda kind=kind: CHANGES[kind](api)) == "STORE_UNREACHABLE", (calls, kind)  # type: ignore[misc]
                done(lambda: CHANGES["rename"](api))
            assert titles(api).keys() == before
    for kind in OF_BIN:
        done(lambda kind=kind: CHANGES[kind](api))  # type: ignore[misc]


def code_of(work: Callable[[], Json]) -> str:
    """Of the refusal, if it is one."""
    try:
        done(work)
    except Refusal as refusal:
        [code] = {each["extensions"]["code"] for each in refusal.errors}
        return str(code)
    return "done"


def files_of(path: Path) -> list[Path]:
    return [path, *(path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm", "-journal"))]
