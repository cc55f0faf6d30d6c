"""A server process whose connections go through PgBouncer in transaction mode: as good as any other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.serving import Json
from tests.api.streaming import CHANGES, MESSAGES
from tests.postgres.listeners import Listener, listening, until
from tests.postgres.pooler import pooled
from tests.postgres.server import PostgresServer
from tests.postgres.writers import CREATE, Writer, writing
from tests.processes import Replica, replica, run_command

LOAD_SECONDS = 2.0
SEARCH = "query ($text: String!) { search(text: $text, first: 500) { edges { node { session { id } } } } }"
DELETE_ALL = """
    mutation ($ids: [ID!]!) {
      deleteSessions(input: {ids: $ids, force: true}) { changedIds binIds userErrors { code message } }
    }"""
RESTORE = "mutation ($bin: ID!) { restoreSessions(input: {binId: $bin}) { changedIds userErrors { code message } } }"


@pytest.fixture
def running(server: PostgresServer, url: str, tmp_path: Path) -> Iterator[Replica]:
    with pooled(server) as port:
        profile = f"team={url.replace(f':{server.port}/', f':{port}/')}?pgbouncer=true"
        run_command(tmp_path, "migrate", "--profile", profile)
        with replica(tmp_path / "serving", "--profile", profile) as started:
            yield started


def data(running: Replica, query: str, **variables: object) -> Json:
    """Of the only field. Fails for any error."""
    answer = running.ask(query, **variables)
    assert "errors" not in answer, answer
    [field] = answer["data"].values()
    assert field.get("userErrors", []) == []
    return dict(field)


def test_many_write_and_listen_search_delete_and_restore(running: Replica) -> None:
    writers = [Writer(running.port, "team", f"w{number}") for number in range(4)]
    for writer in writers:
        data(running, CREATE, id=writer.name)
    streams = [Listener([running.port], "team", MESSAGES, {"id": each.name}) for each in writers]
    changes = Listener([running.port], "team", CHANGES)
    with listening([*streams, changes]):
        with writing(writers):
            time.sleep(LOAD_SECONDS)
        said = [each.said for each in writers]
        until(lambda: [contents(each) for each in streams] == said, within=10)
        left = {id for each in writers for id in each.titles.keys() - each.deleted}
        until(lambda: created(changes) >= left, within=10)
        assert [contents(each) for each in streams] == said
        assert created(changes) >= left
        assert [refusal for each in writers for refusal in each.refusals] == []

        text = said[0][0]
        assert [each["node"]["session"]["id"] for each in data(running, SEARCH, text=text)["edges"]] == ["w0"]
        deleted = data(running, DELETE_ALL, ids=[each.name for each in writers])
        assert set(deleted["changedIds"]) == {each.name for each in writers}
        assert data(running, SEARCH, text=text)["edges"] == []
        restored = [id for bin in deleted["binIds"] for id in data(running, RESTORE, bin=bin)["changedIds"]]
        assert set(restored) == {each.name for each in writers}
        assert len(data(running, SEARCH, text=text)["edges"]) == 1
    assert "Traceback" not in running.log.read_text()


def contents(stream: Listener) -> list[str]:
    return [event["message"]["content"] for event in stream.events if event["message"]]


def created(changes: Listener) -> set[str]:
    return {event["sessionId"] for event in changes.events if event["kind"] == "CREATED"}
