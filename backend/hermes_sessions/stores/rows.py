"""Rows of a store turned into values of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from sys import intern
from typing import Any

from hermes_sessions.model.session import NO_ACTIVITY, Activity, Session
from hermes_sessions.model.usage import Cost, Usage, add_cost, add_usage, cost_of
from hermes_sessions.model.values import Warnings, flag, label, moment, money, text, whole

TOKEN_COLUMNS = (
    "input_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "output_tokens",
    "reasoning_tokens",
    "api_call_count",
)

Auxiliary = tuple[Usage, Cost]


def session_from_row(row: Mapping[str, Any], activity: Activity = NO_ACTIVITY) -> Session:
    """A session out of its narrow columns and what its messages say. Its auxiliary usage is none of its columns."""
    warnings = Warnings()
    if row["broken_config"]:
        warnings.add("model_config: the stored text is not JSON")
    usage = usage_from_row(row, warnings)
    cost = cost_of(
        money(row["actual_cost_usd"], "actual_cost_usd", warnings),
        money(row["estimated_cost_usd"], "estimated_cost_usd", warnings),
        text(row["cost_status"]),
    )
    return Session(
        id=text(row["id"]) or "",
        source=_shared(row["source"]) or "unknown",
        parent_id=label(row["parent_session_id"]),
        branched_from=label(row["branched_from"]),
        delegate_from=label(row["delegate_from"]),
        reset_from=label(row["reset_from"]),
        session_key=label(row["session_key"]),
        title=label(row["title"]),
        model=_shared(row["model"]),
        user_id=_shared(row["user_id"]),
        cwd=_shared(row["cwd"]),
        git_branch=_shared(row["git_branch"]),
        git_repo_root=_shared(row["git_repo_root"]),
        started_at=moment(row["started_at"], "started_at", warnings),
        ended_at=moment(row["ended_at"], "ended_at", warnings),
        has_ended=row["ended_at"] is not None,
        end_reason=_shared(row["end_reason"]),
        last_activity_at=moment(row["last_activity_at"], "last_activity_at", warnings),
        archived=flag(row["archived"]),
        counted_messages=whole(row["message_count"], "message_count", warnings) or 0,
        tool_call_count=min(whole(row["tool_call_count"], "tool_call_count", warnings) or 0, 2**31 - 1),
        usage=usage,
        cost=cost,
        activity=activity,
        warnings=warnings.freeze(),
    )


def with_auxiliary(session: Session, auxiliary: Auxiliary | None) -> Session:
    """The session with these auxiliary calls in place of those that it had."""
    own = (session.own_usage, session.own_cost)
    usage, cost = own if auxiliary is None else _joint(*own, auxiliary)
    return replace(session, usage=usage, cost=cost, without_auxiliary=own if auxiliary is not None else None)


def _shared(value: Any) -> str | None:
    """A label that many sessions have: held once."""
    words = label(value)
    return intern(words) if words is not None else None


def usage_from_row(row: Mapping[str, Any], warnings: Warnings) -> Usage:
    return Usage(*(whole(row[column], column, warnings) or 0 for column in TOKEN_COLUMNS))


def usage_row_cost(row: Mapping[str, Any], warnings: Warnings) -> Cost:
    """The cost of a row of session_model_usage, whose columns default to 0: only more than 0 is a figure."""
    return cost_of(
        money(row["actual_cost_usd"], "actual_cost_usd", warnings) or None,
        money(row["estimated_cost_usd"], "estimated_cost_usd", warnings) or None,
        text(row["cost_status"]),
    )


def auxiliary_from_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, Auxiliary]:
    """Usage and cost of auxiliary calls by session. Hermes books them nowhere else."""
    parts: dict[str, list[Auxiliary]] = {}
    for row in rows:
        ignored = Warnings()
        parts.setdefault(text(row["session_id"]) or "", []).append(
            (usage_from_row(row, ignored), usage_row_cost(row, ignored))
        )
    return {
        session_id: (add_usage(usage for usage, _ in own), add_cost(cost for _, cost in own))
        for session_id, own in parts.items()
    }


def _joint(usage: Usage, cost: Cost, auxiliary: Auxiliary) -> Auxiliary:
    joint = add_cost([cost, auxiliary[1]])
    counted_once = Cost(
        joint.usd, joint.actual_usd, joint.estimated_usd, joint.status, unknown_sessions=min(1, joint.unknown_sessions)
    )
    return add_usage([usage, auxiliary[0]]), counted_once


def activity_from_row(row: Mapping[str, Any]) -> Activity:
    live, rows, compacted = int(row["live"] or 0), int(row["row_count"] or 0), int(row["compacted"] or 0)
    return Activity(
        live=live,
        compacted=compacted,
        rewound=max(0, rows - live - compacted),
        newest=row["newest"],
        last_id=int(row["last_id"] or 0),
        live_ids=float(row["live_ids"]),
    )
