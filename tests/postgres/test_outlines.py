"""An outline is made of the same points, whichever engine the messages are in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.model.outline import Point
from hermes_sessions.model.search.fields import INDEXED_FIELDS, MESSAGE_FIELDS, SearchField
from hermes_sessions.store_values import Find, MessageQuery
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres import lines, outlines
from hermes_sessions.stores.postgres.reading import PostgresReading
from tests.builders import StoreBuilder, T, store_path
from tests.postgres.test_reading import QUERIES, STORES
from tests.postgres.twins import twins

FIELDS = [INDEXED_FIELDS, MESSAGE_FIELDS, *(frozenset({field}) for field in sorted(SearchField, key=str))][:6]
TEXTS = ["the", "GRÖSSE", "ferry", "it failed"]
FINDS = [
    None,
    *(Find(text, fields & MESSAGE_FIELDS) for text, fields in product(TEXTS, FIELDS) if fields & MESSAGE_FIELDS),
]
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 30_000}}
SUMMARY = "[CONTEXT COMPACTION] so far"
BEGINNINGS = [
    SUMMARY,
    f" \n\u00a0{SUMMARY}",
    f"{' ' * 190}{SUMMARY}",
    f"not at the beginning: {SUMMARY}",
    f"{'é' * 990}{SUMMARY}",  # across the last byte that is looked at
    f"{'é' * 1100}{SUMMARY}",
    [{"type": "text", "text": SUMMARY}],
    [{"type": "text", "text": "€" * 20_000}],
    [IMAGE],
    [IMAGE, {"type": "text", "text": f"after the image {SUMMARY}"}],
    "€" * 10_000,
    "",
    None,
    17,
    b"[CONTEXT SUMMARY] \xff in bytes",
    f"a\x00b {SUMMARY}",
]
RESULTS = [
    "Error: broken",
    "eRRor",
    "\u00a0\u2003\x1ferror after white space",
    "{" + '"exit_code": 1}',
    '\u00a0{"error": "no such file"}',
    '{"error": "it failed", "output": "' + "x" * 70_000 + '"}',
    "€" * 60_000 + "Traceback (most recent call last)",
    "€" * 70_000 + "Traceback (most recent call last)",
    " " * 30 + "error",
    " " * 70_000 + "error",
    '{"ok": true, "error": null}',
    '{"\\u0065rror": "escaped"}',
    "earlier text",
    [{"type": "text", "text": '{"success": false}'}],
    [{"type": "text", "text": "fine"}, IMAGE],
    b"Error \xff\x00 in bytes",
    '{"error": "\x00"}',
    "\x00json:[broken",
    None,
]


def fill_with_marks(store: StoreBuilder) -> None:
    """Whatever an outline marks, and what stands close to it."""
    store.session("marks")
    for content, role in product(BEGINNINGS, ("user", "assistant", "system", "tool")):
        store.message("marks", role, content, at=T)
    for content in RESULTS:
        store.message("marks", "tool", content, at=T, tool_name="terminal", tool_call_id="c1")
        store.message("marks", "assistant", content, at=T)
    store.message("marks", "user", "hidden", at=T, display_kind="Hidden_note")
    store.message("marks", "user", "marked", at=T, _compressed_summary=1)
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path": "gr\\u00f6\\u00dfe"}'}}
    store.message("marks", "assistant", "ascii", at=T, tool_calls=[call])
    store.message("marks", "user", "die Größe")
    store.message("marks", "tool", [{"type": "text", "text": "die Größe"}], at=T)
    for cells in (
        {"reasoning": "Die GRÖSSE."},
        {"reasoning": b"\xff gr\xc3\xb6sse \x00"},
        {"reasoning": " ", "reasoning_content": "die Größe"},
        {"reasoning_details": json.dumps([{"text": "Größe"}])},
    ):
        store.message("marks", "assistant", "thought", at=T, **cells)
    for at in (None, 0.0, 946_684_800.0, 4_102_444_800.0, 4_102_444_800.5, "many", 1e300):
        store.message("marks", "user", "at some time")
        store.sql("UPDATE OR IGNORE messages SET timestamp = ? WHERE id = (SELECT max(id) FROM messages)", (at,))


FILLED = {**STORES, "marks": fill_with_marks}


@pytest.fixture(params=[*FILLED, "default", "work"])
def path(request: pytest.FixtureRequest, tmp_path: Path, demo_home: Path) -> Path:
    if request.param not in FILLED:
        return store_path(demo_home, request.param)
    with StoreBuilder(tmp_path / "state.db", schema30=request.param == "marks") as store:
        FILLED[request.param](store)
    return tmp_path / "state.db"


def differing(theirs: Sequence[Point], ours: Sequence[Point]) -> list[tuple[Point, Point]]:
    assert [point.id for point in ours] == [point.id for point in theirs]
    return [(one, other) for one, other in zip(theirs, ours, strict=True) if one != other]


async def test_every_point_is_the_same(path: Path, url: str) -> None:
    async with twins(path, url) as (original, twin):
        ids = list((await original.forest()).sessions)
        asked = [*((query, None) for query in QUERIES), *((MessageQuery(), find) for find in FINDS)]
        asked += [(QUERIES[1], FINDS[1]), (MessageQuery(text="GRÖSSE"), None)]
        for query, find in asked:
            theirs, ours = await original.outline(ids, query, find), await twin.outline(ids, query, find)
            assert differing(theirs, ours) == [], (query, find)


async def test_there_is_something_to_mark(tmp_path: Path, url: str) -> None:
    """Else the comparison would say nothing."""
    with StoreBuilder(tmp_path / "state.db", schema30=True) as store:
        fill_with_marks(store)
    async with twins(tmp_path / "state.db", url) as (_, twin):
        points = await twin.outline(["marks"], MessageQuery(), Find("grösse", MESSAGE_FIELDS))
        assert sum(point.is_error for point in points) == 11
        assert sum(point.is_summary for point in points) == 13
        assert sum(point.is_hit for point in points) == 7


async def test_of_what_no_mark_is_made_nothing_is_read(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def count(lines: Any, rows: Sequence[Any], *rest: Any) -> list[Point]:
        read.extend(len(row["content"] or "") for row in rows)
        return points_of(lines, rows, *rest)

    points_of = outlines._points
    monkeypatch.setattr(outlines, "_points", count)
    with StoreBuilder(tmp_path / "state.db", schema30=True) as store:
        store.session("s")
        store.message("s", "user", "a question, " * 100_000)
        store.message("s", "assistant", "an answer, " * 100_000)
        store.message("s", "tool", "a result, " * 100_000)
        store.message("s", "tool", '{"output": "' + "x" * 500_000)
    async with twins(tmp_path / "state.db", url) as (_, twin):
        assert len(await twin.outline(["s"], MessageQuery(), None)) == 4
        assert read == [2_000, 65_536]
        await twin.outline(["s"], MessageQuery(), Find("x", frozenset({SearchField.CONTENT})))
        assert read[2:] == [1_200_000, 1_100_000, 65_536]


async def test_long_transcripts_are_read_in_parts(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "READ_AT_ONCE", 3)
    with StoreBuilder(tmp_path / "state.db") as store:
        for session in ("a", "b"):
            store.session(session)
        for number in range(20):
            store.message(
                "a" if number % 3 else "b", "user" if number % 2 else "tool", f"Error {number}", at=T + number
            )
    async with twins(tmp_path / "state.db", url) as (original, twin):
        theirs = await original.outline(["a", "b"], MessageQuery(), None)
        assert differing(theirs, await twin.outline(["a", "b"], MessageQuery(), None)) == []


async def insert(twin: PostgresReading, values: str) -> None:
    async with twin._database.connection() as connection:
        await connection.execute(f"INSERT INTO hermes_sessions.messages (session_id, role) VALUES {values}")


async def test_what_is_kept_is_read_anew_after_every_commit(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = 0

    async def count(connection: Connection, *rest: Any) -> Any:
        nonlocal readings
        readings += 1
        return await transcript_lines(connection, *rest)

    transcript_lines = lines.transcript_lines
    monkeypatch.setattr(lines, "transcript_lines", count)
    with StoreBuilder(tmp_path / "state.db") as store:
        store.session("s")
        store.message("s")
    async with twins(tmp_path / "state.db", url) as (_, twin):
        for number in range(1, 4):
            for _ in range(3):
                assert len(await twin.transcript(["s"], MessageQuery())) == number
                assert len(await twin.outline(["s"], MessageQuery(), None)) == number
            assert readings == number
            await insert(twin, "('s', 'user')")
