"""System calls of the server fail: it is said, nothing is half done, and once they succeed again all goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.serving import Refusal
from tests.builders import home_with, store_path
from tests.faults.changes import CHANGES, PROFILES, everything, prepared, ready_for_changes
from tests.faults.served import Faulty, done, faulty, read, told, undisturbed, until_done
from tests.faults.strace import failing

FAULTS = {
    "read": ("pread64", "EIO"),
    "write": ("pwrite64", "EIO"),
    "space": ("pwrite64", "ENOSPC"),
    "sync": ("fsync,fdatasync", "EIO"),
    "open": ("openat", "EIO"),
    "cut": ("ftruncate", "EIO"),
}
"""Which calls on the files of the store fail, and how."""
CODES = {"STORE_UNREACHABLE", "STORAGE_FULL"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("errors")
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys(FAULTS, ready_for_changes))
    with faulty(folder / "server", home) as started:
        yield started


@pytest.mark.parametrize("name", FAULTS)
def test_a_failing_system_call_is_told_and_over_with_it(server: Faulty, tmp_path: Path, name: str) -> None:
    calls, error = FAULTS[name]
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    before, seen = everything(api, path), read(api)
    codes = {}
    with undisturbed(server), failing(server.replica.pid, calls, error, tmp_path, *files_of(path)):
        for kind, change in CHANGES.items():
            try:
                if done(lambda change=change: change(api)):  # type: ignore[misc]
                    codes[kind] = "done"
            except Refusal:
                codes[kind] = told(lambda change=change: change(api))[0]  # type: ignore[misc]
        try:
            assert read(api).keys() == seen.keys()
        except Refusal as refusal:
            assert {each["extensions"]["code"] for each in refusal.errors} <= CODES
    assert set(codes.values()) <= {*CODES, "done"}, codes
    until_done(lambda: read(api))
    if "done" not in codes.values():
        assert everything(api, path) == before
    for kind in [kind for kind, code in codes.items() if code != "done"]:
        assert done(lambda kind=kind: CHANGES[kind](api)), kind  # type: ignore[misc]
    assert everything(api, path) != before


def files_of(path: Path) -> list[Path]:
    return [path, *(path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm", "-journal"))]
