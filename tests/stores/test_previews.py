"""Previews are kept until a session's messages change, and then made anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.stores import previews
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.builders import StoreBuilder, T
from tests.stores.opened import opened
from tests.stores.test_sizes import statements


async def preview(store: SqliteStore, session: str = "s") -> str | None:
    store._catalogue.forget()
    return (await store.previews([session]))[session]


async def test_previews_follow_the_messages(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("s")
        async with opened(path) as store:
            assert await preview(store) is None
            first = agent.message("s", "user", "first")
            assert await preview(store) == "first"
            second = agent.message("s", "user", "second")
            assert await preview(store) == "first"
            agent.set("messages", first, active=0)
            assert await preview(store) == "second"
            agent.set("messages", first, active=1)
            assert await preview(store) == "first"
            agent.sql("DELETE FROM messages WHERE id = ?", (first,))
            assert await preview(store) == "second"
            agent.sql("DELETE FROM messages WHERE id = ?", (second,))
            assert await preview(store) is None


async def test_a_rewound_message_that_makes_room_for_another_shows_the_other(path: Path) -> None:
    """In one commit, so that the numbers of live and rewound messages stay what they were."""
    with StoreBuilder(path) as agent:
        agent.session("s")
        first, second = agent.message("s", "user", "first"), agent.message("s", "user", "second", active=0)
        async with opened(path) as store:
            assert await preview(store) == "first"
            agent.sql("BEGIN")
            agent.set("messages", first, active=0)
            agent.set("messages", second, active=1)
            agent.sql("COMMIT")
            assert await preview(store) == "second"


async def test_a_session_that_is_deleted_and_made_again_has_a_preview_of_its_own(path: Path) -> None:
    with StoreBuilder(path) as agent:
        agent.session("s")
        agent.message("s", "user", "old")
        async with opened(path) as store:
            assert await preview(store) == "old"
            agent.sql("DELETE FROM messages")
            agent.message("s", "user", "new")
            assert await preview(store) == "new"


async def test_kept_previews_cost_no_look_at_messages(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(filled) as store:
        ids = list((await store.forest()).sessions)
        first = await store.previews(ids)
        with statements(monkeypatch) as ran:
            assert await store.previews(ids) == first
        assert [sql for sql in ran if "messages" in sql] == []


async def test_an_unknown_session_has_no_preview(filled: Path) -> None:
    async with opened(filled) as store:
        assert await store.previews(["ferry", "nobody"]) == {"ferry": "book the ferry"}


async def test_m1_structured_content_is_previewed_by_its_text(path: Path) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    with StoreBuilder(path) as builder:
        builder.session("both")
        builder.message("both", content=[{"type": "text", "text": "look at this"}, image])
        builder.session("later")
        builder.message("later", content=[image])
        builder.message("later", content="a lighthouse")
        builder.session("none")
        builder.message("none", content=[image])
    async with opened(path) as store:
        assert await store.previews(["both", "later", "none"]) == {
            "both": "look at this", "later": "a lighthouse", "none": "[image]"
        }  # fmt: skip


async def test_a_preview_is_found_behind_many_other_rows(path: Path) -> None:
    with StoreBuilder(path) as builder:
        for session, before in (("near", 7), ("far", 60), ("farther", 200)):
            builder.session(session)
            for number in range(before):
                builder.message(session, "assistant", f"{number}")
            builder.message(session, "user", f"found in {session}", at=T)
    async with opened(path) as store:
        names = ["near", "far", "farther"]
        assert await store.previews(names) == {name: f"found in {name}" for name in names}


async def test_m5_a_rewound_message_is_no_preview(path: Path) -> None:
    with StoreBuilder(path) as builder:
        builder.session("s")
        builder.message("s", "user", "taken back", active=0)
        builder.message("s", "user", "compacted", active=0, compacted=1)
        builder.message("s", "user", "live")
    async with opened(path) as store:
        assert await store.previews(["s"]) == {"s": "live"}


async def test_a_page_of_previews_costs_a_fixed_number_of_statements(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StoreBuilder(path) as builder:
        for number in range(200):
            builder.message(builder.session(f"s{number}"))
    async with opened(path) as store:
        ids = list((await store.forest()).sessions)
        with statements(monkeypatch) as ran:
            assert len(await store.previews(ids)) == 200
        assert len([sql for sql in ran if "messages" in sql]) == 1


async def test_a_question_that_waits_while_the_store_is_replaced_is_answered(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StoreBuilder(path) as agent:
        for name in ("s", "t"):
            agent.session(name)
            agent.message(name, "user", f"old {name}")
    with StoreBuilder(tmp_path / "other.db") as other:
        other.session("s")
        other.message("s", "user", "new s")
    read = previews.previews
    async with opened(path) as store:
        assert await preview(store, "s") == "old s"  # kept, so that only the other one is read below

        async def slow(*arguments: Any) -> dict[str, str | None]:
            monkeypatch.setattr(previews, "previews", read)
            found = await read(*arguments)
            os.replace(tmp_path / "other.db", path)
            await asyncio.create_task(store.previews(["s"]))  # another question, which meets the new store
            return found

        monkeypatch.setattr(previews, "previews", slow)
        assert await store.previews(["s", "t"]) == {"s": "old s", "t": "old t"}
        assert await preview(store, "s") == "new s"
