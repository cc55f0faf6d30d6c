"""The demo home: every kind is there, Hermes opens it, and the same seed makes it again."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.demo import DemoSummary, make_demo
from hermes_sessions.demo.home import SCENARIOS
from hermes_sessions.demo.story_portugal import RARE_WORD
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from tests.builders import StoreBuilder, store_path

NOW = 1796000000.0  # 30 November 2026
PROFILES = ("default", "work", "research")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoSummary:
    return make_demo(tmp_path_factory.mktemp("demo") / "home", now=NOW)


@pytest.fixture
def store(demo: DemoSummary) -> Iterator[StoreBuilder]:
    """The profile that has every kind."""
    with StoreBuilder(store_path(demo.home)) as opened:
        yield opened


def ids(store: StoreBuilder, condition: str) -> list[str]:
    """Sessions `s` with their parents `p`, perhaps missing, by a condition; `marker(x)` reads `model_config`."""
    readable = re.sub(r"marker\((\w+)\)", r"json_extract(s.model_config, '$._\1_from')", condition)
    rows = store.sql(
        "SELECT s.id FROM sessions s LEFT JOIN sessions p ON p.id = s.parent_session_id"
        f" WHERE {readable} ORDER BY s.started_at"
    )
    return [row[0] for row in rows]


def total(store: StoreBuilder, question: str) -> Any:
    return store.sql(question)[0][0]


KINDS = {
    "root": "s.parent_session_id IS NULL AND marker(delegate) IS NULL",
    "continuation in the middle of a chain": "p.end_reason = 'compression' AND s.end_reason = 'compression'",
    "branch by marker": "marker(branched) = p.id",
    "branch by its parent's end": "p.end_reason = 'branched' AND s.started_at >= p.ended_at"
    " AND marker(branched) IS NULL",
    "continuation that inherited a branch marker": "p.end_reason = 'compression' AND marker(branched) != p.id",
    "subagent": "marker(delegate) = p.id",
    "subagent of a subagent": "marker(delegate) = p.id AND p.model_config LIKE '%_delegate_from%'",
    "orphaned subagent": "s.parent_session_id IS NULL AND marker(delegate) = '__orphaned__'",
    "tool": "p.id IS NOT NULL AND s.source = 'tool'",
    "reset by marker": "marker(reset) = p.id",
    "reset by key": "p.end_reason = 'session_reset' AND s.session_key = p.session_key AND marker(reset) IS NULL",
    "side": "p.end_reason = 'compression' AND s.end_reason = 'ws_orphan_reap'",
    "child without a reason": "p.end_reason = 'cli_close' AND s.model_config NOT LIKE '%\\_from%' ESCAPE '\\'",
    "dangling parent": "s.parent_session_id IS NOT NULL AND p.id IS NULL",
    "cycle": "p.parent_session_id = s.id",
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_session_is_there(store: StoreBuilder, kind: str) -> None:
    assert ids(store, KINDS[kind]) != []


def test_chains_have_two_to_five_segments(demo: DemoSummary) -> None:
    lengths = set()
    for profile in PROFILES:
        with StoreBuilder(store_path(demo.home, profile)) as store:
            rows = store.sql(
                "WITH RECURSIVE chain(id, length) AS ("
                "  SELECT id, 1 FROM sessions WHERE parent_session_id IS NULL"
                "  UNION ALL SELECT s.id, length + 1 FROM chain JOIN sessions s ON s.parent_session_id = chain.id"
                "  JOIN sessions p ON p.id = chain.id WHERE p.end_reason = 'compression'"
                "   AND json_extract(s.model_config, '$._delegate_from') IS NULL"
                "   AND json_extract(s.model_config, '$._branched_from') IS NULL"
                ") SELECT DISTINCT length FROM chain"
            )
            lengths |= {row[0] for row in rows}
    assert {2, 3, 4, 5} <= lengths


def test_a_continuation_begins_with_copies_around_a_summary(store: StoreBuilder) -> None:
    (tip,) = ids(store, "s.title = 'Portugal by train #2'")
    first, summary, *_ = store.sql(
        "SELECT role, content, timestamp FROM messages WHERE session_id = ? ORDER BY id", [tip]
    )
    assert summary[1].startswith("[CONTEXT COMPACTION")
    copies = (
        "SELECT s.title FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE m.role = ? AND m.content = ? AND m.timestamp = ? ORDER BY s.title"
    )
    titles = ["Portugal by car", "Portugal by train", "Portugal by train #2", "Portugal by train #3"]
    assert [row[0] for row in store.sql(copies, first)] == titles


def test_a_word_of_march_stands_in_a_tool_result_alone_and_the_conversation_costs_8_20(store: StoreBuilder) -> None:
    found = store.sql("SELECT session_id, role FROM messages WHERE content LIKE ?", [f"%{RARE_WORD}%"])
    assert [role for _, role in found] == ["tool"]
    head = found[0][0]
    assert (
        total(store, f"SELECT strftime('%Y-%m', started_at, 'unixepoch') FROM sessions WHERE id = '{head}'")
        == "2026-03"
    )
    costs = store.sql(
        "WITH RECURSIVE below(id) AS ("
        "  SELECT ? UNION SELECT s.id FROM below JOIN sessions s ON s.parent_session_id = below.id"
        "  WHERE json_extract(s.model_config, '$._branched_from') IS NULL)"
        " SELECT round(sum(estimated_cost_usd + coalesce((SELECT sum(u.estimated_cost_usd) FROM session_model_usage u"
        "   WHERE u.session_id = sessions.id AND u.task <> ''), 0)), 6), count(*)"
        " FROM sessions WHERE id IN (SELECT id FROM below)",
        [head],
    )
    assert costs == [(8.2, 5)]


def test_costs_of_all_sorts_are_there(store: StoreBuilder) -> None:
    statuses = {row[0] for row in store.sql("SELECT DISTINCT cost_status FROM sessions WHERE message_count > 0")}
    assert statuses == {"estimated", "actual", "included", "unknown", None}
    assert total(store, "SELECT count(*) FROM sessions WHERE cost_status = 'actual' AND actual_cost_usd IS NULL") == 0
    assert total(store, "SELECT count(DISTINCT task) FROM session_model_usage") == 4
    mixed = "SELECT session_id FROM session_model_usage WHERE task = '' GROUP BY session_id HAVING count(*) > 1"
    assert len(store.sql(mixed)) == 1


def test_usage_rows_add_up_to_the_session(store: StoreBuilder) -> None:
    different = store.sql(
        "SELECT s.id FROM sessions s"
        " JOIN session_model_usage u ON u.session_id = s.id AND u.model = s.model AND u.task = ''"
        " WHERE u.input_tokens != s.input_tokens OR u.output_tokens != s.output_tokens"
        " OR u.estimated_cost_usd != coalesce(s.estimated_cost_usd, 0)"
    )
    assert different == []


def test_counters_are_kept_as_hermes_keeps_them(demo: DemoSummary) -> None:
    for profile in PROFILES:
        with StoreBuilder(store_path(demo.home, profile)) as store:
            wrong = store.sql(
                "SELECT s.title FROM sessions s WHERE s.message_count !="
                " (SELECT count(*) FROM messages m WHERE m.session_id = s.id AND m.compacted = 0)"
            )
            assert wrong in ([], [("Draft that was taken back",)])


def test_soft_deleted_messages_are_there(store: StoreBuilder) -> None:
    rewound = {row[0] for row in store.sql("SELECT session_id FROM messages WHERE active = 0 AND compacted = 0")}
    compacted = {row[0] for row in store.sql("SELECT session_id FROM messages WHERE active = 0 AND compacted = 1")}
    assert len(rewound) == 2
    assert len(compacted) == 1


def test_states_of_sessions_are_there(store: StoreBuilder) -> None:
    last = "(SELECT max(timestamp) FROM messages m WHERE m.session_id = s.id)"
    assert len(ids(store, f"s.ended_at IS NULL AND {last} BETWEEN {NOW} - 300 AND {NOW}")) == 1
    assert len(ids(store, f"s.ended_at IS NULL AND {last} < {NOW} - 30 * 86400")) >= 3
    assert len(ids(store, "s.archived = 1")) >= 5
    assert len(ids(store, "s.title IS NULL")) >= 20
    assert len(ids(store, f"{last} IS NULL")) == 3


def test_nothing_happens_after_now_and_the_sessions_fill_a_year(demo: DemoSummary) -> None:
    months = set()
    for profile in PROFILES:
        with StoreBuilder(store_path(demo.home, profile)) as store:
            assert total(store, "SELECT max(max(started_at), max(coalesce(ended_at, 0))) FROM sessions") <= NOW
            assert total(store, "SELECT max(timestamp) FROM messages") <= NOW
            months |= {row[0] for row in store.sql("SELECT strftime('%Y-%m', started_at, 'unixepoch') FROM sessions")}
    assert len(months) >= 12


def test_all_sources_are_there(demo: DemoSummary) -> None:
    sources = set()
    for profile in PROFILES:
        with StoreBuilder(store_path(demo.home, profile)) as store:
            sources |= {row[0] for row in store.sql("SELECT DISTINCT source FROM sessions")}
    assert sources == {"cli", "tui", "telegram", "discord", "slack", "cron", "api_server", "tool"}


def test_jobs_run_many_times(store: StoreBuilder) -> None:
    runs = [row[0] for row in store.sql("SELECT id FROM sessions WHERE source = 'cron'")]
    assert len(runs) > 20
    assert len({run.split("_")[1] for run in runs}) == 2


def test_tool_calls_and_their_results_are_there_in_all_states(store: StoreBuilder) -> None:
    calls, broken = set(), 0
    for (text,) in store.sql("SELECT tool_calls FROM messages WHERE tool_calls IS NOT NULL"):
        try:
            calls |= {call["id"] for call in json.loads(text)}
        except ValueError:
            broken += 1
    results = {row[0] for row in store.sql("SELECT tool_call_id FROM messages WHERE tool_call_id IS NOT NULL")}
    assert broken == 1
    assert results - calls == {"call_of_nobody"}
    assert calls - results == {"call_lost"}
    tools = {row[0] for row in store.sql("SELECT DISTINCT tool_name FROM messages WHERE role = 'tool'")}
    assert {"terminal", "read_file", "write_file", "patch", "web_search", "todo", "execute_code"} <= tools


def test_results_look_like_those_of_the_tools(store: StoreBuilder) -> None:
    results = [json.loads(row[0]) for row in store.sql("SELECT content FROM messages WHERE tool_name = 'terminal'")]
    assert any("\x1b[31m" in result["output"] for result in results)
    assert any(result["exit_code"] == 1 for result in results)
    diffs = [json.loads(row[0])["diff"] for row in store.sql("SELECT content FROM messages WHERE tool_name = 'patch'")]
    assert all("\n@@ " in diff and "\n+" in diff for diff in diffs)
    assert (
        total(store, "SELECT count(*) FROM messages WHERE role = 'tool' AND json_extract(content, '$.success') = 0")
        >= 1
    )


def test_pictures_are_real_png_files(store: StoreBuilder) -> None:
    contents = [row[0] for row in store.sql("SELECT content FROM messages WHERE instr(content, 'data:image/png') > 0")]
    assert contents
    for content in contents:
        assert content.startswith("\x00json:")
        (url,) = (part["image_url"]["url"] for part in json.loads(content[6:]) if part["type"] == "image_url")
        picture = base64.b64decode(url.partition(",")[2])
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(zlib.decompress(picture[picture.index(b"IDAT") + 4 : picture.index(b"IEND") - 8])) == 40 * (
            1 + 3 * 64
        )


def test_chinese_japanese_and_korean_are_there(store: StoreBuilder) -> None:
    for word in ("记忆断裂", "静かな", "데이터베이스"):
        assert store.sql("SELECT count(*) FROM messages WHERE content LIKE ?", [f"%{word}%"])[0][0] > 0


def test_no_slot_is_left_open(demo: DemoSummary) -> None:
    scenarios = (scenario for several in SCENARIOS.values() for scenario in several)
    names = {name for scenario in scenarios for slots in scenario.slots for name in slots} | {"a", "b", "c"}
    slot = re.compile(rf"\$\{{?({'|'.join(names)})\b")
    for profile in PROFILES:
        with StoreBuilder(store_path(demo.home, profile)) as store:
            texts = store.sql("SELECT content FROM messages UNION ALL SELECT title FROM sessions")
            assert [text for (text,) in texts if slot.search(text or "")] == []


def test_one_transcript_is_long(demo: DemoSummary) -> None:
    with StoreBuilder(store_path(demo.home, "work")) as store:
        assert total(store, "SELECT max(message_count) FROM sessions") >= 1500


def test_the_size_follows_the_wish(tmp_path: Path) -> None:
    small = make_demo(tmp_path / "small", sessions=0, now=NOW)
    larger = make_demo(tmp_path / "larger", sessions=100, now=NOW)
    assert 100 <= larger.sessions - small.sessions <= 115
    for summary in larger.profiles.values():
        with StoreBuilder(summary.path) as store:
            assert total(store, "SELECT count(*) FROM sessions") == summary.sessions
            assert total(store, "SELECT count(*) FROM messages") == summary.messages


def rows_of(home: Path) -> list[list[tuple[Any, ...]]]:
    tables = ("sessions", "messages", "session_model_usage")
    found = []
    for profile in PROFILES:
        with StoreBuilder(store_path(home, profile)) as store:
            found += [store.sql(f"SELECT * FROM {table} ORDER BY rowid") for table in tables]
    return found


def test_the_same_seed_makes_the_same_rows(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        make_demo(tmp_path / name, sessions=40, now=NOW, seed=seed)
    assert rows_of(tmp_path / "one") == rows_of(tmp_path / "same")
    assert rows_of(tmp_path / "one") != rows_of(tmp_path / "other")


@pytest.mark.parametrize("profile", ["default", "research"])
def test_a_home_with_sessions_is_refused(tmp_path: Path, profile: str) -> None:
    with StoreBuilder(store_path(tmp_path, profile)) as store:
        store.session("mine")
    with pytest.raises(HermesSessionsError, match="new or empty folder") as refused:
        make_demo(tmp_path, sessions=1)
    assert refused.value.code is ErrorCode.BAD_USER_INPUT
    assert [path.name for path in tmp_path.rglob("state.db")] == ["state.db"]
