"""README's recipes run as they stand, against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.serving import TOKEN, process_serving
from tests.builders import StoreBuilder, T, home_with, store_path
from tests.docs.test_readme import CODE_BLOCKS

SIZE = 2000
SMALL = 40
"""What is shown by a file is shown by a small one."""


def fill(store: StoreBuilder) -> None:
    store.sql("BEGIN")
    tree(store, "node", SIZE, T)
    tree(store, "leaf", SMALL, T - SMALL)
    store.sql("COMMIT")


def tree(store: StoreBuilder, name: str, size: int, start: float) -> None:
    """Every session has three subagents, until there are as many."""
    for number in range(size):
        parent = f"{name}-{(number - 1) // 3:04}" if number else None
        store.session(
            f"{name}-{number:04}",
            parent=parent,
            delegate_from=parent,
            start=start + number,
            cost=0.01,
            title=f"Task {number} of {name}",
        )


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The server's origin, and the store that it serves."""
    home = home_with(tmp_path_factory.mktemp("recipes") / "home", default=fill)
    with process_serving(home) as (client, _):
        yield str(client.base_url).rstrip("/"), store_path(home)


@pytest.fixture
def origin(live: tuple[str, Path]) -> str:
    return live[0]


def block(language: str, holding: str) -> str:
    [found] = [code for kind, code in CODE_BLOCKS if kind == language and holding in code]
    return found


def test_the_python_recipe_prints_a_lineage_of_2000_sessions(origin: str) -> None:
    environment = os.environ | {
        "HERMES_SESSIONS_URL": f"{origin}/graphql",
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "SESSION": "node-0000",
    }
    program = block("python", "lineage(")
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "2000 sessions, 20.0 USD"
    assert lines[1] == "ROOT  Task 0 of node"
    assert len(lines) == 1 + SIZE


def test_the_live_tail_prints_messages_as_they_are_stored(live: tuple[str, Path]) -> None:
    origin, path = live
    environment = os.environ | {
        "HERMES_SESSIONS_URL": f"{origin}/graphql",
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "SESSION": "node-0",
        "PYTHONUNBUFFERED": "1",
    }
    program = block("python", "messageStream(")
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True) as tail:
        assert tail.stdout is not None
        try:
            assert tail.stdout.readline() == "(node-0000)\n"
            with StoreBuilder(path) as agent:
                agent.message("node-0000", "user", "book the ferry")
                agent.message("node-0001", "user", "to a subagent")
                agent.message("node-0000", "assistant", "booked")
            assert [tail.stdout.readline() for _ in range(2)] == ["user: book the ferry\n", "assistant: booked\n"]
        finally:
            tail.kill()


def test_the_curl_recipe_lists_conversations(origin: str) -> None:
    command = block("sh", "query").replace("http://127.0.0.1:8787", origin)
    environment = os.environ | {"HERMES_SESSIONS_TOKEN": TOKEN}
    done = subprocess.run(
        ["sh", "-c", command], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout)["data"]["conversations"]["nodes"] == [
        {"id": f"{name}-0000", "displayTitle": f"Task 0 of {name}", "cost": {"usd": 0.01}} for name in ("node", "leaf")
    ]


def test_the_export_recipe_downloads_a_file(origin: str, tmp_path: Path) -> None:
    command = block("sh", "/export/").replace("http://127.0.0.1:8787", origin)
    environment = os.environ | {"HERMES_SESSIONS_TOKEN": TOKEN, "SESSION": f"leaf-{SMALL - 1:04}"}
    subprocess.run(["sh", "-c", command], env=environment, cwd=tmp_path, capture_output=True, check=True, timeout=60)
    [file] = tmp_path.iterdir()
    assert file.name == "hermes-leaf-0000.html"
    assert file.read_text().count("<section>") == SMALL
