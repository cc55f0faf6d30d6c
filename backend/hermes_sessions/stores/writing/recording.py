"""Usage written to a store as Hermes writes it: totals of the session, and a row for each model and task."""

from __future__ import annotations

import time
from typing import Any

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.writing.inputs import refusal
from hermes_sessions.model.writing.recording import FIELDS, UsageRecord
from hermes_sessions.stores.store_rows import StoreRows

_ROUTE = ("model", "billing_provider", "billing_base_url", "billing_mode")


async def record_usage(rows: StoreRows, session_id: str, record: UsageRecord) -> None:
    """Usage of a task is booked in `session_model_usage` alone, a total that replaces others in `sessions` alone."""
    if record.task is not None and not rows.has("session_model_usage", "task"):
        raise refusal(
            "task",
            "This store is of an early version that cannot tell tasks apart. Let Hermes open it once.",
            ErrorCode.UNSUPPORTED_STORE,
        )
    route = await rows.session_cells(session_id, (*_ROUTE, "api_call_count"))
    if record.task is None:
        route = await _update_session(rows, session_id, record, route)
    reported = any(record.counts.values()) or bool(record.estimated_usd)
    if not record.absolute and reported and rows.has("session_model_usage", "session_id"):
        await _add_to_model(rows, session_id, record, route)


async def _update_session(
    rows: StoreRows, session_id: str, record: UsageRecord, before: dict[str, Any]
) -> dict[str, Any]:
    """The session's route after it.

    A session is made with the route that was asked for. The first usage tells the one that really answered; after
    that it stays, since one row cannot hold several. Unlike Hermes, a cost that is not reported leaves NULL as it is:
    a 0 would claim to be known.
    """
    dollars = {"estimated_cost_usd": record.estimated_usd, "actual_cost_usd": record.actual_usd}
    figures = record.counts | {name: usd for name, usd in dollars.items() if usd is not None}
    notes = _noted(record) | {"pricing_version": record.pricing_version}
    route = _route_after(record, before)
    put = {name: note for name, note in notes.items() if note is not None}
    put |= {name: route[name] for name in _ROUTE if route[name] != before[name]}  # what stays is kept to the byte
    await rows.change_session(session_id, put | figures if record.absolute else put, {} if record.absolute else figures)
    return route


def _noted(record: UsageRecord) -> dict[str, str | None]:
    return {"cost_status": record.status, "cost_source": record.cost_source}


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


async def _add_to_model(rows: StoreRows, session_id: str, record: UsageRecord, route: dict[str, Any]) -> None:
    """A task has its own route: what is not told of it is not borrowed from the session's."""
    told = _told(record)
    known = told if record.task is not None else {name: told[name] or route[name] for name in _ROUTE}
    keys = {"session_id": session_id, "task": record.task or "", **{name: known[name] or "" for name in _ROUTE}}
    keys["model"] = keys["model"] or "unknown"
    sums = {
        **{column: record.counts.get(column, 0) for column in FIELDS},
        "estimated_cost_usd": float(record.estimated_usd or 0.0),
        "actual_cost_usd": float(record.actual_usd or 0.0),
    }
    notes = {name: note for name, note in _noted(record).items() if note is not None}
    await rows.add_usage(keys, sums, notes, time.time())
