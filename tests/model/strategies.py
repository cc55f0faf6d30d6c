"""Random forests, stored cells and JSON texts, as odd as a store may hold them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any

from hypothesis import strategies as st

from hermes_sessions.model.session import Activity, Session
from hermes_sessions.model.usage import Usage, cost_of
from tests.model.builders import T

MAX_SESSIONS = 9
MOMENTS = [None, T, T + 10, T + 20]

amounts = st.none() | st.integers(0, 10**6).map(lambda cents: cents / 1000)
usages = st.builds(Usage, *[st.integers(0, 2**40)] * 6)
costs = st.builds(cost_of, amounts, amounts, st.sampled_from([None, "actual", "estimated", "included", "unknown"]))

# Columns that belong together are drawn together: a forest of few draws is a fast one.
_REASONS = [None, "compression", "compression", "compression", "branched", "session_reset", "idle", "cli_close"]
_endings = st.sampled_from(list(product(_REASONS, MOMENTS)))
_origins = st.sampled_from(list(product(["cli", "telegram", "cron", "tool"], [None, "", "K"], MOMENTS)))
_MARKERS = ["none", "none", "none", "parent", "inherited", "orphaned"]
_markers = st.sampled_from(list(product(_MARKERS, repeat=3)))
_activities = st.sampled_from(
    [
        Activity(live, compacted, rewound, newest, last_id=9)
        for live, compacted, rewound, newest in product([0, 1, 3], [0, 2], [0, 1], MOMENTS)
    ]
)


_parents = st.sampled_from(["none", "ghost", "previous", "previous", *range(MAX_SESSIONS)])
_orders = [st.permutations([f"s{number}" for number in range(size)]) for size in range(1, MAX_SESSIONS + 1)]


@st.composite
def forests(draw: st.DrawFn) -> list[Session]:
    """Sessions of one store, in any order, that differ in what lineage depends on."""
    order = draw(_orders[draw(st.integers(0, MAX_SESSIONS - 1))])
    return [_row(draw, order, at) for at in range(len(order))]


def _row(draw: st.DrawFn, order: list[str], at: int) -> Session:
    """One row of a forest; its parent may be anyone, itself, missing or none, its markers its own or inherited."""
    parent = _parent(draw(_parents), order, at)
    marked = {"none": None, "parent": parent, "inherited": order[at - 1], "orphaned": "__orphaned__"}
    branched, delegate, reset = draw(_markers)
    reason, ended_at = draw(_endings)
    source, session_key, started_at = draw(_origins)
    return Session(
        id=order[at],
        source=source,
        parent_id=parent,
        branched_from=marked[branched],
        delegate_from=marked[delegate],
        reset_from=marked[reset],
        session_key=session_key,
        started_at=started_at,
        ended_at=ended_at,
        has_ended=reason is not None or ended_at is not None,
        end_reason=reason,
        activity=draw(_activities),
    )


def _parent(choice: str | int, order: list[str], at: int) -> str | None:
    if isinstance(choice, int):
        return order[choice % len(order)]
    return {"none": None, "ghost": "ghost", "previous": order[at - 1]}[choice]


_FOLDERS = [None, "/home/ann/site", "/home/ann/api", "/srv"]
_faces = st.sampled_from(list(product([None, "Plan", "plan b", "Straße"], [None, "opus", "haiku"], _FOLDERS)))
_flags = st.sampled_from(list(product([False, True], MOMENTS, [0, 0, 3])))
_USAGES = [Usage(), Usage(1, 2, 3, 4, 5, 6), Usage(cache_read_tokens=2**40), Usage(output_tokens=7)]
_COSTS = [cost_of(*figures) for figures in product([None, 0.1], [None, 0.0, 0.2], [None, "included", "unknown"])]
_prices = st.sampled_from(list(product(_USAGES, _COSTS)))


@st.composite
def rich_forests(draw: st.DrawFn) -> list[Session]:
    """Forests that also differ in what totals, lists and filters depend on."""
    return [_enriched(each, draw(_faces), draw(_flags), draw(_prices)) for each in draw(forests())]


def _enriched(row: Session, face: tuple[Any, ...], flags: tuple[Any, ...], price: tuple[Any, ...]) -> Session:
    title, model, cwd = face
    archived, last_activity_at, counted_messages = flags
    usage, cost = price
    return replace(
        row,
        title=title,
        model=model,
        cwd=cwd,
        archived=archived,
        last_activity_at=last_activity_at,
        counted_messages=counted_messages,
        usage=usage,
        cost=cost,
    )


# Everything that a cell of SQLite can hold.
cells: st.SearchStrategy[Any] = (
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text() | st.binary() | st.just(b"\xffA\xc3(")
)

_KEYS = ["type", "text", "image_url", "url", "source", "data", "media_type", "function", "name", "arguments", "summary"]
_WORDS = st.sampled_from(["text", "image_url", "image", "function", "data:image/png;base64,AAAA", "{}", "\x00"])
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS) | st.text(), inner, max_size=4),
    max_leaves=12,
)
json_texts = json_values.map(json.dumps)
DEEP_JSON = "[" * 100_000
NESTED_JSON = "[" * 900 + "]" * 900
loose_json = json_texts | st.text() | st.sampled_from([DEEP_JSON, NESTED_JSON, "9" * 5000, "NaN", "null", "", " "])
contents = st.text() | loose_json | loose_json.map("\x00json:".__add__)
