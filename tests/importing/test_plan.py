"""What is taken of sessions that come in: links, circles, titles, ids of messages."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from hermes_sessions.model.export.rows import ParentLink
from hermes_sessions.model.importing.incoming import Incoming
from hermes_sessions.model.importing.plan import ImportPlan, Taken, import_plan
from tests.api.serving import Server
from tests.builders import StoreBuilder
from tests.importing.moving import exact, import_into, message, session

EMPTY = Taken({}, ())


def plan(links: dict[str, str | None], taken: Taken = EMPTY, **odd: ParentLink) -> ImportPlan:
    return import_plan([Incoming(id, parent, parent_link=odd.get(id)) for id, parent in links.items()], taken)


def links(made: ImportPlan) -> dict[str, Any]:
    return {step.id: step.parent for step in made.steps}


@pytest.mark.parametrize("order", list(permutations("abcd")))
def test_parents_come_before_children_however_they_stand(order: tuple[str, ...]) -> None:
    parents = {"a": None, "b": "a", "c": "b", "d": "a"}
    made = plan({id: parents[id] for id in order})
    assert links(made) == parents
    ids = [step.id for step in made.steps]
    assert all(ids.index(parent) < ids.index(id) for id, parent in parents.items() if parent is not None)


@pytest.mark.parametrize(
    ("given", "cut"),
    [
        ({"a": "a"}, ["a"]),
        ({"a": "b", "b": "a"}, ["b"]),
        ({"a": "b", "b": "c", "c": "a", "d": "a"}, ["c"]),
        ({"d": "a", "a": "b", "b": "a", "x": "y", "y": "x"}, ["b", "y"]),
    ],
)
def test_a_circle_is_cut_at_its_last_link_and_only_there(given: dict[str, str | None], cut: list[str]) -> None:
    made = plan(given)
    assert [link.child_id for link in made.cut_links] == cut
    assert links(made) == {id: None if id in cut else parent for id, parent in given.items()}


def test_a_circle_that_the_store_would_close_is_cut() -> None:
    made = plan({"new": "there"}, Taken({"there": "new"}, ()))
    assert [link.child_id for link in made.cut_links] == ["new"]


def test_a_circle_within_the_store_is_not_ours() -> None:
    assert plan({"new": "x"}, Taken({"x": "y", "y": "x"}, ())).cut_links == ()


def test_a_long_chain_is_planned_at_once() -> None:
    made = plan({str(number): str(number + 1) for number in range(50_000)} | {"50000": None})
    assert (made.steps[0].id, len(made.steps), made.cut_links) == ("50000", 50_001, ())


def test_odd_links_that_our_export_marks_stay() -> None:
    circle = ParentLink.CIRCLE
    assert links(plan({"a": "b", "b": "a"}, a=circle, b=circle)) == {"a": "b", "b": "a"}
    assert links(plan({"a": "ghost"}, a=ParentLink.MISSING)) == {"a": "ghost"}
    half = plan({"a": "b"}, a=circle)
    assert (links(half), [link.child_id for link in half.cut_links]) == ({"a": None}, ["a"])


def test_the_marks_of_a_document_are_read(server: Server) -> None:
    document = exact(
        session("o", parent_session_id="ghost", parent_link="missing"),
        session("p", parent_session_id="ghost"),
        session("c1", parent_session_id="c2", parent_link="circle"),
        session("c2", parent_session_id="c1", parent_link="circle"),
        session("e1", parent_session_id="e2"),
        session("e2", parent_session_id="e1"),
    )
    api = server.profile()
    done = import_into(api, document)
    assert [link["childId"] for link in done["cutLinks"]] == ["p", "e2"]
    with api.store() as store:
        assert dict(store.sql("SELECT id, parent_session_id FROM sessions")) == {
            "o": "ghost", "p": None, "c1": "c2", "c2": "c1", "e1": "e2", "e2": None,
        }  # fmt: skip


def test_a_taken_title_gets_a_number_and_says_so(server: Server) -> None:
    long = "x" * 100
    api = server.profile(lambda store: (store.session("old", title="Plan"), store.session("long", title=long)))
    done = import_into(
        api,
        exact(
            session("new", title="Plan"),
            session("next", title="Plan"),
            session("free", title="Other"),
            session("cut", title=long),
            session("none"),
        ),
    )
    with api.store() as store:
        titles = dict(store.sql("SELECT id, title FROM sessions"))
    assert titles == {
        "old": "Plan", "new": "Plan (2)", "next": "Plan (3)", "free": "Other", "none": None,
        "long": long, "cut": "x" * 96 + " (2)",
    }  # fmt: skip
    assert [warning.split(":")[0] for warning in done["warnings"]] == ["Session new", "Session next", "Session cut"]


def ids_of(store: StoreBuilder, id: str) -> list[tuple[int, str]]:
    return store.sql("SELECT id, content FROM messages WHERE session_id = ? ORDER BY id", (id,))  # type: ignore[return-value]


def test_ids_of_messages_are_kept_where_all_of_a_session_are_free(server: Server) -> None:
    def taken(store: StoreBuilder) -> None:
        store.session("old")
        store.message("old", "user", "mine", id=20)

    api = server.profile(taken)
    done = import_into(
        api,
        exact(
            session("kept", message("a", id=10), message("b", id=30)),
            session("late", message("c", id=11), message("d", id=20), message("e", id=21)),
            session("back", message("f", id=9), message("g", id=8)),
            session("huge", message("h", id=2**63 - 1)),
            session("bare", message("i")),
        ),
    )
    with api.store() as store:
        assert ids_of(store, "kept") == [(10, "a"), (30, "b")]
        assert ids_of(store, "old") == [(20, "mine")]
        assert ids_of(store, "late") == [(31, "c"), (32, "d"), (33, "e")]
        assert ids_of(store, "back") == [(34, "f"), (35, "g")]
        assert ids_of(store, "huge") == [(36, "h")], "the agent would have no id left to go on with"
        assert ids_of(store, "bare") == [(37, "i")]
        assert store.sql("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'd'") == [(1,)]
    assert done["messageCount"] == 9
    assert done["warnings"] == ["The messages of 3 sessions got new ids, in the same order: theirs were taken."]
