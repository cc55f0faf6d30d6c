"""A store that we make beside others: complete from its first moment on, private, and never in place of another."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.writing.new_session import NewSession, new_session
from hermes_sessions.stores.create import publish_store
from tests.builders import StoreBuilder
from tests.stores.opened import names_in, opened, refused, rows_of


def test_a_store_appears_with_its_schema_and_nothing_beside_it(path: Path) -> None:
    publish_store(path)
    assert names_in(path.parent) == ["state.db"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.stat().st_nlink == 1
    assert rows_of(path, "SELECT version FROM schema_version") == [(22,)]


def test_a_store_that_is_there_stays_as_it_is(path: Path) -> None:
    with StoreBuilder(path) as store:
        store.session("mine")
    before = path.stat().st_ino
    publish_store(path)
    assert path.stat().st_ino == before
    assert rows_of(path, "SELECT id FROM sessions") == [("mine",)]
    assert names_in(path.parent) == ["state.db"]


def test_many_that_make_it_at_once_make_one(path: Path) -> None:
    seen: list[int] = []

    def make() -> None:
        publish_store(path)
        seen.append(path.stat().st_ino)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1
    assert names_in(path.parent) == ["state.db"]


def test_a_directory_that_is_gone_is_unreachable(path: Path) -> None:
    path.parent.rmdir()
    path.parent.symlink_to(path.parent / "nowhere")
    with pytest.raises(HermesSessionsError) as caught:
        publish_store(path)
    assert caught.value.code is ErrorCode.STORE_UNREACHABLE


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_root_makes_it_for_the_owner_of_the_directory(path: Path) -> None:
    os.chown(path.parent, 65534, 65534)
    publish_store(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65534)


async def test_a_read_only_server_makes_none(path: Path) -> None:
    async with opened(path, read_only=True) as store:
        with refused(ErrorCode.READ_ONLY):
            await store.create(NewSession())
    assert names_in(path.parent) == []


async def test_a_refused_session_leaves_an_empty_store_that_works(path: Path) -> None:
    async with opened(path) as store:
        with refused(ErrorCode.NOT_FOUND):
            await store.create(new_session(parent="nobody"))
        await store.create(new_session(id="a"))
        assert list((await store.forest()).sessions) == ["a"]
