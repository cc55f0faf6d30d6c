"""A forest that follows from another one by a change is the one that is made from nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.model import listing
from hermes_sessions.model.filters import ListFilter
from hermes_sessions.model.lineage import MAX_BEFORE, MAX_DERIVED, Change, Forest
from hermes_sessions.model.live import differences
from hermes_sessions.model.orders import OrderField
from hermes_sessions.model.session import Session
from tests.model.builders import context, session
from tests.model.strategies import rich_forests
from tests.model.test_listing import filters


@st.composite
def histories(draw: st.DrawFn) -> list[list[Session]]:
    """A store at several moments: from one to the next, some rows are as in another random store, new or gone."""
    moments = [draw(rich_forests())]
    for _ in range(draw(st.integers(1, 3))):
        present = {each.id: each for each in moments[-1]}
        other = {each.id: each for each in draw(rich_forests())}
        touched = draw(st.sets(st.sampled_from(sorted(present.keys() | other.keys())), min_size=1, max_size=4))
        rows = [(other if id in touched else present).get(id) for id in [*present, *sorted(touched - present.keys())]]
        moments.append([row for row in rows if row is not None])
    return moments


def following(forest: Forest, sessions: list[Session]) -> Forest:
    changed = [each for each in sessions if forest.get(each.id) != each]
    return forest.after(changed, forest.sessions.keys() - {each.id for each in sessions})


def everything(forest: Forest) -> dict[str, Any]:
    """All that can be asked of a forest, in an order of its own."""
    ids = sorted(forest.sessions)
    return {
        "sessions": {id: forest.sessions[id] for id in ids},
        "ids": forest.ids,
        "verdicts": {id: forest.verdict(id) for id in ids},
        "in_cycle": {id for id in ids if forest.in_cycle(id)},
        "children": {id: list(forest.children(id)) for id in [*ids, "ghost"]},
        "successors": {id: forest.successor(id) for id in ids},
        "heads": {id: forest.head_id(id) for id in ids},
        "conversations": dict(forest.conversations),
    }


@settings(max_examples=400)
@given(histories())
def test_a_forest_after_changes_is_the_one_of_what_is_there_now(moments: list[list[Session]]) -> None:
    forest = Forest(moments[0])
    for sessions in moments[1:]:
        forest = following(forest, sessions)
        assert everything(forest) == everything(Forest(sessions))


@settings(max_examples=400)
@given(histories(), filters.map(lambda each: replace(each, text=None)), st.sampled_from(OrderField), st.data())
def test_lists_are_renewed_to_what_they_are_from_nothing(
    moments: list[list[Session]], filter: ListFilter, order: OrderField, data: st.DataObject
) -> None:
    """Also where some moments passed without a question; and the earlier forest goes on saying what it said."""
    forest = Forest(moments[0])
    asked = [(forest, ask(forest, filter, order), moments[0])]
    for sessions in moments[1:]:
        forest = following(forest, sessions)
        if data.draw(st.booleans()):
            asked.append((forest, ask(forest, filter, order), sessions))
    for then, answer, sessions in asked:
        assert answer == ask(then, filter, order) == ask(Forest(sessions), filter, order)


def ask(forest: Forest, filter: ListFilter, order: OrderField) -> list[Any]:
    given = (filter, order, "default", context(forest))
    counting = (filter, context(forest))
    return [
        forest.derive(
            "sessions",
            lambda: listing.select_sessions(forest, *given),
            lambda before, change: listing.renew_sessions(before, change, forest, *counting),
        ),
        forest.derive(
            "conversations",
            lambda: listing.select_conversations(forest, *given),
            lambda before, change: listing.renew_conversations(before, change, forest, *counting),
        ),
        forest.derive(
            "facets",
            lambda: listing.facets(forest, *counting),
            lambda before, change: listing.renew_facets(before, change, forest, *counting),
        ),
        forest.derive(
            "census",
            lambda: listing.census(forest),
            lambda before, change: listing.renew_census(before, change, forest),
        ),
    ]


@given(histories())
def test_what_has_happened_to_sessions_is_told_from_any_earlier_forest(moments: list[list[Session]]) -> None:
    forests = [Forest(moments[0])]
    for sessions in moments[1:]:
        forests.append(following(forests[-1], sessions))
    for before, sessions in zip(forests, moments, strict=True):
        assert set(differences(before, forests[-1])) == set(differences(Forest(sessions), Forest(moments[-1])))


def test_a_forest_knows_what_has_changed_since_those_that_it_follows_from() -> None:
    first = Forest([session("a"), session("b")])
    second = first.after([session("a", title="A")])
    third = second.after([], ["b"])
    change = third.since(first)
    assert change is not None
    assert list(change.sessions) == ["a", "b"]
    assert third.since(Forest([session("a"), session("b")])) is None
    late = third
    for _ in range(MAX_BEFORE):
        late = late.after([session("c")])
    assert late.since(third) is not None
    assert late.since(second) is None


def test_new_sessions_are_told_in_the_order_in_which_they_came() -> None:
    names = [f"new-{number}" for number in range(20)]
    first = Forest([session("a")])
    later = first.after([session(name) for name in names[:10]]).after([session(name) for name in names[10:]])
    assert [id for _, id in differences(first, later)] == names


def test_what_can_be_renewed_is_not_made_again() -> None:
    made: list[str] = []

    def derive(forest: Forest) -> str:
        def make() -> str:
            made.append("made")
            return "first"

        def renew(before: str, change: Change) -> str:
            return f"{before}, then {' and '.join(sorted(change.sessions))}"

        return forest.derive("words", make, renew)

    first = Forest([session("a"), session("b")])
    assert derive(first) == "first"
    second = first.after([session("a", title="A")])
    third = second.after([], ["b"])
    assert derive(third) == "first, then a and b"
    assert derive(third) == "first, then a and b"
    assert made == ["made"]


def test_what_cannot_be_renewed_is_made_anew_after_a_change() -> None:
    first = Forest([session("a")])
    assert first.derive("number", lambda: 1) == 1
    assert first.derive("number", lambda: 2) == 1
    assert first.after([session("b")]).derive("number", lambda: 3) == 3


def test_what_nobody_asks_for_again_is_given_up_however_little_changes() -> None:
    def derive(forest: Forest, key: object) -> str:
        return forest.derive(key, lambda: "made", lambda _before, _change: "renewed")

    forest = Forest([session("a")])
    for number in range(2 * MAX_DERIVED):
        derive(forest, "often")
        derive(forest, number)
        forest = forest.after([session("a", title=f"Title {number}")])
    assert derive(forest, 0) == "made"
    assert derive(forest, 2 * MAX_DERIVED - 1) == "renewed"
    assert derive(forest, "often") == "renewed"
