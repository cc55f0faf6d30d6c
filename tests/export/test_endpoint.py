"""The address of exports: who is let in, what is refused, and what it costs while it runs."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.api.serving import Server, peak_megabytes, process_serving, serving
from tests.builders import StoreBuilder, T, full_plan, home_with
from tests.export.hostile import get
from tests.web.serving import TOKEN

LONG = 3000


def long(store: StoreBuilder) -> None:
    store.session("long")
    store.sql("BEGIN")
    for number in range(LONG):
        store.message("long", "user", f"{number} " + "x" * 20_000, at=T + number)
    store.sql("COMMIT")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("export") / "home") as running:
        yield running


@pytest.mark.parametrize("name", ["d1.json", "d1.jsonl", "d1.md", "d1.html"])
def test_an_export_needs_the_token(server: Server, name: str) -> None:
    api = server.profile(full_plan)
    answer = server.served.raw("GET", f"/export/{api.profile}/{name}", [("host", "localhost")])
    assert (answer.status, answer.code) == (401, "UNAUTHENTICATED")
    assert get(server, api, name).status_code == 200


def test_it_is_a_download_with_a_harmless_name(server: Server) -> None:
    api = server.profile(lambda store: store.session('a"b\u00e4/../c'))
    answer = get(server, api, 'a"b.md')
    assert answer.headers["content-disposition"] == 'attachment; filename="hermes-a_b_.._c.md"'
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("name", "scope", "status", "code"),
    [
        ("nobody.json", "session", 404, "NOT_FOUND"),
        ("d1.pdf", "session", 404, "NOT_FOUND"),
        ("d1", "session", 404, "NOT_FOUND"),
        ("d1.json", "everything", 400, "BAD_USER_INPUT"),
        ("d.json", "session", 409, "AMBIGUOUS_ID"),
    ],
)
def test_what_cannot_be_exported_is_said_in_json(server: Server, name: str, scope: str, status: int, code: str) -> None:
    answer = get(server, server.profile(full_plan), name, scope=scope)
    [error] = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (status, code)
    assert (code == "AMBIGUOUS_ID") == ("d1" in {each["id"] for each in error["extensions"].get("candidates", ())})


def test_a_unique_prefix_is_enough(server: Server) -> None:
    api = server.profile(lambda store: (store.session("20260101_a"), store.session("20260202_b")))
    answer = get(server, api, "202602.json")
    assert [session["id"] for session in answer.json()["sessions"]] == ["20260202_b"]
    assert "hermes-20260202_b.json" in answer.headers["content-disposition"]


def test_a_profile_stands_under_its_canonical_name(server: Server) -> None:
    api = server.profile(full_plan)
    with server.served.client() as client:
        answer = client.get(f"/export/%20{api.profile.upper()}%20/d1.json")
    assert answer.json()["profile"] == api.profile


def test_an_unknown_profile_is_not_found(server: Server) -> None:
    with server.served.client() as client:
        answer = client.get("/export/nowhere/d1.json")
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "PROFILE_NOT_FOUND")


def half_read(server: Server, profile: str) -> socket.socket:
    """A client that has asked for an export, and reads no more than its beginning."""
    connection = socket.create_connection(("127.0.0.1", server.served.port), timeout=10)
    lines = [f"GET /export/{profile}/long.json HTTP/1.1", "Host: localhost", f"Authorization: Bearer {TOKEN}", "", ""]
    connection.sendall("\r\n".join(lines).encode())
    connection.recv(1000)
    return connection


def settled(pages: list[Any]) -> int:
    """The number of pages once no more are read."""
    deadline = time.monotonic() + 10
    seen = -1
    while seen != len(pages) and time.monotonic() < deadline:
        seen = len(pages)
        time.sleep(0.3)
    return seen


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by one with each page that a server of this process reads."""
    read: list[Any] = []
    real = SqliteStore.exact_rows

    async def counted(self: SqliteStore, *arguments: Any) -> Any:
        read.append(arguments)
        return await real(self, *arguments)

    monkeypatch.setattr(SqliteStore, "exact_rows", counted)
    return read


def test_a_slow_client_holds_no_read_transaction_and_one_that_leaves_ends_it(server: Server, pages: list[Any]) -> None:
    api = server.profile(long)
    assert get(server, api, "long.md").status_code == 200
    pages.clear()
    threads = threading.active_count()
    with api.store() as store:
        with half_read(server, api.profile):
            waiting = settled(pages)
            assert 2 < waiting < LONG / 150
            store.message("long", "user", "written meanwhile")
            [(busy, written, moved)] = store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
            assert (busy, written, moved) == (0, 0, 0), "a reader would have kept the WAL from being emptied"
        assert settled(pages) <= waiting + 1
    assert threading.active_count() <= threads + 2


def test_the_memory_for_a_long_session_does_not_grow_with_it(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=long, small=full_plan)
    with process_serving(home) as (client, pid):
        assert client.get("/export/small/d1.html").status_code == 200
        before = peak_megabytes(pid)
        for ending in ("json", "jsonl", "md", "html"):
            with client.stream("GET", f"/export/default/long.{ending}") as answer:
                size = sum(len(piece) for piece in answer.iter_bytes())
            assert size > LONG * 20_000
        assert peak_megabytes(pid) - before < 40


def test_a_long_session_is_whole_and_in_order(server: Server) -> None:
    [line] = get(server, server.profile(long), "long.jsonl").text.splitlines()
    assert [message["content"].split()[0] for message in json.loads(line)["messages"]] == [
        str(number) for number in range(LONG)
    ]
