"""The real Hermes takes part in the benchmark: its dashboard is asked the same, and its store is written to."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.bench.run import Order, run_bench
from hermes_sessions.demo import make_demo
from tests.hermes.venv import hermes_python

Json = dict[str, Any]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("bench") / "home"
    make_demo(home, sessions=120)
    return home


@pytest.fixture(scope="module")
def before(home: Path) -> str:
    return _hash(home)


@pytest.fixture(scope="module")
def run(home: Path, before: str) -> dict[str, Json]:
    """The rows by their keys."""
    written = json.loads(run_bench(Order(home, rounds=20, hermes=hermes_python())).json())
    return {row["key"]: row for row in [*written["operations"], *written["comparisons"]]}


def test_hermes_answers_with_as_much(run: dict[str, Json]) -> None:
    assert run["messages"]["peers"]["Hermes"]["items"] > 10
    assert run["sessions"]["peers"]["Hermes"]["items"] > 20
    assert run["conversations"]["peers"]["Hermes"]["items"] > 20
    assert run["counts"]["peers"]["Hermes"]["items"] >= run["counts"]["items"]
    assert run["common"]["peers"]["Hermes"]["items"] > 0
    assert all("Hermes" in run[key]["peers"] for key in ("cjk", "paths"))


def test_a_list_is_measured_while_hermes_commits(run: dict[str, Json]) -> None:
    rate = float(run["load"]["name"].split("commits ")[1].split(" times")[0])
    assert rate > 1
    assert run["load"]["base"] > 0
    assert [target["text"] for target in run["load"]["targets"]] == ["≤ 5 ×"]


def test_the_given_home_is_only_read(home: Path, before: str, run: dict[str, Json]) -> None:
    assert run
    assert _hash(home) == before


def _hash(home: Path) -> str:
    return hashlib.sha256((home / "state.db").read_bytes()).hexdigest()
