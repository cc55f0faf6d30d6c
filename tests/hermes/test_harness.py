"""The harness drives the real Hermes: what it says happened is in the file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.builders import StoreBuilder
from tests.hermes.process import HermesError, HermesProcess


def test_what_hermes_writes_is_in_the_store(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.create_session("s1", "telegram", model="openai/gpt-5.1")
    first = hermes.append_message("s1", "user", "book the ferry")
    hermes.append_message("s1", "assistant", [{"type": "text", "text": "booked"}])
    hermes.set_session_title("s1", "Ferry")
    hermes.end_session("s1", "cli_close")
    hermes.close()

    with StoreBuilder(tmp_path / "state.db") as store:
        assert store.sql("SELECT id, source, title, end_reason, message_count FROM sessions") == [
            ("s1", "telegram", "Ferry", "cli_close", 2)
        ]
        assert store.sql("SELECT id, content FROM messages ORDER BY id") == [
            (first, "book the ferry"),
            (first + 1, '\x00json:[{"type": "text", "text": "booked"}]'),
        ]


def test_hermes_compresses_into_a_continuation(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.create_session("a", model_config={"max_iterations": 60})
    hermes.set_session_title("a", "Plan")
    hermes.compress("a", "b")

    head, tip = hermes.get_session("a"), hermes.get_session("b")
    assert head
    assert tip
    assert head["end_reason"] == "compression"
    assert (tip["parent_session_id"], tip["title"], tip["model_config"]) == ("a", "Plan #2", head["model_config"])
    assert [row["id"] for row in hermes.list_sessions()] == ["b"]


def test_hermes_appends_in_the_background(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.create_session("busy")
    hermes.start_appending("busy", per_second=200)
    time.sleep(0.5)
    appended = hermes.stop_appending()

    assert appended.errors == []
    assert len(appended.written) > 10
    assert [message["id"] for message in hermes.get_messages("busy")] == appended.written


def test_the_background_writer_counts_its_errors(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.start_appending("nobody", per_second=100)
    time.sleep(0.2)
    appended = hermes.stop_appending()

    assert appended.written == []
    assert "FOREIGN KEY" in appended.errors[0]


def test_an_error_of_hermes_is_told_and_the_process_goes_on(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.create_session("s1")
    with pytest.raises(HermesError, match="ValueError: Title too long"):
        hermes.set_session_title("s1", "x" * 101)
    assert hermes.set_session_title("s1", "x" * 100)


def test_a_killed_hermes_leaves_its_wal(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "state.db")
    hermes.create_session("s1")
    hermes.kill()
    assert (tmp_path / "state.db-wal").stat().st_size > 0
    with StoreBuilder(tmp_path / "state.db") as store:
        assert store.sql("SELECT id FROM sessions") == [("s1",)]


def test_a_hermes_without_locks_can_lose_its_wal_to_a_writer_that_closes(hermes: HermesProcess, tmp_path: Path) -> None:
    """The danger that our rules for live stores avoid is real: this is what `drop_posix_locks` is for."""
    path = tmp_path / "state.db"
    hermes.open(path)
    hermes.create_session("s1")
    hermes.drop_posix_locks()
    with StoreBuilder(path) as store:
        store.sql("SELECT count(*) FROM sessions")
    assert not Path(f"{path}-wal").exists()
