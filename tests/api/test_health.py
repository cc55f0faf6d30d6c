"""`profile { health }`: each fact as the store has it, and what takes long only when it is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphql import GraphQLObjectType, build_schema, get_named_type

from hermes_sessions.api.schema import print_sdl
from tests.api.serving import Api, Json, Server, serving
from tests.builders import StoreBuilder, T
from tests.statements import overheard

CHEAP = """{ profile { health {
    fileBytes walBytes pageBytes pageCount freePages journalMode library libraryWarnings fileSystem
    isNetworkFileSystem owner mode locks { kind subject holder expiresAt } missingColumns unknownColumns
    danglingParents dangling { id parentId } cyclicSessions cyclicIds undercountedSessions
    miscounts { id counted live rewound isExplained isTakenForEmpty } badIds warnedSessions doubledTitles } } }"""
COSTLY = """{ profile { health {
    sizes { items { name isIndex sizeBytes } reason }
    rowCounts { sessions messages usage orphanMessages orphanUsage orphanSessionIds reason }
    searchIndexes { items { name state indexedRows expectedRows } reason }
    holders { items { pid command isThisServer hasLock } hidden }
    findings { severity area code message advice count ids } } } }"""


def odd(store: StoreBuilder) -> None:
    """One of everything that can be wrong with sessions."""
    store.session("child", parent="gone")
    store.session("loop", parent="loop")
    store.session("counted", message_count=0, end=T + 9, end_reason="cli_close")
    store.message("counted")
    store.set("sessions", "counted", message_count=0)
    store.message("nobody")
    store.usage("nobody")
    lock = {"session_id": "child", "holder": "host:7", "acquired_at": T, "expires_at": T + 60}
    store.insert("compression_locks", lock)


def health(api: Api, query: str) -> Json:
    answer: Json = api.ask(query)["profile"]["health"]
    return answer


@pytest.mark.sqlite
def test_facts_about_sessions_and_file(server: Server) -> None:
    api = server.profile(odd)
    api.path.chmod(0o600)
    found = health(api, CHEAP)
    assert found["dangling"] == [{"id": "child", "parentId": "gone"}]
    assert (found["danglingParents"], found["cyclicSessions"], found["cyclicIds"]) == (1, 1, ["loop"])
    assert found["undercountedSessions"] == 1
    miscount = {"id": "counted", "counted": 0, "live": 1, "rewound": 0, "isExplained": False, "isTakenForEmpty": True}
    assert found["miscounts"] == [miscount]
    assert found["fileBytes"] == api.path.stat().st_size == found["pageBytes"] * found["pageCount"]
    assert (found["mode"], found["journalMode"]) == ("0600", "wal")
    [lock] = found["locks"]
    assert (lock["kind"], lock["subject"], lock["holder"]) == ("COMPRESSION", "child", "host:7")
    assert lock["expiresAt"] == "2025-06-15T15:07:40.000000Z"


@pytest.mark.sqlite
def test_facts_that_are_read_when_asked_for(server: Server) -> None:
    found = health(server.profile(odd), COSTLY)
    assert found["rowCounts"] == {
        "sessions": 3,
        "messages": 2,
        "usage": 1,
        "orphanMessages": 1,
        "orphanUsage": 1,
        "orphanSessionIds": ["nobody"],
        "reason": None,
    }
    assert {index["name"]: index["state"] for index in found["searchIndexes"]["items"]} == {
        "messages_fts": "OK",
        "messages_fts_trigram": "OK",
    }
    assert {"messages", "sessions"} <= {part["name"] for part in found["sizes"]["items"]}
    codes = {each["code"]: each["severity"] for each in found["findings"] if each["severity"] != "OK"}
    assert {"DANGLING_PARENTS", "CYCLES", "TAKEN_FOR_EMPTY", "ORPHAN_MESSAGES", "ORPHAN_USAGE"} <= codes.keys()
    assert found["findings"][0]["severity"] == "PROBLEM"


def test_lists_are_cut_where_asked(server: Server) -> None:
    def many(store: StoreBuilder) -> None:
        for number in range(30):
            store.session(f"s{number:02}", parent="gone")

    api = server.profile(many)
    query = "query ($n: Int!) { profile { health { danglingParents dangling(first: $n) { id } } } }"
    for asked, given in ((3, 3), (0, 0), (-1, 0), (30, 30)):
        found = api.ask(query, n=asked)["profile"]["health"]
        assert (found["danglingParents"], len(found["dangling"])) == (30, given)


@pytest.mark.sqlite
def test_what_takes_long_is_read_only_when_asked_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    api = server.profile(odd)
    health(api, CHEAP)  # the picture of the store is there from now on
    seen = overheard(monkeypatch)
    health(api, CHEAP)
    heavy = re.compile(r"dbstat|NOT EXISTS|MATCH|quick_check")
    assert seen
    assert [sql for sql in seen if heavy.search(sql)] == []
    health(api, COSTLY)
    assert {found[0] for sql in seen if (found := heavy.search(sql))} == {"dbstat", "NOT EXISTS", "MATCH"}


def test_what_could_not_be_measured_in_time_is_null_with_a_reason(tmp_path: Path) -> None:
    def crowd(store: StoreBuilder) -> None:
        store.session("s")
        store.sql(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
            " INSERT INTO messages (session_id, role, timestamp) SELECT 's' || i, 'user', 1 FROM n"
        )

    with serving(tmp_path / "home", statement_timeout=0.005) as server:
        found = health(server.profile(crowd), COSTLY)
    assert found["rowCounts"]["messages"] is None
    assert "was stopped" in found["rowCounts"]["reason"]
    assert any(part["sizeBytes"] is None for part in found["sizes"]["items"])
    assert "doctor --deep" in found["sizes"]["reason"]
    assert "NOT_MEASURED" in {each["code"] for each in found["findings"]}


def test_a_store_that_cannot_be_read_still_has_a_health(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "state.db").write_bytes(b"no database at all" * 100)
    with serving(tmp_path / "home") as server:
        cheap, costly = health(server.api(), CHEAP), health(server.api(), COSTLY)
    assert (cheap["fileBytes"], cheap["pageCount"], cheap["danglingParents"]) == (1800, None, 0)
    assert costly["sizes"]["items"] is None
    assert "damaged" in costly["searchIndexes"]["reason"]
    assert costly["findings"][0]["code"] == "DAMAGED"


def test_every_field_of_health_that_needs_words_has_them() -> None:
    """Plain names of a list's entries explain themselves; everything else says its unit and its edges."""
    schema = build_schema(print_sdl())
    health_type = schema.type_map["StoreHealth"]
    assert isinstance(health_type, GraphQLObjectType)
    assert [name for name, field in health_type.fields.items() if not field.description] == []
    parts = {get_named_type(field.type) for field in health_type.fields.values()}
    assert [part.name for part in parts if isinstance(part, GraphQLObjectType) and not part.description] == []
