"""Lineages: a tree of a hundred sessions, two branches of one conversation, and a profile with odd parents."""

from __future__ import annotations

from pathlib import Path

from tests.builders import StoreBuilder, T, store_path

SEGMENTS = 20
SHARED = 70
TARGET = "Zebra crossings"


def add_lineages(home: Path) -> None:
    for profile, fill in {"default": fill_default, "odd": odd_lineages}.items():
        with StoreBuilder(store_path(home, profile)) as store:
            fill(store)


def fill_default(store: StoreBuilder) -> None:
    tree_of_hundred(store)
    two_branches(store)


def tree_of_hundred(store: StoreBuilder) -> None:
    """Twenty segments; each has a subagent with one of its own, a branch, and a side task without a price."""
    for number in range(SEGMENTS):
        segment, start = f"seg{number:02}", T + 100 * number
        before = f"seg{number - 1:02}" if number else None
        is_last = number == SEGMENTS - 1
        ended = {} if is_last else {"end": start + 100, "end_reason": "compression"}
        store.session(segment, start=start, parent=before, title=f"Segment {number}", input=1_000, cost=0.25, **ended)
        store.message(segment, "user", f"part {number}")
        worker = store.session(f"{segment}-w", start=start + 1, parent=segment, delegate_from=segment, cost=1.5)
        title = TARGET if number == 13 else f"Helper {number}"
        store.session(f"{segment}-h", start=start + 2, parent=worker, delegate_from=worker, title=title, input=7)
        store.session(f"{segment}-b", start=start + 3, parent=segment, branched_from=segment, input=300, cost=0.5)
        store.session(f"{segment}-t", start=start + 4, parent=segment, delegate_from=segment, output=11)
        for each in ("w", "h", "b", "t"):
            store.message(f"{segment}-{each}", "user", f"{each} of part {number}")


def two_branches(store: StoreBuilder) -> None:
    """A conversation and its fork: 35 turns that both have, then each one its own way, the fork for longer."""
    store.session("trunk", start=T, title="To the coast", cost=0.5)
    store.session("fork", start=T + 500, title="To the hills", parent="trunk", branched_from="trunk", cost=0.75)
    for session in ("trunk", "fork"):
        for number in range(SHARED):
            store.message(session, "assistant" if number % 2 else "user", f"shared words {number}", at=T + number)
        way = "coast" if session == "trunk" else "hills"
        store.message(session, "user", f"Now plan the way to the {way} for two days", at=T + 501)
        store.message(session, "assistant", f"Two days at the {way}, by train.", at=T + 502)
    store.message("fork", "user", "And a third day?", at=T + 503)


def odd_lineages(store: StoreBuilder) -> None:
    store.session("alone", title="Alone")
    for child, parent in {"ring-a": "ring-b", "ring-b": "ring-a", "orphan": "long-gone"}.items():
        store.session(child, parent=parent, title=child)
    for session in ("alone", "ring-a", "ring-b", "orphan"):
        store.message(session)
