"""A look that takes no locks makes no file, and counts only when nobody wrote meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode
from hermes_sessions.stores.health.still import Witness
from tests.builders import StoreBuilder
from tests.stores.opened import connected, names_in, refused, remove, state_of


async def test_reading_a_closed_store_leaves_nothing_beside_it(filled: Path) -> None:
    before = state_of(filled)
    witness = Witness.of(filled)
    assert witness.mode == "still"
    async with connected(filled, witness.mode) as database:
        assert await database.fetch_val("SELECT count(*) FROM sessions") > 0
        assert names_in(filled.parent) == ["state.db"]
    assert names_in(filled.parent) == ["state.db"]
    assert state_of(filled) == before
    assert witness.holds()


async def test_the_ordinary_way_would_leave_sidecars(filled: Path) -> None:
    """Why there is another way."""
    async with connected(filled, "ro") as database:
        await database.fetch_val("SELECT count(*) FROM sessions")
    assert names_in(filled.parent) == ["state.db", "state.db-shm", "state.db-wal"]


def test_a_store_with_both_sidecars_is_read_the_ordinary_way(filled: Path) -> None:
    with StoreBuilder(filled) as agent:
        agent.message("ferry")
        assert Witness.of(filled).mode == "ro"


def test_a_write_during_the_look_is_noticed(filled: Path) -> None:
    witness = Witness.of(filled)
    with StoreBuilder(filled) as agent:
        assert not witness.holds()
        agent.message("ferry")
    assert Witness.of(filled).mode == "still"
    assert not witness.holds()


def test_a_replaced_file_is_noticed(filled: Path) -> None:
    witness = Witness.of(filled)
    copy = filled.with_name("copy.db")
    shutil.copy2(filled, copy)
    copy.replace(filled)
    assert not witness.holds()


def test_a_log_without_its_index_is_left_alone(filled: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup" / "state.db"
    backup.parent.mkdir()
    with StoreBuilder(filled) as agent:
        agent.message("ferry")
        for suffix in ("", "-wal"):
            shutil.copy2(f"{filled}{suffix}", f"{backup}{suffix}")
    with refused(ErrorCode.STORE_UNREACHABLE, "-shm"):
        _ = Witness.of(backup).mode
    assert names_in(backup.parent) == ["state.db", "state.db-wal"]


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_one_empty_or_missing_sidecar_needs_no_other(filled: Path, suffix: str) -> None:
    Path(f"{filled}{suffix}").touch()
    assert Witness.of(filled).mode == "still"
    remove(filled, suffix)


def test_a_hot_journal_is_not_passed_over(filled: Path) -> None:
    Path(f"{filled}-journal").write_bytes(b"x" * 512)
    assert Witness.of(filled).mode == "ro"
