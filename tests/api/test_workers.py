"""Several workers of one server: whichever answers, what was changed through one of them is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.api.serving import Json
from tests.builders import StoreBuilder, T, full_plan, home_with

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-for-the-workers"
CHANGES = 30
CLIENTS = 6
"""Each keeps a connection of its own, so that both workers are asked."""
LIST = "{ conversations(first: 50, filter: {audience: ALL}) { nodes { id title } } }"
RENAME = 'mutation ($title: String!) { renameSession(input: {id: "d3", title: $title}) { userErrors { message } } }'


def fill(store: StoreBuilder) -> None:
    """So many that reading a change takes as long as many questions: what was read before would be at hand."""
    full_plan(store)
    store.sql("BEGIN")
    for number in range(4_000):
        store.session(f"other{number}", start=T - 1_000 - number)
    store.sql("COMMIT")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    home = home_with(tmp_path / "home", default=fill)
    command = [sys.executable, "-m", "hermes_sessions", "serve", "--home", str(home), "--port", "0", "--no-open"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "backend"),
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "HERMES_SESSIONS_STATE_DIR": str(tmp_path / "state"),
        "HERMES_SESSIONS_READ_ONLY": "0",
    }
    with subprocess.Popen([*command, "--workers", "2"], env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        ready = server.stdout.readline().split()
        assert ready[:1] == ["READY"]
        yield ready[1]
        server.terminate()


def ask(client: httpx.Client, query: str, **variables: object) -> Json:
    answer = client.post("/graphql", json={"query": query, "variables": variables}).json()
    assert "errors" not in answer, answer
    data: Json = answer["data"]
    return data


def test_a_change_through_one_worker_is_seen_through_the_other_at_once(address: str) -> None:
    with ExitStack() as stack:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        clients = [
            stack.enter_context(httpx.Client(base_url=address, headers=headers, timeout=30)) for _ in range(CLIENTS)
        ]
        for number in range(CHANGES):
            title = f"Boat {number}"
            writer = clients[number % CLIENTS]
            assert ask(writer, RENAME, title=title)["renameSession"]["userErrors"] == []
            for reader in clients:
                assert title in [node["title"] for node in ask(reader, LIST)["conversations"]["nodes"]]
