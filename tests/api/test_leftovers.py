"""What an answer was made of is gone with it, and waits for no look for circles of objects."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path

import pytest

from hermes_sessions.api.context import Context, StoreView
from tests.api.planning import answer, executor_on
from tests.builders import StoreBuilder, T

QUESTION = '{ session(id: "s") { messages { nodes { content } } } }'


def test_what_a_question_has_read_is_gone_once_it_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StoreBuilder(tmp_path / "state.db") as store:
        store.session("s")
        store.message("s", "user", "hello", at=T)
    views: list[weakref.ref[StoreView]] = []
    view = Context.view

    async def watched(self: Context, profile: str | None) -> StoreView:
        found = await view(self, profile)
        views.append(weakref.ref(found))
        return found

    async def ask() -> list[bool]:
        async with executor_on(tmp_path) as executor:
            await answer(executor, QUESTION, {})
            await asyncio.sleep(0)
            return [each() is None for each in views]

    monkeypatch.setattr(Context, "view", watched)
    gc.disable()
    try:
        assert asyncio.run(ask()) == [True]
    finally:
        gc.enable()
