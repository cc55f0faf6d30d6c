"""Other servers on the same sessions, asked in the same run where they are installed beside: docs/peers.md says how.

They get a copy of the store, since some write to what they read.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from hermes_sessions.bench.operations import Operation
from hermes_sessions.bench.servers import Client, graphql_body, server
from hermes_sessions.bench.subjects import Subjects
from hermes_sessions.bench.timing import Ask

IMPORT_SECONDS = 3600


@dataclass(frozen=True)
class Route:
    """How another server is asked for the same as an operation: the path, the body where it is a POST, and how much
    came. The path takes the words that are searched for."""

    path: Callable[[Subjects, str], str]
    count: Callable[[Any], int]
    body: Callable[[Subjects], bytes] | None = None

    def send(self, client: Client, subjects: Subjects, text: str) -> bytes:
        path = self.path(subjects, text)
        return client.get(path) if self.body is None else client.post(path, self.body(subjects))


@dataclass(frozen=True)
class Other:
    """A running server. `routes` are by the keys of operations; what it does not have is not measured."""

    name: str
    client: Client
    routes: Mapping[str, Route]

    def ask(self, operation: Operation, subjects: Subjects) -> Ask:
        route = self.routes[operation.key]
        return lambda turn: route.send(self.client, subjects, operation.text(subjects, turn))

    def count(self, operation: Operation, subjects: Subjects) -> int:
        route = self.routes[operation.key]
        return route.count(orjson.loads(route.send(self.client, subjects, operation.text(subjects, 0))))


def _searches(path: str, items: Callable[[Any], int]) -> dict[str, Route]:
    route = Route(lambda _, text: f"{path}?{urlencode({'q': text, 'limit': 20})}", items)
    return dict.fromkeys(("common", "rare", "cjk", "paths"), route)


# Started without its command line, which would look for other servers of Hermes and offer to end them.
_SERVE_HERMES = """
import sys
from hermes_cli.web_server import app
import uvicorn
app.state.auth_required = False
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[-1]), log_level="error", access_log=False)
"""
_HERMES_SESSION = Route(lambda subjects, _: f"/api/sessions/{quote(subjects.long_session)}", lambda data: 1)
_HERMES: Mapping[str, Route] = {
    "sessions": Route(
        lambda *_: "/api/sessions?limit=50&order=created&archived=include", lambda data: len(data["sessions"])
    ),
    "conversations": Route(lambda *_: "/api/sessions?limit=50&order=recent", lambda data: len(data["sessions"])),
    "messages": Route(
        lambda subjects, _: f"/api/sessions/{quote(subjects.long_session)}/messages?limit=100",
        lambda data: len(data["messages"]),
    ),
    "session": _HERMES_SESSION,
    "prefix": Route(lambda subjects, _: f"/api/sessions/{quote(subjects.prefix or '')}", lambda data: 1),
    # Its usage by day is left out: it asks the network for prices first.
    "counts": Route(lambda *_: "/api/sessions/stats", lambda data: int(data["total"])),
    **_searches("/api/sessions/search", lambda data: len(data["results"])),
}


@contextlib.contextmanager
def hermes(python: Path, home: Path) -> Iterator[Other]:
    """Hermes' dashboard by a Python that has `hermes-agent` installed."""
    token = secrets.token_urlsafe(16)
    environment = {"HERMES_HOME": str(home.absolute()), "HERMES_DASHBOARD_SESSION_TOKEN": token}
    command = [str(python), "-c", _SERVE_HERMES]
    with server(command, environment, {"authorization": f"Bearer {token}"}) as client:
        yield Other("Hermes", client, _HERMES)


def _agentsview_id(subjects: Subjects) -> str:
    return f"hermes:{quote(subjects.long_session)}"


_AGENTSVIEW: Mapping[str, Route] = {
    "sessions": Route(lambda *_: "/api/v1/sessions?limit=50&order_by=started:desc", lambda data: len(data["sessions"])),
    "conversations": Route(lambda *_: "/api/v1/sessions?limit=50&order_by=recent", lambda data: len(data["sessions"])),
    "messages": Route(
        lambda subjects, _: f"/api/v1/sessions/{_agentsview_id(subjects)}/messages?limit=100",
        lambda data: len(data["messages"]),
    ),
    "session": Route(lambda subjects, _: f"/api/v1/sessions/{_agentsview_id(subjects)}", lambda data: 1),
    "counts": Route(lambda *_: "/api/v1/stats", lambda data: int(data["session_count"])),
    **_searches("/api/v1/search", lambda data: int(data["count"])),
}


@contextlib.contextmanager
def agentsview(python: Path, home: Path) -> Iterator[Other]:
    """agentsview by a Python that has `agentsview` installed. It first takes the sessions over into a store of its own,
    which may last minutes, and is then kept from looking for new ones."""
    folder = home / "agentsview"
    (home / "sessions").mkdir(exist_ok=True)
    folder.mkdir()
    (folder / "config.toml").write_text(f"[agents.hermes]\ndirs = ['{home / 'sessions'}']\n", encoding="utf-8")
    # HOME is the copy: what else agentsview finds in a home of its user does not come into the measurement.
    environment = {"HOME": str(home), "AGENTSVIEW_DATA_DIR": str(folder), "AGENTSVIEW_NO_DAEMON": "1"}
    command = [str(python), "-m", "agentsview"]
    subprocess.run(
        [*command, "sync"],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=IMPORT_SECONDS,
    )
    serve = [*command, "serve", "--no-sync", "--no-browser", "--no-update-check", "--host", "127.0.0.1", "--port"]
    with server(serve, environment) as client:
        yield Other("agentsview", client, _AGENTSVIEW)


_DATASETTE_SESSION = """id source model title started_at ended_at end_reason archived message_count tool_call_count
    cwd git_branch parent_session_id { id } input_tokens output_tokens cache_read_tokens reasoning_tokens
    estimated_cost_usd actual_cost_usd"""


def _datasette(document: str, count: Callable[[Any], int]) -> Route:
    def body(subjects: Subjects) -> bytes:
        return graphql_body(document, {"id": subjects.long_session})

    return Route(lambda *_: "/graphql/state", lambda answer: count(answer["data"]), body)


_DATASETTE: Mapping[str, Route] = {
    "sessions": _datasette(
        f"{{ sessions(first: 50, sort_desc: started_at) {{ nodes {{ {_DATASETTE_SESSION} }} }} }}",
        lambda data: len(data["sessions"]["nodes"]),
    ),
    "messages": _datasette(
        "query ($id: String) { messages(first: 100, filter: {session_id: {eq: $id}}) { nodes { id role content"
        " tool_calls tool_call_id tool_name timestamp token_count reasoning } } }",
        lambda data: len(data["messages"]["nodes"]),
    ),
    "session": _datasette(
        f"query ($id: String) {{ sessions_row(id: $id) {{ {_DATASETTE_SESSION} }} }}",
        lambda data: int(data["sessions_row"] is not None),
    ),
}


@contextlib.contextmanager
def datasette(python: Path, home: Path) -> Iterator[Other]:
    """datasette by a Python that has `datasette` and `datasette-graphql` installed."""
    command = [str(python), "-m", "datasette", "serve", str(home / "state.db"), "--host", "127.0.0.1", "--port"]
    with server(command) as client:
        yield Other("datasette", client, _DATASETTE)
