"""Rule 12: whatever keeps a store from being used has its own status and sentence, and costs no other profile."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.store_values import StoreStatus
from hermes_sessions.stores import status
from tests.builders import StoreBuilder
from tests.stores.opened import (
    delete,
    fill,
    fingerprint,
    names_in,
    opened,
    read_everything,
    refused,
    rows_of,
)
from tests.stores.test_reading import count_openings

ROOT = Path(__file__).parents[2]


def nothing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def no_database(path: Path) -> None:
    path.write_bytes(b"These are the notes of a person.\n" * 200)


def zeroes(path: Path) -> None:
    path.write_bytes(b"\x00" * 20_000)


def half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def a_few_bytes(path: Path) -> None:
    os.truncate(path, 50)


def overwritten_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def hard_link(path: Path) -> None:
    os.link(path, path.with_name("other-name.db"))


def symbolic_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))
    path.symlink_to(path.with_name("elsewhere.db"))


def other_tables(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    with StoreBuilder(path, columns={"sessions": "name TEXT", "messages": "content TEXT"}):
        pass


CASES: list[tuple[Callable[[Path], None], StoreStatus, str, ErrorCode | None]] = [
    (nothing, StoreStatus.EMPTY, "no store yet", None),
    (empty, StoreStatus.EMPTY, "file is empty", None),
    (no_database, StoreStatus.DAMAGED, "no SQLite database", ErrorCode.STORE_DAMAGED),
    (zeroes, StoreStatus.DAMAGED, "damaged", ErrorCode.STORE_DAMAGED),
    (half, StoreStatus.DAMAGED, "damaged", ErrorCode.STORE_DAMAGED),
    (a_few_bytes, StoreStatus.DAMAGED, "damaged", ErrorCode.STORE_DAMAGED),
    (overwritten_middle, StoreStatus.DAMAGED, "damaged", ErrorCode.STORE_DAMAGED),
    (fifo, StoreStatus.UNSUPPORTED, "no regular file", ErrorCode.UNSUPPORTED_STORE),
    (directory, StoreStatus.UNSUPPORTED, "no regular file", ErrorCode.UNSUPPORTED_STORE),
    (symbolic_link, StoreStatus.UNSUPPORTED, "no regular file", ErrorCode.UNSUPPORTED_STORE),
    (hard_link, StoreStatus.UNSUPPORTED, "hard link", ErrorCode.UNSUPPORTED_STORE),
    (other_tables, StoreStatus.UNSUPPORTED, "no Hermes store", ErrorCode.UNSUPPORTED_STORE),
]


@pytest.mark.parametrize(("spoil", "expected", "words", "code"), CASES, ids=lambda case: getattr(case, "__name__", ""))
async def test_what_is_wrong_has_its_status_and_sentence(
    filled: Path, spoil: Callable[[Path], None], expected: StoreStatus, words: str, code: ErrorCode | None
) -> None:
    spoil(filled)
    before = names_in(filled.parent)
    async with opened(filled) as store:
        state = await store.state()
        assert (state.status, words in (state.reason or "")) == (expected, True), state
        if code is None:
            assert len(await store.forest()) == 0
        else:
            with refused(code):
                await store.forest()
        with refused(code or ErrorCode.NOT_FOUND):
            await store.rename("ferry", "Boat", Scope.SESSION)
    assert [name for name in names_in(filled.parent) if not name.endswith(("-wal", "-shm"))] == before


async def test_a_fifo_is_not_even_opened(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fifo(filled)
    openings = count_openings(filled, monkeypatch)
    async with opened(filled) as store:
        await store.state()
    assert openings == []


async def test_a_damaged_store_is_left_as_it_is_and_works_once_it_is_repaired(filled: Path, tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "backup.db") as backup:
        fill(backup)
    no_database(filled)
    before = fingerprint(filled)
    async with opened(filled) as store:
        assert (await store.state()).status is StoreStatus.DAMAGED
        assert fingerprint(filled) == before
        os.replace(tmp_path / "backup.db", filled)
        assert (await store.state()).status is StoreStatus.READY
        await read_everything(store)


async def test_read_only_refuses_every_change_and_opens_no_writer(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(filled) as store:
        entry = (await delete(store, "br1")).bin_id or ""
    openings = count_openings(filled, monkeypatch)
    async with opened(filled, read_only=True) as store:
        state = await store.state()
        assert (state.status, state.reason) == (StoreStatus.READ_ONLY, "The server runs with --read-only.")
        await read_everything(store)
        await delete(store, "ferry", dry_run=True)
        for change in (
            lambda: store.rename("ferry", "Boat", Scope.SESSION),
            lambda: store.archive("ferry", True, Scope.SESSION),
            lambda: delete(store, "ferry"),
            lambda: delete(store, "ferry", permanent=True, force=True),
            lambda: store.restore(entry, dry_run=False),
        ):
            with refused(ErrorCode.READ_ONLY):
                await change()
    assert set(openings) == {"ro"}
    assert rows_of(filled, "SELECT title FROM sessions WHERE id = 'ferry'") == [("Ferry",)]


MOUNTS = """\
/dev/root / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
filer:/homes {mount} {kind} rw 0 0
tmpfs /dev/shm tmpfs rw 0 0
"""


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs"])
async def test_a_store_on_a_network_file_system_is_not_changed(
    filled: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mounted(monkeypatch, str(filled.parent.parent), kind)
    async with opened(filled) as store:
        state = await store.state()
        assert (state.status, "network file system" in (state.reason or "")) == (StoreStatus.READ_ONLY, True)
        await read_everything(store)
        with refused(ErrorCode.READ_ONLY):
            await store.rename("ferry", "Boat", Scope.SESSION)


@pytest.mark.parametrize(("mount", "kind"), [("/else/where", "nfs4"), ("{begin}", "nfs4"), ("{home}", "xfs")])
async def test_another_network_file_system_does_not_matter(
    filled: Path, monkeypatch: pytest.MonkeyPatch, mount: str, kind: str
) -> None:
    home = str(filled.parent)
    mounted(monkeypatch, mount.format(home=home, begin=home[:-1]), kind)
    async with opened(filled) as store:
        assert (await store.state()).status is StoreStatus.READY


async def test_a_mount_point_may_have_spaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "my home" / "state.db"
    with StoreBuilder(path) as store:
        fill(store)
    mounted(monkeypatch, str(path.parent).replace(" ", "\\040"), "nfs")
    assert status.look_at(path, read_only=False).status is StoreStatus.READ_ONLY


def mounted(monkeypatch: pytest.MonkeyPatch, mount: str, kind: str) -> None:
    """The system says that `mount` is a file system of this kind."""
    read_text = Path.read_text

    def mounts_or_file(path: Path, *arguments: Any, **keywords: Any) -> str:
        if str(path) == "/proc/self/mounts":
            return MOUNTS.format(mount=mount, kind=kind)
        return read_text(path, *arguments, **keywords)

    monkeypatch.setattr(Path, "read_text", mounts_or_file)


def test_every_sentence_is_its_own(filled: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sentences = [status.look_at(path, read_only=True).reason for path in (filled, tmp_path / "no.db")]
    for number, spoil in enumerate((empty, fifo, hard_link)):
        path = tmp_path / str(number) / "state.db"
        path.parent.mkdir()
        path.write_bytes(b"x")
        spoil(path)
        sentences.append(status.look_at(path, read_only=False).reason)
    mounted(monkeypatch, str(filled.parent), "nfs")
    sentences.append(status.look_at(filled, read_only=False).reason)
    assert len(set(sentences)) == len(sentences)


async def test_one_bad_profile_costs_no_other(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "state.db"
    with StoreBuilder(other) as builder:
        fill(builder)
    async with opened(filled) as bad, opened(other) as good:
        no_database(filled)
        assert (await bad.state()).status is StoreStatus.DAMAGED
        assert (await good.state()).status is StoreStatus.READY
        await read_everything(good)
