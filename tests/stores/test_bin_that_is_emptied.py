"""Another server removes what is just being restored: nothing is done in part, or said that was not done."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode
from tests.stores.opened import bin_of, delete, opened, refused


async def test_a_restoration_reads_one_moment_of_the_bin(filled: Path) -> None:
    async with opened(filled) as store:
        bin_id = (await delete(store, "ferry")).bin_id or ""
    bin = bin_of(filled)
    async with bin.kept_open():
        sizes = await bin.sizes(bin_id, "messages")
        await bin_of(filled, days=0).until_free()  # a server that keeps nothing, with the same state directory
        rows = await bin.rows(bin_id, "messages", [number for number, _ in sizes])
    assert len(rows) == len(sizes) == 4


async def test_what_the_bin_lost_while_a_restoration_waited_is_not_called_restored(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(filled) as store:
        bin_id = (await delete(store, "ferry")).bin_id or ""
        changing = store._changing

        def emptied_meanwhile(**options: bool) -> AbstractAsyncContextManager[Any]:
            return _after(bin_of(filled, days=0).until_free(), changing(**options))

        monkeypatch.setattr(store, "_changing", emptied_meanwhile)
        with refused(ErrorCode.NOT_FOUND, "lost this entry"):
            await store.restore(bin_id, dry_run=False)
        assert "ferry" not in (await store.forest()).sessions


@asynccontextmanager
async def _after(first: Awaitable[None], block: AbstractAsyncContextManager[Any]) -> AsyncIterator[Any]:
    await first
    async with block as entered:
        yield entered
