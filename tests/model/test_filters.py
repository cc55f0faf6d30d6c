"""Each condition of a filter by itself, on sessions and on conversations."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.model.filters import (
    ArchivedFilter,
    Audience,
    ListFilter,
    archived_test,
    audience_test,
    in_workspace,
    named_tests,
)
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session, SessionKind
from tests.model.builders import T, context, dollars, messages, session

PREVIEWS = {"a": "Fix the Straße", "b": None}


def chain() -> Forest:
    """One conversation: a was compressed into b, the tip."""
    return Forest(
        [
            session(
                "a", source="telegram", end=T + 10, reason="compression", title="Plan", model="opus", cwd="/old",
                cost=dollars(1.0), activity=messages(2, T + 9),
            ),
            session(
                "b", "a", source="desktop", start=T + 10, model="haiku", cwd="/home/ann/site", cost=dollars(2.0),
                activity=messages(3, T + 50),
            ),
        ]
    )  # fmt: skip


def passes(item: str, **conditions: Any) -> bool:
    """Whether the conversation, or the session a or b of it, meets the only condition."""
    forest = chain()
    tests = named_tests(ListFilter(**conditions), context(forest, now=T + 60, previews=PREVIEWS))
    assert list(tests) == list(conditions)
    found = forest.conversation_of("a") if item == "conversation" else forest.sessions[item]
    return all(test(found) for test in tests.values())


@pytest.mark.parametrize(
    ("conditions", "meeting"),
    [
        ({"ids": frozenset({"b"})}, "conversation b"),
        ({"ids": frozenset()}, ""),
        ({"kinds": frozenset({SessionKind.ROOT})}, "conversation a"),
        ({"kinds": frozenset({SessionKind.CONTINUATION})}, "b"),
        ({"sources": frozenset({"telegram"})}, "conversation a"),
        ({"exclude_sources": frozenset({"telegram"})}, "b"),
        ({"models": frozenset({"haiku", "gpt"})}, "conversation b"),
        ({"workspace": "/home/ann"}, "conversation b"),
        ({"text": "PLAN"}, "conversation a"),
        ({"text": "strasse"}, "conversation a"),
        ({"text": "%"}, ""),
        ({"text": "b"}, "conversation b"),
        ({"started_after": T + 10}, "b"),
        ({"started_before": T + 10}, "conversation a"),
        ({"active_after": T + 50}, "conversation b"),
        ({"active_before": T + 50}, "a"),
        ({"min_messages": 5}, "conversation"),
        ({"max_messages": 3}, "a b"),
        ({"max_messages": 0}, ""),
        ({"min_cost_usd": 2.5}, "conversation"),
        ({"live": True}, "conversation b"),
        ({"live": False}, "a"),
        ({"end_reasons": frozenset({"compression"})}, "a"),
    ],
)
def test_a_condition_looks_at_the_whole_conversation(conditions: dict[str, Any], meeting: str) -> None:
    assert [item for item in ("conversation", "a", "b") if passes(item, **conditions)] == meeting.split()


@pytest.mark.parametrize("condition", ["started_after", "started_before", "active_after", "active_before"])
def test_an_unknown_moment_meets_no_bound(condition: str) -> None:
    forest = Forest([session("a", start=None)])
    bound: dict[str, Any] = {condition: T}
    tests = named_tests(ListFilter(**bound), context(forest))
    assert not tests[condition](forest.sessions["a"])


def test_an_unknown_cost_is_not_at_least_zero() -> None:
    forest = Forest([session("a")])
    assert not named_tests(ListFilter(min_cost_usd=0.0), context(forest))["min_cost_usd"](forest.sessions["a"])


@pytest.mark.parametrize(
    ("archived", "kept"),
    [(ArchivedFilter.EXCLUDE, [False]), (ArchivedFilter.INCLUDE, [False, True]), (ArchivedFilter.ONLY, [True])],
)
def test_archived_items_are_excluded_included_or_alone(archived: ArchivedFilter, kept: list[bool]) -> None:
    test = archived_test(ListFilter(archived=archived))
    assert [flag for flag in (False, True) if test is None or test(session("a", archived=flag))] == kept


@pytest.mark.parametrize(
    ("audience", "kept"), [(Audience.ALL, "cli cron"), (Audience.CHATS, "cli"), (Audience.AUTOMATION, "cron")]
)
def test_an_audience_is_told_by_the_source(audience: Audience, kept: str) -> None:
    test = audience_test(ListFilter(audience=audience), context(Forest([])))
    assert [source for source in ("cli", "cron") if test is None or test(session("a", source=source))] == kept.split()


# Workspaces


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b/c", "/a/b", True),
        ("/a/bc", "/a/b", False),
        ("/a", "/a/b", False),
        ("/a/b", "/a/b/", True),
        ("/a//b/./c", "/a/b", True),
        ("C:\\work\\site", "C:\\work", True),
        ("/a/%", "/a/%", True),
        ("/a/b", "/a/%", False),
        (None, "/a", False),
    ],
)
def test_a_workspace_is_a_folder_and_what_lies_below_it(path: str | None, folder: str, inside: bool) -> None:
    assert in_workspace(path, folder) is inside


parts = st.lists(st.sampled_from(["a", "b", "ab", "%"]), max_size=3)


@given(parts, parts)
def test_workspaces_are_compared_by_path_parts(path: list[str], folder: list[str]) -> None:
    assert in_workspace("/" + "/".join(path), "/" + "/".join(folder)) is (path[: len(folder)] == folder)


def test_the_repository_decides_before_the_working_directory() -> None:
    assert session("a", cwd="/repo/docs", git_repo_root="/repo").workspace == "/repo"
    assert session("a", cwd="/repo/docs").workspace == "/repo/docs"


# Bindings of cursors

CONDITIONS: dict[str, list[Any]] = {
    "ids": [frozenset(), frozenset({"a"}), frozenset({"a", "b"}), frozenset({"a, b"})],
    "kinds": [frozenset({SessionKind.ROOT}), frozenset({SessionKind.ROOT, SessionKind.SIDE})],
    "archived": [ArchivedFilter.EXCLUDE, ArchivedFilter.ONLY],
    "audience": [Audience.CHATS, Audience.AUTOMATION],
    "workspace": ["", "/a", "None"],
    "text": ["", "a", "None"],
    "started_after": [T, T + 1],
    "min_messages": [0, 1],
    "live": [True, False],
}


@given(st.permutations(["cli", "cron", "telegram", "tool", "desktop"]))
def test_equal_filters_bind_cursors_alike(sources: list[str]) -> None:
    assert ListFilter(sources=frozenset(sources)).binding() == ListFilter(sources=frozenset(sources[::-1])).binding()


@pytest.mark.parametrize("name", CONDITIONS)
def test_M7_filters_that_differ_in_one_condition_bind_cursors_differently(name: str) -> None:
    filters = [ListFilter(), *(ListFilter(**{name: value}) for value in CONDITIONS[name])]
    for one, other in itertools.combinations(filters, 2):
        assert one.binding() != other.binding(), (one, other)


def test_every_condition_that_is_given_is_tested() -> None:
    everything = ListFilter(
        ids=frozenset(), kinds=frozenset(), sources=frozenset(), exclude_sources=frozenset(), models=frozenset(),
        workspace="", text="", started_after=0.0, started_before=0.0, active_after=0.0, active_before=0.0,
        min_messages=0, max_messages=0, min_cost_usd=0.0, live=False, end_reasons=frozenset(), job="",
    )  # fmt: skip
    tested = set(named_tests(everything, context(Forest([])))) | {"archived", "audience"}
    assert tested == set(ListFilter.__dataclass_fields__)
    assert named_tests(ListFilter(), context(Forest([]))) == {}


@given(st.text(min_size=1, max_size=3), st.text(max_size=6))
def test_a_text_is_found_literally_and_case_folded(needle: str, title: str) -> None:
    row: Session = session("\x01", title=title)
    test = named_tests(ListFilter(text=needle), context(Forest([row])))["text"]
    assert test(row) == (needle.casefold() in title.casefold() or needle == "\x01")
