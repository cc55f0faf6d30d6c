"""What is exported as JSON lines, the real Hermes imports."""

from __future__ import annotations

import json
from pathlib import Path

from hermes_sessions.demo import make_demo
from tests.builders import home_with
from tests.export.hostile import hostile
from tests.export.test_command import export
from tests.hermes.process import HermesProcess


def test_hermes_imports_what_was_exported_of_a_demo_home(hermes: HermesProcess, tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=30)
    target = tmp_path / "all.jsonl"
    assert export(tmp_path / "home", "--all", "--format", "jsonl", "--output", str(target)).returncode == 0
    _same_after_import(hermes, tmp_path / "home" / "state.db", target, tmp_path)


def test_hermes_imports_a_hostile_session_too(hermes: HermesProcess, tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", other=hostile)
    done = export(home, "bad", "--profile", "other", "--format", "jsonl")
    hermes.open(tmp_path / "new.db")
    answer = hermes.call("import_sessions", [json.loads(line) for line in done.stdout.splitlines()])
    assert (answer["ok"], answer["imported"], answer["errors"]) == (True, 1, [])
    assert len(hermes.get_messages("bad")) == 6


def _same_after_import(hermes: HermesProcess, store: Path, target: Path, tmp_path: Path) -> None:
    sessions = [json.loads(line) for line in target.read_text().splitlines()]
    hermes.open(store)
    before = {session["id"]: _told(hermes, session["id"]) for session in sessions}
    assert sum(map(len, before.values())) > 100
    hermes.close()
    hermes.open(tmp_path / "new.db")
    answer = hermes.call("import_sessions", sessions)
    assert (answer["ok"], answer["errors"]) == (True, [])
    assert answer["imported"] == len(sessions)
    assert {session_id: _told(hermes, session_id) for session_id in before} == before


def _told(hermes: HermesProcess, session_id: str) -> list[tuple[object, ...]]:
    names = ("role", "content", "tool_calls", "tool_call_id", "tool_name", "timestamp", "reasoning", "finish_reason")
    """Hermes itself reads calls that do not parse as none, and writes none as NULL."""
    return [tuple(message.get(name) or None for name in names) for message in hermes.get_messages(session_id)]
