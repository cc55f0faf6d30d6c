"""What is told about a store's files from outside: where they are, and who has them open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes_sessions.stores.health import file_facts
from hermes_sessions.stores.health.file_facts import holders_of, place_of
from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess
from tests.stores.opened import opened
from tests.stores.test_plain_files import files_of, plain_opens

linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux tells who has a file open")


def test_the_place_has_sizes_owner_and_permissions(filled: Path) -> None:
    filled.chmod(0o640)
    with StoreBuilder(filled) as builder:
        builder.message("ferry")
        place = place_of(filled)
        assert (place.file_bytes, place.wal_bytes) == (
            filled.stat().st_size,
            Path(f"{filled}-wal").stat().st_size,
        )
    assert (place.owner, place.mode) == (os.getuid(), 0o640)
    assert place_of(filled).wal_bytes is None


def test_a_store_that_is_gone_still_has_its_log(path: Path) -> None:
    Path(f"{path}-wal").write_bytes(b"x" * 100)
    assert place_of(path).wal_bytes == 100
    assert place_of(path).file_bytes is None


@pytest.mark.parametrize(("kind", "expected"), [("nfs4", True), ("ext4", False), (None, None)])
def test_network_file_systems_are_told_apart(
    filled: Path, monkeypatch: pytest.MonkeyPatch, kind: str | None, expected: bool | None
) -> None:
    monkeypatch.setattr(file_facts, "file_system", lambda _: kind)
    assert place_of(filled).is_network is expected


@linux
def test_an_agent_that_has_the_store_open_is_named_until_it_closes(hermes: HermesProcess, filled: Path) -> None:
    hermes.open(filled)
    hermes.append_message("ferry", "user", "hello")
    with plain_opens() as opens:
        found = holders_of(filled)
    assert found is not None
    [holder] = found.known
    assert (holder.pid, holder.is_this_process) == (hermes.pid, False)
    assert holder.command is not None
    assert holder.command.startswith("python")
    assert files_of(filled).isdisjoint(opens)
    hermes.close()
    assert holders_of(filled) == file_facts.Holders([], found.hidden)


@linux
def test_an_agent_that_lost_its_locks_is_told(hermes: HermesProcess, filled: Path) -> None:
    hermes.open(filled)
    hermes.append_message("ferry", "user", "hello")
    assert [each.has_lock for each in (holders_of(filled) or file_facts.Holders([], 0)).known] == [True]
    hermes.drop_posix_locks()
    assert [each.has_lock for each in (holders_of(filled) or file_facts.Holders([], 0)).known] == [False]


@linux
async def test_our_own_process_is_told_apart_from_others(filled: Path) -> None:
    async with opened(filled) as store:
        await store.forest()
        found = await store.holders()
    assert found is not None
    assert [(each.pid, each.is_this_process) for each in found.known] == [(os.getpid(), True)]


@linux
def test_another_store_of_the_same_name_is_held_by_nobody(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "state.db"
    with StoreBuilder(other):
        found = holders_of(filled)
    assert found is not None
    assert found.known == []


def test_where_the_system_does_not_tell_nobody_is_named(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_facts, "_PROC", tmp_path / "no-proc")
    assert holders_of(filled) is None
