"""The log at its most talkative, and every answer: no token, no password, no word of a transcript, no forged line."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from hermes_sessions.settings import Settings
from tests.builders import StoreBuilder, home_with, store_path
from tests.hostile.payloads import commands_in
from tests.postgres.server import PostgresServer
from tests.processes import Replica, replica
from tests.web.serving import BEARER, TOKEN, Served

PASSWORD = "a-password%2Bof-nobody"
PLAIN_PASSWORD = "a-password+of-nobody"
WORD = "quicksilver"
"""Stands in every transcript, title and variable."""
ASKED = re.compile(r"/export/[^ ]+")
"""An address of an export, which names a profile and a session as somebody wrote them."""
RECORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING|ERROR) [\w.]+: ")
FORGED = "2026-01-01 00:00:00,000 ERROR hermes_sessions.web: forged"


def secrets(store: StoreBuilder) -> None:
    store.session("s1", title=f"{WORD} title", model=WORD, source=WORD)
    store.message("s1", "user", f"{WORD} content", reasoning=WORD, tool_name=WORD)


def failing(store: StoreBuilder) -> None:
    """A change fails as nobody expects it, and SQLite quotes what is stored."""
    secrets(store)
    store.sql(f"CREATE TRIGGER t BEFORE UPDATE ON sessions BEGIN SELECT json('{WORD}'); END")


@pytest.fixture(scope="module")
def unreachable() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    return f"postgresql://somebody:{PASSWORD}@127.0.0.1:{port}/nowhere"


@pytest.fixture(scope="module")
def locked() -> Iterator[str]:
    """A server that asks for another password."""
    running = PostgresServer(password=f"not-{PLAIN_PASSWORD}")
    try:
        running.start()
        yield running.url().replace("postgres@", f"postgres:{PASSWORD}@")
    finally:
        running.close()


@pytest.fixture(scope="module", params=["1", "2"], ids=["one process", "two workers"])
def driven(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, unreachable: str, locked: str
) -> tuple[str, str]:
    """The log of a server after all kinds of requests, and all that it answered."""
    folder = tmp_path_factory.mktemp("log")
    home = home_with(folder / "home", default=secrets, failing=failing)
    store_path(home, "broken").parent.mkdir(parents=True)
    store_path(home, "broken").write_bytes(f"{WORD} is no database ".encode() * 500)
    profiles = [f"gone={unreachable}", f"locked={locked}"]
    variable = {"HERMES_SESSIONS_PROFILE": " ".join(profiles)}
    options = ("--home", str(home), "--log-level", "debug", "--workers", request.param)
    with replica(folder / "server", *options, environment=variable) as running:
        answers = [*requests(running), *sockets(running), *commands_of(running)]
    return running.log.read_text(), "\n".join(answers)


def requests(running: Replica) -> Iterator[str]:
    """Refusals and failures alone are told: good answers hold what was asked for."""
    with running.client() as client:
        for profile in ("default", "failing", "broken", "gone", "locked", "nobody", f"{WORD}/.."):
            for query in DOCUMENTS:
                body = {"query": query, "variables": {"text": WORD}}
                answer = client.post("/graphql", json=body, params={"profile": profile})
                assert profile != "default" or query not in GOOD or "errors" not in answer.json(), answer.text
                yield refused(answer)
            for name in ("s1.json", f"{WORD}.md", "s1.html"):
                yield refused(client.get(f"/export/{profile}/{name}"))
        for target in ("/readyz", "/healthz", "/", "/nowhere", f"/{TOKEN}", f"/a/{TOKEN}?token={TOKEN}"):
            yield refused(client.get(target))
        yield client.get("/readyz").text
        for body in ("{", '"x"', f'{{"query": "{WORD}"}}', f'{{"query": "{{ a(x: \\"{WORD}\\") }}", "variables": 1}}'):
            yield refused(client.post("/graphql", content=body, headers={"content-type": "application/json"}))
    with httpx.Client(base_url=f"http://127.0.0.1:{running.port}", verify=False) as stranger:
        for headers in ({}, {"authorization": f"Bearer {TOKEN}x"}, {**BEARER, "host": "evil.test"}):
            yield stranger.post(f"/graphql?token={TOKEN}", json={"query": "{ a }"}, headers=headers).text
            yield stranger.get(f"/export/default/s1.json?access_token={TOKEN}", headers=headers).text[:200]
    served = Served(running.port)
    for target in (
        "/%0d%0a" + FORGED.replace(" ", "%20"),
        "/%1b%5b2J%c2%9b",
        "/%e2%80%a8x",
        "/a%00b",
        "/\x80",
        "//\t/",
    ):
        for method in ("GET", "FORGED\x0b"):
            with contextlib.suppress(OSError, ValueError):
                yield str(served.raw(method, target, [("Host", "localhost"), ("X-Request-Id", f"x\n{FORGED}")]).body)


GOOD = [
    "{ conversations { nodes { id } } profile { status statusReason health { walBytes } } }",
    "query ($text: String!) { search(text: $text) { edges { node { snippet conversation { id } } } } }",
    'query { session(id: "s1") { title messages(first: 5) { nodes { content raw } } } }',
]
DOCUMENTS = [
    *GOOD,
    'query ($text: String!) { session(id: "s1") { messages(first: 5) { nodes { content raw } } } a: nope(x: $text) }',
    'mutation ($text: String!) { renameSession(input: {id: "s1", title: $text}) { userErrors { code message } } }',
    "mutation ($text: String!) { renameSession(input: {id: $text, title: $text}) { userErrors { code message } } }",
    "query ($text: Int!) { session(id: $text) { id } }",
    "{",
]


def refused(answer: httpx.Response) -> str:
    """What an answer says where it says no."""
    if answer.status_code >= 400:
        return answer.text
    if answer.headers.get("content-type", "").startswith("application/json") and "errors" in answer.json():
        return str(answer.json()["errors"])
    return ""


def sockets(running: Replica) -> Iterator[str]:
    for token in (TOKEN, f"{TOKEN}x"):
        with connect(
            f"ws://127.0.0.1:{running.port}/graphql?token={TOKEN}", subprotocols=["graphql-transport-ws"]
        ) as talk:
            talk.send(f'{{"type": "connection_init", "payload": {{"Authorization": "Bearer {token}"}}}}')
            with contextlib.suppress(Exception):
                yield str(talk.recv(timeout=10))
                talk.send(f'{{"type": "subscribe", "id": "1", "payload": {{"query": "{{ {WORD} }}"}}}}')
                talk.recv(timeout=10)
                talk.send(f'{{"type": "{WORD}"}}')
                talk.recv(timeout=10)


def commands_of(running: Replica) -> Iterator[str]:
    """The command lines of the server and of its workers."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if entry.name == str(running.pid) or f"\nPPid:\t{running.pid}\n" in (entry / "status").read_text():
                    line = (entry / "cmdline").read_bytes().decode()
                    assert line != ""
                    yield line


@pytest.mark.parametrize("secret", [TOKEN, PASSWORD, PLAIN_PASSWORD])
def test_no_secret_is_in_the_log_nor_in_any_answer(driven: tuple[str, str], secret: str) -> None:
    log, answers = driven
    assert secret not in log
    assert secret not in answers


def test_no_word_of_a_transcript_is_in_the_log(driven: tuple[str, str]) -> None:
    log, _ = driven
    lines = [ASKED.sub("", line) for line in log.splitlines()]
    assert [line for line in lines if WORD in line] == []


def test_every_line_of_the_log_is_a_record_or_belongs_to_one(driven: tuple[str, str]) -> None:
    log, _ = driven
    lines = log.split("\n")
    assert len(lines) > 100
    assert [line for line in lines if line and not RECORD.match(line) and not line.startswith("    ")] == []
    assert [line for line in lines if line.startswith(FORGED[:10])] == []
    assert commands_in(log.replace("\n", "")) == set()


def test_requests_were_of_all_kinds(driven: tuple[str, str]) -> None:
    log, answers = driven
    for said in ("STORE_DAMAGED", "STORE_UNREACHABLE", "UNAUTHENTICATED", "FORBIDDEN", "PROFILE_NOT_FOUND", "INTERNAL"):
        assert said in answers
    assert "Traceback" in log
    for status in (" 200 ", " 101 ", " 400 ", " 401 ", " 403 ", " 404 ", " 503 "):
        assert status in log


def test_settings_do_not_show_their_secrets() -> None:
    settings = Settings(token=TOKEN, profile=(("team", f"postgresql://a:{PASSWORD}@b/c"),))
    shown: list[Any] = [repr(settings), str(settings), f"{settings}"]
    assert TOKEN not in "".join(shown)
    assert PASSWORD not in "".join(shown)


LOGGING = """
import logging
from hermes_sessions.settings import Settings
from hermes_sessions.web import logs
logs.configure(Settings(token="a/b+c=d", log_level="debug"))
log = logging.getLogger("hermes_sessions.web")
log.info("%s", {forged!r})
log.info("GET /a%2Fb%2Bc%3Dd /a/b%2Bc%3Dd a/b+c=d")
try:
    raise ValueError({forged!r})
except ValueError:
    log.exception("failed")
"""


def test_neither_a_message_nor_an_error_forges_a_record() -> None:
    program = LOGGING.format(forged=f"x\r\n{FORGED}\x1b[2J\x85\u2028{FORGED}\x0b\u202e")
    environment = {**os.environ, "PYTHONPATH": "backend"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    records = [line for line in done.stderr.split("\n") if RECORD.match(line)]
    assert [line.split(": ")[1] for line in records][1:] == ["GET /[secret] /[secret] [secret]", "failed"]
    assert len(records) == 3
    assert "    ValueError: x" in done.stderr
    assert commands_in(done.stderr.replace("\n", "")) == set()
