"""The kind of a session, why, and the successor of a compressed one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from hermes_sessions.model.kinds import RESET_REASONS, classify
from hermes_sessions.model.session import Session, SessionKind
from tests.model import reference
from tests.model.builders import T, kinds_of, messages, plan_chain, plan_subagents, session
from tests.model.strategies import forests


def kind_below(parent: Session, **columns: Any) -> str:
    """The kind of one child of `parent`, which has the id p."""
    return kinds_of(parent, session("c", "p", **columns))["c"]


def open_parent(**columns: Any) -> Session:
    return session("p", **columns)


def compressed(id: str = "p", parent: str | None = None, **columns: Any) -> Session:
    return session(id, parent, end=T + 10, reason="compression", **columns)


def chosen(*candidates: Session) -> str:
    return classify({each.id: each for each in (compressed(), *candidates)}).successor["p"]


# Rules, in their order


def test_a_row_without_parent_is_a_root() -> None:
    assert kinds_of(session("a")) == {"a": "ROOT"}


def test_a_root_keeps_its_kind_whatever_other_markers_it_has() -> None:
    assert kinds_of(session("a", branched_from="x", reset_from="x")) == {"a": "ROOT"}


def test_a_marker_that_names_the_parent_decides() -> None:
    assert kind_below(open_parent(), branched_from="p") == "BRANCH"
    assert kind_below(open_parent(), delegate_from="p") == "SUBAGENT"
    assert kind_below(open_parent(), reset_from="p") == "RESET"


def test_a_branch_marker_beats_a_delegate_marker() -> None:
    assert kind_below(open_parent(), branched_from="p", delegate_from="p") == "BRANCH"


def test_a_delegate_marker_beats_the_source_and_the_source_beats_a_reset_marker() -> None:
    assert kind_below(open_parent(), delegate_from="p", source="tool") == "SUBAGENT"
    assert kind_below(open_parent(), reset_from="p", source="tool") == "TOOL"


@pytest.mark.parametrize("marker", ["branched_from", "delegate_from", "reset_from"])
def test_an_inherited_marker_does_not_count(marker: str) -> None:
    assert kind_below(compressed(), **{marker: "grandparent"}) == "CONTINUATION"


def test_a_tool_session_has_a_parent() -> None:
    assert kind_below(open_parent(), source="tool") == "TOOL"
    assert kinds_of(session("a", source="tool")) == {"a": "ROOT"}


@pytest.mark.parametrize("reason", sorted(RESET_REASONS))
def test_a_reset_needs_the_same_session_key(reason: str) -> None:
    parent = session("p", end=T + 5, reason=reason, session_key="K")
    assert kind_below(parent, session_key="K") == "RESET"
    assert kind_below(parent, session_key="J") == "UNCLASSIFIED"
    assert kind_below(parent) == "UNCLASSIFIED"


@pytest.mark.parametrize("key", [None, ""])
def test_two_empty_session_keys_are_not_the_same(key: str | None) -> None:
    assert kind_below(session("p", reason="idle", session_key=key), session_key=key) == "UNCLASSIFIED"


def test_a_child_that_no_rule_knows_is_unclassified() -> None:
    assert kind_below(open_parent()) == "UNCLASSIFIED"
    assert kind_below(session("p", end=T + 5, reason="cli_close"), start=T + 5) == "UNCLASSIFIED"


def test_a_continuation_may_start_before_its_parent_ended() -> None:
    assert kind_below(compressed(), start=T + 1) == "CONTINUATION"


# The chosen successor


def test_a_successor_that_goes_on_beats_an_open_one_and_an_open_one_beats_a_closed_one() -> None:
    going_on = compressed("a", "p")
    still_open = session("b", "p", start=T + 50)
    closed = session("c", "p", start=T + 90, end=T + 99, activity=messages(1, T + 98))
    assert chosen(going_on, still_open, closed) == "a"
    assert chosen(still_open, closed) == "b"
    assert chosen(closed) == "c"


def test_among_equals_the_newest_message_decides_then_the_start_then_the_id() -> None:
    written = session("a", "p", activity=messages(1, T + 20))
    later = session("b", "p", start=T + 15)
    assert chosen(written, later) == "a"
    assert chosen(session("a", "p", start=T + 16), later) == "a"
    assert chosen(session("a", "p", start=T + 15), later) == "b"
    assert chosen(session("a", "p", start=None), session("b", "p", start=None)) == "b"


def test_rows_of_another_kind_are_no_candidates() -> None:
    rows = kinds_of(compressed(), compressed("a", "p", branched_from="p"), session("b", "p", delegate_from="p"))
    assert rows == {"p": "ROOT", "a": "BRANCH", "b": "SUBAGENT"}


def test_every_kind_says_why() -> None:
    verdicts = classify({each.id: each for each in plan_chain()}).verdicts
    assert "chosen successor" in verdicts["d3"].reason
    assert "d3 is its chosen successor" in verdicts["d3s"].reason


# Cases


def test_L1_the_stale_sibling_is_a_side_row() -> None:
    assert kinds_of(*plan_chain()) == {"d1": "ROOT", "d2": "CONTINUATION", "d3": "CONTINUATION", "d3s": "SIDE"}


def test_L2_subagents_are_told_by_their_marker() -> None:
    kinds = kinds_of(*plan_chain(), *plan_subagents())
    assert (kinds["sub1"], kinds["sub2"]) == ("SUBAGENT", "SUBAGENT")


def test_L3_a_branch_from_a_middle_segment_takes_nothing_from_the_chain() -> None:
    kinds = kinds_of(*plan_chain(), session("br1", "d2", start=T + 150, branched_from="d2"))
    assert (kinds["br1"], kinds["d3"]) == ("BRANCH", "CONTINUATION")


def test_L4_the_continuation_of_a_branch_inherits_its_marker_and_is_no_branch() -> None:
    kinds = kinds_of(
        session("bp"),
        session("bb", "bp", end=T + 50, reason="compression", branched_from="bp"),
        session("bc", "bb", start=T + 50, branched_from="bp"),
    )
    assert kinds == {"bp": "ROOT", "bb": "BRANCH", "bc": "CONTINUATION"}


def test_L5_a_legacy_branch_started_at_or_after_its_parents_end() -> None:
    q = session("p", end=T + 10, reason="branched")
    assert kind_below(q, start=T + 10) == "BRANCH"
    assert kind_below(q, start=T + 9) == "UNCLASSIFIED"
    assert kind_below(q, start=None) == "UNCLASSIFIED"


@pytest.mark.parametrize("reason", [None, "branched", "compression", "session_reset", "cli_close"])
def test_L5_with_the_marker_it_is_a_branch_however_the_parent_ended(reason: str | None) -> None:
    assert kind_below(session("p", end=T + 10, reason=reason), start=T + 1, branched_from="p") == "BRANCH"


def test_L6_an_untagged_early_child_is_a_side_row() -> None:
    kinds = kinds_of(*plan_chain(), session("leg", "d1", start=T + 50, end=T + 60))
    assert (kinds["leg"], kinds["d2"]) == ("SIDE", "CONTINUATION")


def test_L7_resets_are_told_by_the_key_or_the_marker() -> None:
    kinds = kinds_of(
        session("rp", source="telegram", end=T + 5, reason="session_reset", session_key="K"),
        session("rc", "rp", start=T + 5, session_key="K"),
        session("rm", "rp", start=T + 5, reset_from="rp"),
    )
    assert kinds == {"rp": "ROOT", "rc": "RESET", "rm": "RESET"}


def test_L8_an_orphaned_subagent_stays_a_subagent() -> None:
    assert kinds_of(session("a", delegate_from="__orphaned__")) == {"a": "SUBAGENT"}
    assert kinds_of(session("a", "ghost", delegate_from="elsewhere")) == {"a": "SUBAGENT"}


def test_L9_a_dangling_parent_makes_a_row_unclassified() -> None:
    assert kinds_of(session("o1", "ghost", activity=messages(1))) == {"o1": "UNCLASSIFIED"}


def test_L10_rows_in_a_cycle_are_unclassified_before_anything_else() -> None:
    kinds = kinds_of(
        compressed("c1", "c2", branched_from="c2"),
        compressed("c2", "c1", delegate_from="c1"),
        session("self", "self", branched_from="self"),
        session("tail", "c1"),
    )
    assert kinds == {"c1": "UNCLASSIFIED", "c2": "UNCLASSIFIED", "self": "UNCLASSIFIED", "tail": "CONTINUATION"}


def test_a_chain_of_any_length_is_classified() -> None:
    def chain() -> Iterator[Session]:
        yield compressed("0")
        for number in range(1, 5000):
            yield compressed(str(number), str(number - 1))

    kinds = kinds_of(*chain())
    assert list(kinds.values()) == ["ROOT"] + ["CONTINUATION"] * 4999


# Against the slow reference


@settings(max_examples=200)
@given(forests())
def test_kinds_are_those_of_the_reference(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    verdicts = classify(rows).verdicts
    assert {id: verdict.kind for id, verdict in verdicts.items()} == {
        id: reference.kind(rows, row) for id, row in rows.items()
    }
    assert all(verdict.reason for verdict in verdicts.values())


@settings(max_examples=200)
@given(forests())
def test_successors_and_cycles_are_those_of_the_reference(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    found = classify(rows)
    expected = {id: reference.chosen_successor(rows, id) for id in rows}
    assert found.successor == {id: successor for id, successor in expected.items() if successor is not None}
    assert found.in_cycle == {id for id, row in rows.items() if reference.in_cycle(rows, row)}


@settings(max_examples=200)
@given(forests())
def test_the_order_of_rows_does_not_matter(sessions: list[Session]) -> None:
    assert classify(reference.rows_of(sessions)) == classify(reference.rows_of(sessions[::-1]))


@settings(max_examples=200)
@given(forests())
def test_each_compressed_parent_has_at_most_one_continuation(sessions: list[Session]) -> None:
    found = classify(reference.rows_of(sessions))
    continued = [each.parent_id for each in sessions if found.verdicts[each.id].kind is SessionKind.CONTINUATION]
    assert len(continued) == len(set(continued))
    assert set(continued) == set(found.successor)
