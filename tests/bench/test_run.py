"""The benchmark measures what it says: every operation answers, and the floor reads the same rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_sessions.bench.operations import OPERATIONS
from hermes_sessions.bench.run import run_bench
from hermes_sessions.demo import make_demo


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    folder = tmp_path_factory.mktemp("bench")
    make_demo(folder / "home", sessions=120)
    table = run_bench(folder / "home", rounds=20, output=folder / "figures.json")
    assert table.count("\n") == len(OPERATIONS) + 1
    return {
        measure["operation"]: measure for measure in json.loads(Path(folder / "figures.json").read_text())["measures"]
    }


def test_every_operation_is_measured(figures: dict[str, dict[str, float]]) -> None:
    assert list(figures) == [operation.name for operation in OPERATIONS]
    assert all(figure["api_ms"] > 0 for figure in figures.values())


def test_pages_are_full_and_single_answers_single(figures: dict[str, dict[str, float]]) -> None:
    assert figures["50 sessions by start"]["count"] == 50
    assert figures["100 messages"]["count"] > 10
    assert figures["one session by id"]["count"] == figures["one session by prefix"]["count"] == 1
    assert figures["lineage tree"]["count"] > 1


def test_the_floor_sends_an_answer_of_the_same_size(figures: dict[str, dict[str, float]]) -> None:
    for figure in figures.values():
        if figure["floor_bytes"] is not None:
            assert 0.3 < figure["floor_bytes"] / figure["api_bytes"] < 3, figure["operation"]
