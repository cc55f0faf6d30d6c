"""Rows of what is asked in turn: the API and the floor, a deep page and the first one, two stores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from hermes_sessions.bench.operations import CONVERSATIONS, MESSAGES, OPERATIONS, PREFIX, SESSION, SESSIONS, Operation
from hermes_sessions.bench.peers import Other
from hermes_sessions.bench.rows import FLOOR, Peer, Row
from hermes_sessions.bench.servers import Client
from hermes_sessions.bench.subjects import Deep, Subjects
from hermes_sessions.bench.timing import Times, measured

_API = "API"


def operation_row(
    operation: Operation, api: Client, floor: Client, others: Sequence[Other], subjects: Subjects, rounds: int
) -> Row:
    own = {_API: operation.ask(api, subjects)}
    path = operation.floor(subjects) if operation.floor is not None else None
    if path is not None:
        own[FLOOR] = lambda _: floor.post(path, b"")
    asked = {other.name: other for other in others if operation.key in other.routes}
    times = measured(own, {name: other.ask(operation, subjects) for name, other in asked.items()}, rounds)
    return Row(
        operation.key,
        operation.name,
        times[_API].median,
        p95=times[_API].p95,
        items=items_of(operation, api, subjects),
        against=FLOOR if path is not None else None,
        base=times[FLOOR].median if path is not None else None,
        base_items=_floor_items(floor.post(path, b"")) if path is not None else None,
        sessions=subjects.sessions,
        peers={name: Peer(times[name].median, other.count(operation, subjects)) for name, other in asked.items()},
    )


def prefix_row(api: Client, subjects: Subjects, rounds: int) -> Row:
    times = measured({"prefix": PREFIX.ask(api, subjects), "id": SESSION.ask(api, subjects)}, {}, rounds)
    return _row("prefix against id", "one session by prefix", times["prefix"], "by id", times["id"], subjects)


def depth_rows(api: Client, subjects: Subjects, rounds: int) -> Iterator[Row]:
    """A deep page of each list against its first page."""
    for operation, deep in deep_pages(subjects).items():
        further = operation.following(deep.after)
        times = measured({"deep": further.ask(api, subjects), "first": operation.ask(api, subjects)}, {}, rounds)
        name = f"{operation.name}, page {deep.page:,}"
        row = _row(f"deep {operation.key}", name, times["deep"], "first page", times["first"], subjects)
        yield _counted(row, items_of(further, api, subjects), items_of(operation, api, subjects))


def deep_pages(subjects: Subjects) -> dict[Operation, Deep]:
    """Those of operations that have pages."""
    return {
        SESSIONS: subjects.deep_sessions,
        CONVERSATIONS: subjects.deep_conversations,
        MESSAGES: subjects.deep_messages,
    }


def grown_rows(
    small: Client, small_subjects: Subjects, grown: Client, grown_subjects: Subjects, rounds: int
) -> Iterator[Row]:
    """Every operation on a greater store against the same on a smaller one."""
    for operation in OPERATIONS:
        if operation.is_possible(small_subjects) and operation.is_possible(grown_subjects):
            asks = {"grown": operation.ask(grown, grown_subjects), "small": operation.ask(small, small_subjects)}
            times = measured(asks, {}, rounds)
            name = f"{operation.name}, {grown_subjects.sessions:,} sessions"
            against = f"{small_subjects.sessions:,} sessions"
            row = _row(f"grown {operation.key}", name, times["grown"], against, times["small"], grown_subjects)
            items = items_of(operation, grown, grown_subjects)
            yield _counted(row, items, items_of(operation, small, small_subjects))


def _row(key: str, name: str, own: Times, against: str, base: Times, subjects: Subjects) -> Row:
    return Row(key, name, own.median, p95=own.p95, against=against, base=base.median, sessions=subjects.sessions)


def _counted(row: Row, items: int, base_items: int) -> Row:
    return replace(row, items=items, base_items=base_items)


def items_of(operation: Operation, api: Client, subjects: Subjects) -> int:
    answer: dict[str, Any] = orjson.loads(api.post("/graphql", operation.body(subjects, 0)))
    if "errors" in answer:
        raise RuntimeError(f"{operation.name}: the API answered with errors: {answer['errors'][:2]}")
    return operation.count(answer["data"])


def _floor_items(answer: bytes) -> int:
    """The floor answers with a list, or with one object."""
    value = orjson.loads(answer)
    return len(value) if isinstance(value, list) else 1
