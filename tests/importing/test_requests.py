"""Imports as requests: how large, who may, what happens beside other writers, and what a failure half-way says."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from hermes_sessions.stores import hermes_schema
from tests.api.serving import Api, Server, peak_megabytes, process_serving, serving
from tests.builders import home_with
from tests.importing.moving import IMPORT, exact, import_into, message, session
from tests.stores.test_tokenizers import with_foreign_tokenizer

PROFILES = ("a", "b", "c", "d", "e", "f")


def post(server: Server, query: str, *, profile: str = "default", **variables: Any) -> httpx.Response:
    body = {"query": query, "variables": variables}
    with server.served.client() as client:
        return client.post(f"/graphql?profile={profile}", json=body, timeout=120)


def large(size: int) -> str:
    """A document of one session with long messages that are cheap to index."""
    text = "a" * 1_000_000
    return json.dumps(exact(session("large", *(message(text) for _ in range(size // 1_000_000)))))


def many(count: int, messages: int = 8) -> dict[str, Any]:
    return exact(*(session(f"s{number:03}", *[message("word " * 40)] * messages) for number in range(count)))


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["errors"][0]["extensions"]["code"]


def test_24_mb_come_in_and_more_than_25_do_not(server: Server) -> None:
    api = server.profile()
    answer = post(server, IMPORT, profile=api.profile, document=large(24_000_000))
    assert answer.json()["data"]["importSessions"]["messageCount"] == 24
    assert refused(post(server, IMPORT, document=large(26_000_000))) == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize(
    "query",
    [
        "query ($document: String!) { session(id: $document) { id } }",
        'mutation ($document: String!) { renameSession(input: {id: "a", title: $document}) { userErrors { code } } }',
        "mutation ($document: String!) { importSessions(input: {document: $document}) { completed }"
        ' renameSession(input: {id: "a"}) { userErrors { code } } }',
        "{ nothing }",
        "{",
        "mutation ($document: String!) { ...on Mutation { importSessions(input: {document: $document}) { dryRun } } }",
        'mutation { importSessions(input: {document: "' + "x" * 1_500_000 + '"}) { completed } }',
    ],
)
def test_nothing_else_may_be_larger_than_1_mb(server: Server, query: str) -> None:
    assert refused(post(server, query, document="x" * 1_500_000)) == (413, "PAYLOAD_TOO_LARGE")


def test_large_imports_at_once_wait_for_each_other_and_memory_stays(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", **{name: lambda store: store.session("x") for name in PROFILES})
    body = json.dumps({"query": IMPORT, "variables": {"document": large(15_000_000), "dryRun": True}}).encode()
    with process_serving(home, timeout=120) as (client, pid):
        headers = {"content-type": "application/json"}
        client.post("/graphql?profile=a", content=body, headers=headers)
        once = peak_megabytes(pid)
        counts: list[int] = []

        def send(profile: str) -> None:
            answer = client.post(f"/graphql?profile={profile}", content=body, headers=headers)
            counts.append(answer.json()["data"]["importSessions"]["messageCount"])

        threads = [threading.Thread(target=send, args=(name,)) for name in PROFILES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [15] * len(PROFILES)
        assert peak_megabytes(pid) - once < 150


def test_a_read_only_server_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with serving(tmp_path / "home", read_only=True) as server:
        for dry_run in (True, False):
            done = import_into(server.api(), exact(session("a")), dryRun=dry_run)
            assert ([error["code"] for error in done["userErrors"]], done["completed"]) == (["READ_ONLY"], False)
    assert list((tmp_path / "home").iterdir()) == []


def test_a_profile_that_does_not_exist_is_not_made(server: Server) -> None:
    done = import_into(server.api("nowhere"), exact(session("a")))
    assert [(error["code"], error["path"]) for error in done["userErrors"]] == [
        ("PROFILE_NOT_FOUND", ["input", "profile"])
    ]


def test_nothing_to_import_makes_no_store(server: Server) -> None:
    (server.home / "profiles" / "still-empty").mkdir(parents=True)
    assert import_into(server.api("still-empty"), "")["completed"]
    assert list((server.home / "profiles" / "still-empty").iterdir()) == []


def test_a_store_with_a_foreign_tokenizer_is_left_alone(server: Server) -> None:
    api = server.profile()
    with_foreign_tokenizer(api.path)
    done = import_into(api, exact(session("a", message())))
    assert ([error["code"] for error in done["userErrors"]], done["completed"]) == (["UNSUPPORTED_STORE"], False)
    with api.store() as store:
        assert store.sql("SELECT count(*) FROM sessions") == [(0,)]


class Writer(threading.Thread):
    """Another program that appends as fast as it gets the lock."""

    def __init__(self, api: Api) -> None:
        super().__init__(daemon=True)
        self._api = api
        self._stopped = threading.Event()
        self.written: list[int] = []

    def run(self) -> None:
        with self._api.store() as store:
            while not self._stopped.wait(0.005):
                self.written.append(store.message("agent", "user", "beside"))

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def test_250_sessions_come_in_beside_a_writer_that_gets_its_turns(server: Server) -> None:
    api = server.profile(lambda store: store.session("agent"))
    writer = Writer(api)
    writer.start()
    try:
        done = import_into(api, many(250))
    finally:
        writer.stop()
    assert (done["userErrors"], done["sessionCount"], done["messageCount"]) == ([], 250, 2000)
    with api.store() as store:
        positions = {id: place for place, (id,) in enumerate(store.sql("SELECT session_id FROM messages ORDER BY id"))}
        agents = [row[0] for row in store.sql("SELECT id FROM messages WHERE session_id = 'agent' ORDER BY id")]
        assert agents == writer.written
        assert len(positions) == 251
        between = store.sql(
            "SELECT count(DISTINCT (SELECT max(other.id) FROM messages AS other WHERE other.id < messages.id"
            " AND other.session_id <> 'agent')) FROM messages WHERE session_id = 'agent'"
        )
        assert between[0][0] > 5, "the agent wrote between many of the chunks"
        assert store.sql("PRAGMA integrity_check") == [("ok",)]


def test_a_failure_half_way_reports_exactly_what_came_in(server: Server) -> None:
    """Another program takes the lock half-way and keeps it for longer than we wait."""
    api = server.profile()
    given_up = threading.Event()

    def hold() -> None:
        with api.store() as store:
            while not store.sql("SELECT 1 FROM sessions WHERE id = 's020'"):
                time.sleep(0.002)
            store.sql("BEGIN IMMEDIATE")
            given_up.wait(20)
            store.sql("ROLLBACK")

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    done = import_into(api, many(300))
    given_up.set()
    holder.join()
    with api.store() as store:
        written = [id for (id,) in store.sql("SELECT id FROM sessions ORDER BY id")]
        assert store.sql("SELECT session_id, count(*) FROM messages GROUP BY 1 HAVING count(*) <> 8") == []
    assert (done["completed"], [error["code"] for error in done["userErrors"]]) == (False, ["STORE_BUSY"])
    assert 20 < len(written) < 300
    assert done["importedIds"] == written
    again = import_into(api, many(300))
    assert (again["sessionCount"], len(again["skipped"])) == (300 - len(written), len(written))


def test_100_small_sessions_go_in_one_transaction(server: Server) -> None:
    api = server.profile()
    with api.store() as store:
        store.sql("CREATE TABLE seen (count)")
        store.sql(
            "CREATE TRIGGER last AFTER INSERT ON sessions WHEN new.id = 's099' BEGIN SELECT raise(ROLLBACK, 'x'); END"
        )
    done = import_into(api, many(100, 1))
    assert not done["completed"]
    with api.store() as store:
        assert store.sql("SELECT count(*) FROM sessions") == [(0,)]


def test_what_comes_in_is_found_by_full_text_search(server: Server) -> None:
    api = server.profile()
    import_into(api, exact(session("a", message("the word heliotrope"))))
    with api.store() as store:
        for table in ("messages_fts", "messages_fts_trigram"):
            assert store.sql(f"SELECT count(*) FROM {table} WHERE {table} MATCH 'heliotrope'") == [(1,)]
    assert hermes_schema.SCHEMA_VERSION == 22
