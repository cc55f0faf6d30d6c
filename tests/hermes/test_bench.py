"""Hermes' own dashboard takes part in the benchmark, on the same home in the same run."""

from __future__ import annotations

import json
from pathlib import Path

from hermes_sessions.bench.run import run_bench
from hermes_sessions.demo import make_demo
from tests.hermes.venv import hermes_python


def test_searches_are_measured_beside_hermes(tmp_path: Path) -> None:
    make_demo(tmp_path / "home", sessions=40)
    run_bench(tmp_path / "home", rounds=20, output=tmp_path / "figures.json", hermes=hermes_python())
    measures = json.loads((tmp_path / "figures.json").read_text())["measures"]
    searches = {each["operation"]: each for each in measures if each["operation"].startswith("search")}
    assert "search, two common words" in searches
    assert all(each["hermes_ms"] > 0 and each["count"] > 0 for each in searches.values())
    assert all(each["hermes_ms"] is None for each in measures if each["operation"] not in searches)
