"""Facts about the sessions of a store, and what facts mean."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.health.examination import Area, Examination, Finding, Severity, amount
from hermes_sessions.model.health.facts import (
    Holder,
    Holders,
    IndexState,
    Lock,
    LockKind,
    Part,
    Place,
    RowFacts,
    SearchIndex,
    SessionFacts,
    StoreHealth,
    session_facts,
)
from hermes_sessions.model.health.findings import find
from hermes_sessions.model.lineage import Forest
from tests.model.builders import T, messages, session


def facts(*sessions: Any) -> SessionFacts:
    return session_facts(Forest(sessions))


def findings(**parts: Any) -> dict[str, Finding]:
    """By code, of a look that found these parts."""
    return {each.code: each for each in find(Examination("default", T, **parts))}


def grave(**parts: Any) -> dict[str, str]:
    """Code and severity of what is not OK."""
    return {code: each.severity.name for code, each in findings(**parts).items() if each.severity is not Severity.OK}


def test_sessions_that_agree_with_each_other_have_nothing_to_tell() -> None:
    counted = [session("a", activity=messages(3), counted_messages=3), session("b", "a", start=T + 1)]
    assert not any(vars(facts(*counted)).values())
    assert {each.severity for each in find(Examination("default", T, sessions=facts(*counted)))} == {Severity.OK}


def test_a_parent_that_does_not_exist_is_named() -> None:
    found = facts(session("child", "gone"), session("root"), session("kept", "root"))
    assert [(each.id, each.parent_id) for each in found.dangling] == [("child", "gone")]
    assert findings(sessions=found)["DANGLING_PARENTS"].ids == ["child"]


def test_everybody_in_a_circle_is_named_and_nobody_who_hangs_on_it() -> None:
    found = facts(session("a", "b"), session("b", "a"), session("c", "b"))
    assert found.cyclic_ids == ["a", "b"]
    assert findings(sessions=found)["CYCLES"].count == 2


@pytest.mark.parametrize(
    ("counted", "live", "rewound", "expected"),
    [
        (3, 3, 0, None),
        (2, 3, 0, "UNDERCOUNT"),
        (5, 3, 2, None),  # what taking messages back leaves
        (6, 3, 2, "OVERCOUNT"),
    ],
)
def test_a_counter_is_judged_by_live_and_rewound_rows(
    counted: int, live: int, rewound: int, expected: str | None
) -> None:
    found = facts(session("s", counted_messages=counted, activity=messages(live, rewound=rewound)))
    assert list(grave(sessions=found)) == ([expected] if expected else [])


def test_a_counter_of_0_over_messages_of_an_ended_session_is_a_problem() -> None:
    """Hermes deletes what counts 0, has ended and is not archived, with its messages."""
    ended = session("s", end=T + 9, activity=messages(0, compacted=4))
    assert not grave(sessions=facts(ended))  # its counter is right: no live messages
    assert grave(sessions=facts(session("s", end=T + 9, activity=messages(4)))) == {"TAKEN_FOR_EMPTY": "PROBLEM"}
    assert grave(sessions=facts(session("s", activity=messages(4)))) == {"UNDERCOUNT": "WARNING"}
    assert grave(sessions=facts(session("s", end=T, archived=True, activity=messages(4)))) == {"UNDERCOUNT": "WARNING"}


@pytest.mark.parametrize("bad", ["", " ", "a\x1b[31m", "a\ufffd", "a\nb", "a\u202eb"])
def test_an_id_that_cannot_be_printed_is_bad(bad: str) -> None:
    assert facts(session(bad), session("good id-1")).bad_ids == [bad]


def test_titles_of_two_sessions_are_named_with_both_ids() -> None:
    found = facts(session("b", title="Trip"), session("a", title="Trip"), session("c", title="Own"), session("d"))
    assert [(each.title, each.ids) for each in found.doubled_titles] == [("Trip", ["a", "b"])]
    assert findings(sessions=found)["TITLES_DOUBLED"].ids == ["a", "b"]


def test_many_ids_are_counted_and_the_first_20_named() -> None:
    found = findings(sessions=facts(*(session(f"s{number:03}", "gone") for number in range(300))))["DANGLING_PARENTS"]
    assert (found.count, len(found.ids), found.ids[0], found.ids[-1]) == (300, 20, "s000", "s019")
    assert found.message == "300 sessions whose parent does not exist."


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place(wal_bytes=50_000_001), {"WAL_LARGE": "WARNING"}),
        (Place(wal_bytes=50_000_000), {}),
        (Place(file_system="nfs4", is_network=True), {"NETWORK_FILE_SYSTEM": "WARNING"}),
        (Place(mode=0o600), {}),
        (Place(mode=0o640), {"OPEN_TO_OTHERS": "NOTE"}),
    ],
)
def test_a_file_is_judged_from_outside(place: Place, expected: dict[str, str]) -> None:
    assert grave(health=StoreHealth(place=place)) == expected


def test_much_free_space_is_noted() -> None:
    def with_free(pages: int) -> dict[str, str]:
        return grave(health=StoreHealth(page_bytes=4096, page_count=20_000, free_pages=pages))

    assert with_free(5001) == {"FREE_SPACE": "NOTE"}
    assert with_free(4999) == {}
    assert grave(health=StoreHealth(page_bytes=4096, page_count=40, free_pages=30)) == {}


def test_locks_are_told_apart_by_their_end() -> None:
    locks = [Lock(LockKind.TURN, "held", "pid 7", T + 1), Lock(LockKind.COMPRESSION, "left", "pid 8", T - 1)]
    found = findings(health=StoreHealth(locks=[*locks, Lock(LockKind.TURN, "odd", "", None)]))
    assert found["LOCKS_HELD"].ids == ["held"]
    assert found["LOCKS_EXPIRED"].ids == ["left", "odd"]


def test_a_process_without_a_lock_is_noted_in_wal_mode_only() -> None:
    holders = Holders([Holder(7, "hermes", False, False), Holder(8, "python", True, True)], 0)
    assert findings(health=StoreHealth(journal_mode="wal"), holders=holders)["OPEN_WITHOUT_LOCK"].ids == ["7"]
    assert grave(health=StoreHealth(journal_mode="delete"), holders=holders) == {}


@pytest.mark.parametrize(
    ("index", "severity"),
    [
        (SearchIndex("messages_fts", IndexState.OK, 5, 5), None),
        (SearchIndex("messages_fts", IndexState.NONE), "WARNING"),
        (SearchIndex("messages_fts_trigram", IndexState.NONE), "NOTE"),
        (SearchIndex("messages_fts", IndexState.DAMAGED), "PROBLEM"),
        (SearchIndex("messages_fts", IndexState.STALE, 4, 5), "WARNING"),
        (SearchIndex("messages_fts", IndexState.BUILDING, 4, 5), "NOTE"),
        (SearchIndex("messages_fts", IndexState.MISSING_TRIGGERS, 4, 5), "WARNING"),
        (SearchIndex("messages_fts_cjk", IndexState.UNKNOWN_TOKENIZER), "NOTE"),
    ],
)
def test_an_index_is_judged_by_its_state(index: SearchIndex, severity: str | None) -> None:
    expected = {} if severity is None else {f"INDEX_{index.state.value}": severity}
    assert grave(indexes=[index]) == expected


def test_an_index_that_lacks_messages_says_how_many_it_has() -> None:
    found = findings(indexes=[SearchIndex("messages_fts", IndexState.STALE, 4, 5000)])["INDEX_STALE"]
    assert "4 of 5,000 messages" in found.message


def test_commands_of_hermes_name_the_profile() -> None:
    damaged = [SearchIndex("messages_fts", IndexState.DAMAGED)]
    [finding] = find(Examination("work", T, indexes=damaged))
    assert "`hermes -p work sessions repair`" in (finding.advice or "")
    assert "`hermes sessions repair`" in (findings(indexes=damaged)["INDEX_DAMAGED"].advice or "")


def test_a_store_that_cannot_be_read_is_damaged_or_not_looked_at() -> None:
    damaged = HermesSessionsError(ErrorCode.STORE_DAMAGED, "It is damaged.")
    busy = HermesSessionsError(ErrorCode.STORE_BUSY, "It is locked.")
    assert grave(refusal=damaged) == {"DAMAGED": "PROBLEM"}
    assert grave(refusal=busy) == {"NOT_LOOKED_AT": "PROBLEM"}
    assert grave(rows=None, failures={Area.ROWS: busy}) == {"NOT_MEASURED": "NOTE"}
    assert grave(rows=None, failures={Area.ROWS: damaged}) == {"DAMAGED": "PROBLEM"}


def test_a_store_that_is_not_there_is_fine_unless_its_log_is() -> None:
    assert grave(is_empty=True, health=StoreHealth()) == {"NO_STORE": "NOTE"}
    assert grave(is_empty=True, health=StoreHealth(place=Place(wal_bytes=4152))) == {"FILE_LOST": "PROBLEM"}


def test_the_gravest_comes_first() -> None:
    found = find(
        Examination(
            "default",
            T,
            health=StoreHealth(place=Place(mode=0o644), unknown_columns=["sessions.new"]),
            sessions=facts(session("child", "gone")),
            rows=RowFacts(1, 2, 3, orphan_messages=2),
            parts=[Part("messages", False, None)],
            damages=["Page 7 is never used"],
        )
    )
    ranks = [list(Severity).index(each.severity) for each in found]
    assert ranks == sorted(ranks)
    assert found[0].code == "DAMAGED"


@pytest.mark.parametrize(
    ("size", "words"), [(999, "999 B"), (1000, "1.0 kB"), (1_247_268_864, "1.2 GB"), (5 * 10**12, "5000.0 GB")]
)
def test_sizes_are_written_in_units_of_1000(size: int, words: str) -> None:
    assert amount(size) == words


def test_nothing_is_called_well_in_a_store_that_could_not_be_looked_at() -> None:
    refusal = HermesSessionsError(ErrorCode.STORE_UNREACHABLE, "It is gone.")
    told = findings(refusal=refusal, health=StoreHealth())
    assert {code: each.severity for code, each in told.items()} == {"NOT_LOOKED_AT": Severity.PROBLEM}
