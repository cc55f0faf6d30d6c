"""Rights are taken from a server that runs as an ordinary user, and given back: what it may not do it says, what it may
it does, and it needs no new start."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.api.test_restoring import BIN
from tests.builders import home_with, store_path
from tests.doctor.test_other_users import SHUT
from tests.faults import as_other
from tests.faults.changes import CHANGES, OF_BIN, PROFILES, everything, prepared, ready_for_changes
from tests.faults.served import NEIGHBOUR, Faulty, done, faulty, read, rename, titles, told, undisturbed, until_done
from tests.postgres.server import open_folder
from tests.stores.as_nobody import NOBODY

Step = Callable[[Path], None]
OF_ANOTHER = "The store belongs to another user; a change would leave files that Hermes cannot write."
NOT_WRITABLE = "This user may not write the store or its directory."


class Taken(NamedTuple):
    """What happens to a store, how it is undone, and what is said: of changes, and of reading where that ends."""

    take: Step
    give: Step
    code: str
    sentence: str
    is_read: bool


def of_files(mode: int) -> Step:
    def change(path: Path) -> None:
        for file in path.parent.glob("state.db*"):
            file.chmod(mode)

    return change


def owned(user: int) -> Step:
    def change(path: Path) -> None:
        for file in path.parent.glob("state.db*"):
            os.chown(file, user, user)

    return change


def of_directory(mode: int) -> Step:
    return lambda path: path.parent.chmod(mode)


def shared(path: Path) -> None:
    of_files(0o644)(path)
    owned(0)(path)


TAKEN: Mapping[str, Taken] = {
    "unreadable": Taken(
        of_files(0o000), of_files(0o600), "STORE_UNREACHABLE",
        "This user may not read the store; run as the file's owner.", False,
    ),
    "read-only": Taken(of_files(0o444), of_files(0o600), "READ_ONLY", NOT_WRITABLE, True),
    "of-root": Taken(
        owned(0), owned(NOBODY), "STORE_UNREACHABLE",
        "This user may not read the store; run as the file's owner.", False,
    ),
    "closed": Taken(
        of_directory(0o000), of_directory(0o700), "STORE_UNREACHABLE",
        "The store's directory cannot be read by this user.", False,
    ),
    "fixed": Taken(of_directory(0o555), of_directory(0o700), "READ_ONLY", NOT_WRITABLE, True),
    "shared": Taken(shared, owned(NOBODY), "READ_ONLY", OF_ANOTHER, True),
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Faulty]:
    """As a user to whom all of the home belongs."""
    folder = open_folder("hermes-sessions-rights-")
    try:
        home = home_with(
            folder / "home",
            **PROFILES,
            **dict.fromkeys([*TAKEN, *(f"bin-{each}" for each in STATES)], ready_for_changes),
        )
        for directory, _, files in os.walk(folder):
            for each in (directory, *(os.path.join(directory, file) for file in files)):
                os.chown(each, NOBODY, NOBODY)
                os.chmod(each, 0o700 if each == directory else 0o600)
        (folder / "server" / "state").mkdir(parents=True)
        os.chown(folder / "server" / "state", NOBODY, NOBODY)
        with faulty(folder / "server", home, module=as_other.__name__) as started:
            yield started
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_not_allowed_is_said_and_done_once_it_is(server: Faulty, name: str) -> None:
    taken = TAKEN[name]
    api, path = server.server.api(name), store_path(server.server.home, name)
    prepared(api)
    seen = read(api)
    taken.take(path)
    try:
        with undisturbed(server):
            for kind, change in CHANGES.items():
                assert told(lambda change=change: change(api)) == (taken.code, taken.sentence), kind  # type: ignore[misc]
            if taken.is_read:
                assert read(api) == seen
            else:
                assert told(lambda: titles(api)) == (taken.code, taken.sentence)
            assert server.ready(name)["ready"] == taken.is_read
            assert server.ready(name)["reason"] == taken.sentence
    finally:
        taken.give(path)
    until_done(lambda: done(lambda: rename(api, "named", "Allowed")))
    assert titles(api)["named"] == "Allowed"
    for kind, change in CHANGES.items():
        assert done(lambda change=change: change(api)), kind  # type: ignore[misc]


@pytest.mark.parametrize("mode", [0o000, 0o600])
@pytest.mark.parametrize("place", ["profiles", "."])
def test_profiles_that_may_not_be_looked_for_are_told_and_found_once_they_may(
    server: Faulty, place: str, mode: int
) -> None:
    api, directory = server.server.api(NEIGHBOUR), server.server.home / place
    before = titles(api)
    directory.chmod(mode)
    try:
        assert told(lambda: titles(api)) == ("PROFILE_NOT_FOUND", SHUT)
        seen = server.server.api().ask("{ profiles { name } server { warnings } }")
        assert seen == {"profiles": [{"name": "default"}], "server": {"warnings": [SHUT]}}
        with server.replica.client() as client:
            assert client.get(f"/readyz/{NEIGHBOUR}").status_code == 404
            assert [each["name"] for each in client.get("/readyz").json()["profiles"]] == ["default"]
    finally:
        directory.chmod(0o700)
    assert titles(api) == before


STATES = {
    "fixed": (
        0o500, 0o400, "READ_ONLY",
        "bin.db or its directory cannot be written by this user. Run as the file's owner.",
    ),
    "closed": (
        0o000, 0o000, "STORE_UNREACHABLE",
        "This user may not use the directory of bin.db, where deleted sessions are kept. Nothing was changed; "
        "run as the directory's owner.",
    ),
}  # fmt: skip
"""Rights of the state directory and of the files in it, and what is said."""


def set_modes(state: Path, directory: int, file: int) -> None:
    for each in state.glob("bin.db*"):
        each.chmod(file)
    state.chmod(directory)


@pytest.mark.parametrize("name", STATES)
def test_a_state_directory_that_cannot_be_used_costs_what_goes_into_the_bin(server: Faulty, name: str) -> None:
    directory, file, code, sentence = STATES[name]
    api, path = server.server.api(f"bin-{name}"), store_path(server.server.home, f"bin-{name}")
    prepared(api)
    before = everything(api, path)
    set_modes(server.server.state_dir, directory, file)
    try:
        with undisturbed(server):
            for kind in OF_BIN:
                assert told(lambda kind=kind: CHANGES[kind](api)) == (code, sentence), kind  # type: ignore[misc]
            if name == "closed":  # it is not taken for empty
                assert told(lambda: api.ask(BIN)) == (code, sentence)
            assert server.ready(f"bin-{name}")["ready"]
    finally:
        set_modes(server.server.state_dir, 0o700, 0o600)
    assert everything(api, path) == before
    for kind in CHANGES:
        done(lambda kind=kind: CHANGES[kind](api))  # type: ignore[misc]
