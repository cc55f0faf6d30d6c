"""Random forests, stored cells and JSON texts, as odd as a store may hold them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from hermes_sessions.model.session import Activity, Session
from hermes_sessions.model.usage import Usage, cost_of
from tests.model.builders import T

MAX_SESSIONS = 12
MOMENTS = [None, T, T + 10, T + 20]
REASONS = [None, None, *["compression"] * 6, "branched", "session_reset", "idle", "cli_close"]

amounts = st.none() | st.integers(0, 10**6).map(lambda cents: cents / 1000)
usages = st.builds(Usage, *[st.integers(0, 2**40)] * 6)
costs = st.builds(cost_of, amounts, amounts, st.sampled_from([None, "actual", "estimated", "included", "unknown"]))

# A forest is made of one drawn number and not of a draw a cell: rare shapes (long chains, stale siblings, tails of
# cycles) come up often only where the chances are ours. Each row has its own chance, so that a failing forest shrinks
# by losing its last rows.
_seeds = st.integers(0, 2**32)
_sizes = st.integers(2, MAX_SESSIONS)


def forests() -> st.SearchStrategy[list[Session]]:
    """Sessions of one store, in any order, that differ in what lineage depends on."""
    return st.builds(_forest, _sizes, _seeds)


def rich_forests() -> st.SearchStrategy[list[Session]]:
    """Forests that also differ in what totals, lists and filters depend on."""
    return st.builds(lambda size, seed: [_enriched(row, seed) for row in _forest(size, seed)], _sizes, _seeds)


def _forest(size: int, seed: int) -> list[Session]:
    names = random.Random(seed).sample([f"s{number:02}" for number in range(MAX_SESSIONS)], MAX_SESSIONS)[:size]
    return [_row(names, at, random.Random(f"{seed} {at}")) for at in range(size)]


def _row(names: list[str], at: int, chance: random.Random) -> Session:
    """One row; its parent may be an earlier row, anyone, itself, missing or none, its markers its own or inherited."""
    earlier: list[str | None] = [*names[max(0, at - 3) : at]] or [None]
    parent = chance.choice([None, "ghost", chance.choice(names), *[chance.choice(earlier) for _ in range(8)]])
    reason = chance.choice(REASONS)
    ended_at = chance.choice(MOMENTS)

    def marker() -> str | None:
        return chance.choice([*[None] * 9, parent, chance.choice(names), "__orphaned__"])

    return Session(
        id=names[at],
        source=chance.choice(["cli", "cli", "telegram", "telegram", "cron", "cron", "tool"]),
        parent_id=parent,
        branched_from=marker(),
        delegate_from=marker(),
        reset_from=marker(),
        session_key=chance.choice([None, "", "K", "K"]),
        started_at=chance.choice(MOMENTS),
        ended_at=ended_at,
        has_ended=reason is not None or ended_at is not None,
        end_reason=reason,
        activity=Activity(
            live=chance.choice([0, 0, 1, 3]),
            compacted=chance.choice([0, 0, 2]),
            rewound=chance.choice([0, 0, 1]),
            newest=chance.choice(MOMENTS),
        ),
    )


def _enriched(row: Session, seed: int) -> Session:
    chance = random.Random(f"{seed} {row.id}")
    return replace(
        row,
        title=chance.choice([None, "Plan", "plan b", "Straße"]),
        model=chance.choice([None, "opus", "haiku"]),
        cwd=chance.choice([None, "/home/ann/site", "/home/ann/api", "/srv"]),
        archived=chance.random() < 0.3,
        last_activity_at=chance.choice(MOMENTS),
        counted_messages=chance.choice([0, 0, 3]),
        usage=Usage(*(chance.choice([0, 1, 7, 2**40]) for _ in range(6))),
        cost=cost_of(
            chance.choice([None, 0.1, 0.3]),
            chance.choice([None, 0.0, 0.2]),
            chance.choice([None, None, "included", "unknown"]),
        ),
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
plain_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_characters="\0")), inner),
    max_leaves=12,
)
DEEP_JSON = "[" * 100_000
NESTED_JSON = "[" * 400 + "]" * 400
loose_json = (
    json_texts
    | st.text()
    | st.sampled_from([DEEP_JSON, NESTED_JSON, "9" * 5000, "1" * 30, "NaN", '"\\ud800"', "null", "", " "])
)
contents = st.text() | loose_json | loose_json.map("\x00json:".__add__)
