"""Usage written to a live store as Hermes writes it: totals of the session, and a row for each model and task."""

from __future__ import annotations

import time
from typing import Any

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.writing.inputs import refusal
from hermes_sessions.model.writing.recording import FIELDS, UsageRecord
from hermes_sessions.stores.cells import insert_row
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection

_ROUTE = ("model", "billing_provider", "billing_base_url", "billing_mode")
_KEYS = ("session_id", *_ROUTE, "task")


async def record_usage(connection: Connection, columns: Columns, session_id: str, record: UsageRecord) -> None:
    """Usage of a task is booked in `session_model_usage` alone, a total that replaces others in `sessions` alone."""
    if record.task is not None and not columns.has("session_model_usage", "task"):
        raise refusal(
            "task",
            "This store is of an early version that cannot tell tasks apart. Let Hermes open it once.",
            ErrorCode.UNSUPPORTED_STORE,
        )
    route = await _route(connection, columns, session_id)
    if record.task is None:
        route = await _update_session(connection, columns, session_id, record, route)
    reported = any(record.counts.values()) or bool(record.estimated_usd)
    if not record.absolute and reported and columns.has("session_model_usage", "session_id"):
        await _add_to_model(connection, columns, session_id, record, route)


async def _route(connection: Connection, columns: Columns, session_id: str) -> dict[str, Any]:
    names = (*_ROUTE, "api_call_count")
    row = await connection.fetch_one(
        f"SELECT {columns.select('sessions', names)} FROM sessions WHERE id = :id", {"id": session_id}
    )
    return {name: row[name] for name in names}


async def _update_session(
    connection: Connection, columns: Columns, session_id: str, record: UsageRecord, before: dict[str, Any]
) -> dict[str, Any]:
    """The session's route after it.

    A session is made with the route that was asked for. The first usage tells the one that really answered; after
    that it stays, since one row cannot hold several. Unlike Hermes, a cost that is not reported leaves NULL as it is:
    a 0 would claim to be known.
    """
    sets: list[str] = []
    values: dict[str, Any] = {}

    def add(column: str, expression: str, value: Any) -> None:
        if columns.has("sessions", column):
            sets.append(f"{column} = {expression}")
            values[column] = value

    figures = {"estimated_cost_usd": record.estimated_usd, "actual_cost_usd": record.actual_usd}
    for column, value in (record.counts | {name: usd for name, usd in figures.items() if usd is not None}).items():
        add(column, f":{column}" if record.absolute else f"coalesce({column}, 0) + :{column}", value)
    notes = {
        "cost_status": record.status,
        "cost_source": record.cost_source,
        "pricing_version": record.pricing_version,
    }
    for column, note in notes.items():
        if note is not None:
            add(column, f":{column}", note)
    route = _route_after(record, before)
    for column in _ROUTE:
        add(column, f":{column}", route[column])
    if sets:
        await connection.execute(f"UPDATE sessions SET {', '.join(sets)} WHERE id = :id", values | {"id": session_id})
    return route


def _route_after(record: UsageRecord, before: dict[str, Any]) -> dict[str, Any]:
    told = _told(record)
    if not record.is_accounted:
        return before
    is_first = not before["api_call_count"] and told["model"] and told["billing_provider"]
    if is_first and (told["model"], told["billing_provider"]) != (before["model"], before["billing_provider"]):
        return told
    return {name: told[name] if before[name] is None else before[name] for name in _ROUTE}


def _told(record: UsageRecord) -> dict[str, Any]:
    return dict(zip(_ROUTE, (record.model, record.provider, record.base_url, record.billing_mode), strict=True))


async def _add_to_model(
    connection: Connection, columns: Columns, session_id: str, record: UsageRecord, route: dict[str, Any]
) -> None:
    """A task has its own route: what is not told of it is not borrowed from the session's."""
    told = _told(record)
    known = told if record.task is not None else {name: told[name] or route[name] for name in _ROUTE}
    keys = {"session_id": session_id, "task": record.task or "", **{name: known[name] or "" for name in _ROUTE}}
    keys["model"] = keys["model"] or "unknown"
    keys = {name: keys[name] for name in _KEYS if columns.has("session_model_usage", name)}
    sums = {
        **{column: record.counts.get(column, 0) for column in FIELDS},
        "estimated_cost_usd": float(record.estimated_usd or 0.0),
        "actual_cost_usd": float(record.actual_usd or 0.0),
    }
    sums = {name: value for name, value in sums.items() if columns.has("session_model_usage", name)}
    notes = {"cost_status": record.status, "cost_source": record.cost_source}
    notes = {name: note for name, note in notes.items() if columns.has("session_model_usage", name)}
    seen = {name: time.time() for name in ("first_seen", "last_seen") if columns.has("session_model_usage", name)}
    changes = [
        *(f"{name} = {name} + :{name}" for name in sums),
        *(f"{name} = coalesce(:{name}, {name})" for name in notes),
        *(f"{name} = :{name}" for name in seen if name == "last_seen"),
    ]
    found = await connection.fetch_all(
        f"UPDATE session_model_usage SET {', '.join(changes)}"
        f" WHERE {' AND '.join(f'{name} = :{name}' for name in keys)} RETURNING session_id",
        {name: value for name, value in (keys | sums | notes | seen).items() if name != "first_seen"},
    )
    if not found:
        await insert_row(connection, "session_model_usage", keys | sums | notes | seen)
