"""Rule 8: lists read narrow columns only, a page reads at most a part of a huge content, nothing stays open."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_sessions.model.content import TextPart
from hermes_sessions.stores import seen
from hermes_sessions.stores.contents import MAX_CONTENT_BYTES
from tests.builders import StoreBuilder, T
from tests.statements import overheard
from tests.stores.opened import ANYTHING, fill, opened, read_everything

HUGE = 20_000_000
WIDE = re.compile(r"\b(content|content_head|system_prompt|prompt|tool_calls|reasoning|reasoning_content|origin_json)\b")


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The SQL that runs in the block."""
    with monkeypatch.context() as patch:
        yield overheard(patch)


@pytest.mark.parametrize("schema30", [False, True])
async def test_lists_name_no_wide_column(path: Path, monkeypatch: pytest.MonkeyPatch, schema30: bool) -> None:
    with StoreBuilder(path, schema30=schema30) as builder:
        fill(builder)
        builder.message("ferry", active=0, compacted=1)
    async with opened(path) as store:
        with statements(monkeypatch) as ran:
            await store.forest()
            await store.health()
            await store.state()
        assert any("FROM sessions" in sql for sql in ran)
        assert any("FROM messages" in sql for sql in ran)
        assert [sql for sql in ran if WIDE.search(sql)] == []


async def test_a_list_costs_a_fixed_number_of_statements(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for size in (1, 50):
        with StoreBuilder(path) as builder:
            for number in range(size):
                builder.message(builder.session(f"{size}-{number}"))
        async with opened(path) as store:
            with statements(monkeypatch) as ran:
                ids = list((await store.forest()).sessions)
                await store.previews(ids)
                lines = await store.transcript(ids, ANYTHING)
                await store.messages([line.id for line in lines])
            counts.append(len(ran))
    assert counts[0] == counts[1]


async def test_counting_messages_reads_an_index_and_the_inactive_ones(filled: Path) -> None:
    async with opened(filled) as store:
        columns = (await store._catalogue.picture()).columns
        sql = f"EXPLAIN QUERY PLAN {seen.fresh_messages_sql(columns)}"
        async with store._picturer.connection() as connection:
            steps = await connection.fetch_all(sql, {"earliest": 0, "latest": 1})
    assert [step["detail"] for step in steps if re.match(r"(SCAN|SEARCH) (messages|inactive)", step["detail"])] == [
        "SCAN messages USING COVERING INDEX idx_messages_session_active",
        "SEARCH inactive USING INDEX idx_messages_session_active (session_id=? AND active=?)",
    ]


def huge_store(path: Path) -> int:
    """A store with one message of 20 MB among small ones, and a session with as long a prompt; gives its number."""
    with StoreBuilder(path) as builder:
        fill(builder)
        for table in ("messages_fts", "messages_fts_trigram"):
            builder.sql(f"DROP TRIGGER {table}_insert")  # indexing the words would take most of the test's time
        builder.session("huge", system_prompt="p" * HUGE)
        builder.message("huge", "user", "small", at=T)
        number = builder.message("huge", "tool", "日本語 " * (HUGE // 10), at=T + 1)
        builder.message("huge", "assistant", "small", at=T + 2)
    return number


async def test_b3_a_huge_content_comes_cut_and_is_there_whole_on_request(path: Path) -> None:
    number = huge_store(path)
    async with opened(path) as store:
        message = (await store.messages([number]))[number]
        assert message.is_cut
        assert message.content_bytes == HUGE
        assert MAX_CONTENT_BYTES - 4 < message.loaded_bytes <= MAX_CONTENT_BYTES
        assert message.text == ("日本語 " * HUGE)[: len(message.text)]
        whole = await store.content(number, 2 * HUGE)
        assert whole == "日本語 " * (HUGE // 10)
        assert await store.content(number, 13) == "日本語 日"


def test_b3_a_huge_content_takes_no_memory_in_lists_and_pages(tmp_path: Path) -> None:
    small, big = tmp_path / "small" / "state.db", tmp_path / "big" / "state.db"
    with StoreBuilder(small) as builder:
        fill(builder)
    huge_store(big)
    run = subprocess.run(
        [sys.executable, "-m", "tests.stores.peak", small, big],
        cwd=Path(__file__).parents[2], env={"PYTHONPATH": "backend:."}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    grown = json.loads(run.stdout)
    assert grown["list"] < 4_000_000
    assert grown["page"] < 8_000_000


async def test_structured_content_comes_whole_up_to_its_own_limit(path: Path) -> None:
    words = [{"type": "text", "text": "x" * 1_000_000}]
    with StoreBuilder(path) as builder:
        builder.session("s")
        number = builder.message("s", content=words)
    async with opened(path) as store:
        message = (await store.messages([number]))[number]
        assert message.parts == [TextPart("x" * 1_000_000)]
        assert not message.is_cut
        assert await store.content(number, 10) == "x" * 10


async def test_no_reading_stays_open_between_questions(filled: Path) -> None:
    """A reader that keeps a transaction open keeps the agent's checkpoints from emptying the WAL."""
    with StoreBuilder(filled) as agent:
        async with opened(filled) as store:
            await read_everything(store)
            agent.message("ferry", "user", "more")
            await store.transcript(["ferry"], ANYTHING)
            assert agent.sql("PRAGMA wal_checkpoint(TRUNCATE)") == [(0, 0, 0)]
