"""A store's file is cut, overwritten, taken away or made into something else while it is served: it is said what is
wrong, and once the file is sound again it is read and changed again, by the same server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.api.serving import Refusal
from tests.builders import StoreBuilder, home_with, store_path
from tests.faults.changes import CHANGES, PROFILES, prepared, ready_for_changes
from tests.faults.disks import read_only, small_disk
from tests.faults.served import Faulty, done, faulty, read, rename, titles, told, undisturbed, until_done
from tests.stores.opened import remove

DAMAGED = (
    "STORE_DAMAGED",
    "state.db is damaged or no SQLite database. It was left as it is; "
    "restore it from a backup, or let Hermes repair it.",
)
NO_FILE = ("UNSUPPORTED_STORE", "The store is no regular file; it was not opened.")
NO_PROFILE = ("PROFILE_NOT_FOUND", "There is no profile {}. The field `profiles` lists the names.")
PAGE = 4096

Break = Callable[[Path], None]


def overwrite(path: Path, at: float, size: int, with_: bytes = b"\0") -> None:
    """From this part of the file on."""
    start = int(path.stat().st_size * at) // PAGE * PAGE
    with path.open("r+b") as file:
        file.seek(start)
        file.write(with_ * size)


def cut(path: Path, size: int) -> None:
    remove(path, "-wal", "-shm")
    os.truncate(path, size)


def replace_by_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def share(path: Path) -> None:
    os.link(path, path.with_name("elsewhere.db"))


BREAKS: Mapping[str, tuple[Break, tuple[str, str] | None]] = {
    "cut-to-nothing": (lambda path: cut(path, 0), None),
    "cut-to-a-page": (lambda path: cut(path, PAGE), DAMAGED),
    "cut-to-half": (lambda path: cut(path, path.stat().st_size // 2 // PAGE * PAGE), DAMAGED),
    "no-header": (lambda path: overwrite(path, 0, 100), DAMAGED),
    "zeros": (lambda path: overwrite(path, 0, path.stat().st_size), DAMAGED),
    "garbage": (lambda path: overwrite(path, 0, path.stat().st_size // 8, b"no store"), DAMAGED),
    "deleted": (lambda path: remove(path, "", "-wal", "-shm"), None),
    "moved": (lambda path: path.rename(path.with_name("away.db")), None),
    "directory": (replace_by_directory, NO_FILE),
    "pipe": (replace_by_pipe, NO_FILE),
    "gone": (lambda path: shutil.rmtree(path.parent), NO_PROFILE),
}
"""How a store breaks, and what is said of it; nothing where it then counts as one that is not there yet."""

IN_PLACE = ("no-header", "zeros", "garbage")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    folder = tmp_path_factory.mktemp("files")
    names = [*BREAKS, *SIDECARS, "replaced", "sector"]
    home = home_with(folder / "home", **PROFILES, **dict.fromkeys(names, ready_for_changes))
    with faulty(folder / "server", home) as started:
        yield started


def content_of(path: Path) -> bytes | None:
    """None where there is no file."""
    return path.read_bytes() if path.is_file() else None


def put_back(path: Path, backup: Path) -> None:
    """As somebody does who restores a backup."""
    if path.is_dir():
        path.rmdir()
    path.parent.mkdir(exist_ok=True)
    remove(path, "-wal", "-shm")
    shutil.copyfile(backup, path.with_name("restored.db"))
    path.with_name("restored.db").replace(path)


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_file_is_named_and_a_restored_one_is_used(server: Faulty, tmp_path: Path, name: str) -> None:
    spoil, expected = BREAKS[name]
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    backup = tmp_path / "backup.db"
    with StoreBuilder(path) as store:
        store.sql("VACUUM INTO ?", (str(backup),))
        store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    before = titles(api)
    spoil(path)
    left = content_of(path)
    with undisturbed(server):
        if expected is None:
            assert titles(api) == {}
            assert server.ready(name)["ready"]
            assert told(lambda: rename(api, "named", "Lost"))[0] == "NOT_FOUND"
        else:
            code, message = expected[0], expected[1].format(name)
            if name not in IN_PLACE:  # what is in memory is told until it is read again
                assert told(lambda: titles(api)) == (code, message)
                assert server.ready(name).get("reason") == (None if name == "gone" else message)
            assert told(lambda: rename(api, "named", "Lost")) == (code, message)
    assert content_of(path) == left
    put_back(path, backup)
    until_done(lambda: titles(api)["named"])
    assert titles(api) == before
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]


def test_another_store_in_its_place_is_read_and_changed(server: Faulty) -> None:
    """The log beside it, which is empty, stays."""
    api, path = server.server.api("replaced"), store_path(server.server.home, "replaced")
    prepared(api)
    other, old = path.with_name("other.db"), path.with_name("old.db")
    with StoreBuilder(other) as store:
        ready_for_changes(store)
        store.set("sessions", "named", title="In the other one")
    with StoreBuilder(path) as store:
        store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    path.rename(old)
    other.replace(path)
    left = old.read_bytes()
    with undisturbed(server):
        assert titles(api)["named"] == "In the other one"
        done(lambda: rename(api, "told", "Kept in it"))
        for kind in CHANGES.keys() - {"restore"}:  # which is of the old one
            assert done(lambda kind=kind: CHANGES[kind](api)), kind  # type: ignore[misc]
    with StoreBuilder(path) as store:
        assert store.sql("SELECT title FROM sessions WHERE id = 'told'") == [("Kept in it",)]
    assert old.read_bytes() == left


def test_a_zeroed_middle_costs_what_lies_there(server: Faulty) -> None:
    """Pages of texts are lost; lists, which do not need them, may go on. Nothing is an error that was not expected."""
    api, path = server.server.api("sector"), store_path(server.server.home, "sector")
    overwrite(path, 0.5, 20 * PAGE)
    with undisturbed(server):
        with pytest.raises(Refusal) as caught:
            read(api)
        assert {error["extensions"]["code"] for error in caught.value.errors} == {"STORE_DAMAGED"}
        assert told(lambda: read(api))[0] == "STORE_DAMAGED"


SIDECARS: Mapping[str, Break] = {
    "no-wal": lambda path: remove(path, "-wal"),
    "cut-wal": lambda path: os.truncate(f"{path}-wal", 100),
    "garbage-wal": lambda path: overwrite(Path(f"{path}-wal"), 0, PAGE, b"x"),
    "no-shm": lambda path: remove(path, "-shm"),
    "garbage-shm": lambda path: overwrite(Path(f"{path}-shm"), 0, 1000, b"x"),
    "no-sidecars": lambda path: remove(path, "-wal", "-shm"),
}


@pytest.mark.parametrize("name", SIDECARS)
def test_a_lost_log_costs_at_most_what_was_in_it(server: Faulty, name: str) -> None:
    """What is in the file stays, and is read and changed again as soon as that can be."""
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    read(api)
    with StoreBuilder(path) as agent:
        agent.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    done(lambda: rename(api, "named", "In the log"))
    SIDECARS[name](path)
    with undisturbed(server):
        until_done(lambda: titles(api))
        assert titles(api)["named"] in ("In the log", "Title of named")
        until_done(lambda: done(lambda: rename(api, "named", "Anew")))
        assert titles(api)["named"] == "Anew"
        for kind, change in CHANGES.items():
            assert done(lambda change=change: change(api)), kind  # type: ignore[misc]


def test_a_file_system_that_becomes_read_only_is_read_and_says_so(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", **PROFILES)
    with small_disk(home / "profiles" / "fixed") as disk:
        home_with(home, fixed=ready_for_changes)
        with faulty(tmp_path / "server", home) as server:
            api = server.server.api("fixed")
            prepared(api)
            seen = read(api)
            with read_only(disk), undisturbed(server):
                for kind, change in CHANGES.items():
                    code, message = told(lambda change=change: change(api))  # type: ignore[misc]
                    assert (code, message) == (
                        "READ_ONLY", "This user may not write the store or its directory."
                    ), kind  # fmt: skip
                assert read(api) == seen
                assert server.ready("fixed")["ready"]
            for kind, change in CHANGES.items():
                assert done(lambda change=change: change(api)), kind  # type: ignore[misc]
