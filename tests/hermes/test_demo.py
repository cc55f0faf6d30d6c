"""Hermes itself opens the demo home and finds its way in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.demo import DemoSummary, make_demo
from tests.hermes.process import HermesProcess

WORDS = {"default": "guesthouse", "work": "certificate", "research": "benchmark"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoSummary:
    return make_demo(tmp_path_factory.mktemp("demo") / "home", now=1796000000.0)


@pytest.mark.parametrize("profile", WORDS)
def test_hermes_opens_every_store_of_the_demo(hermes: HermesProcess, demo: DemoSummary, profile: str) -> None:
    path: Path = demo.profiles[profile].path
    before = path.read_bytes()

    assert hermes.open(path) == 22
    assert hermes.complaints() == []
    assert hermes.sql("SELECT version FROM schema_version") == [[22]]
    assert hermes.sql("PRAGMA integrity_check") == [["ok"]]

    listed = hermes.list_sessions(limit=200)
    assert len(listed) > 40
    for row in listed[:20]:
        messages = hermes.get_messages(row["id"])
        assert bool(messages) == bool(row["message_count"])
    assert hermes.call("search_messages", WORDS[profile])

    hermes.close()
    assert path.read_bytes() == before
