"""A session of the demo while it is told, and how it is written down as Hermes would have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

from hermes_sessions.demo.models import Model, usage_of
from hermes_sessions.demo.script import Row
from hermes_sessions.stores.create import NewStore

Cells = dict[str, Any]


@dataclass
class Draft:
    """One session: its row's cells that are known so far, its messages' cells, and the moment that it has reached."""

    id: str
    source: str
    model: Model
    started: float
    title: str | None = None
    cells: Cells = field(default_factory=dict)
    config: Cells = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    messages: list[Cells] = field(default_factory=list)
    usage: list[Cells] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.now = self.started

    def tell(self, rows: Sequence[Row]) -> None:
        """Let the conversation go on by these rows, each after its pause."""
        for row in rows:
            self.now += row.pause
            self.rows.append(row)
            self.messages.append(
                {"role": row.role, "content": row.content, "timestamp": round(self.now, 3), **row.cells}
            )

    def copy(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Carry messages along with their moments, as compression and branching do; they are live here."""
        self.messages += [{**message, "active": 1, "compacted": 0} for message in messages]

    def end(self, reason: str | None, after: float = 20.0) -> None:
        """Close the session some seconds after its last message; no reason leaves it open."""
        if reason is not None:
            self.cells |= {"ended_at": round(self.now + after, 3), "end_reason": reason}

    def costs(self, amount: float) -> None:
        """Fix the estimated cost in USD, auxiliary calls included, instead of deriving it from the tokens."""
        beside = sum(row["estimated_cost_usd"] for row in self.usage if row.get("task"))
        self.cells |= {
            "estimated_cost_usd": round(amount - beside, 6),
            "actual_cost_usd": None,
            "cost_status": "estimated",
        }

    def parented(self, parent: str, marker: str | None = None) -> None:
        """Hang the session on another one; the marker in `model_config` says why."""
        self.cells["parent_session_id"] = parent
        if marker:
            self.config[marker] = parent

    def auxiliary(self, task: str, model: Model, input_tokens: int, output_tokens: int) -> None:
        """Add a call beside the conversation, which Hermes keeps out of the session's own counters."""
        cost = (input_tokens * model.prices[0] + output_tokens * model.prices[1]) / 1_000_000
        self.usage.append(
            {
                "session_id": self.id,
                "model": model.name,
                "billing_provider": model.provider,
                "billing_base_url": model.base_url,
                "task": task,
                "api_call_count": 1,
                "input_tokens": input_tokens,
                "output_tokens": output_tokens,
                "estimated_cost_usd": round(cost, 6),
                "first_seen": self.now,
                "last_seen": self.now,
            }
        )

    def switch(self, model: Model, rows: Sequence[Row]) -> None:
        """Go on with another model; the session's row keeps the first one, the usage rows tell both."""
        self.tell(rows)
        used = usage_of(rows, model)
        bill = model.bill(used)
        self.usage.append(
            {"session_id": self.id, "model": model.name, **model.billing(), **used.columns()}
            | {name: bill[name] for name in ("cost_status", "cost_source")}
            | {
                "estimated_cost_usd": bill["estimated_cost_usd"] or 0.0,
                "actual_cost_usd": bill["actual_cost_usd"] or 0.0,
            }
            | {"first_seen": self.now - 60, "last_seen": self.now}
        )

    def write(self, store: NewStore) -> None:
        """Add the session, its messages and its usage, with the counters that Hermes would have kept."""
        session = self._session()
        store.insert("sessions", session)
        for message in self.messages:
            store.insert("messages", {"session_id": self.id, **stored(message)})
        for row in (*self._main_usage(session), *self.usage):
            store.insert("session_model_usage", row)

    def _session(self) -> Cells:
        # A message that was taken back stays in Hermes' counters, one that was summed up does not.
        counted = [message for message in self.messages if not message.get("compacted")]
        used = usage_of(self.rows, self.model)
        return {
            "id": self.id,
            "source": self.source,
            "model": self.model.name,
            "model_config": json.dumps({"max_iterations": 90, "reasoning_config": None, **self.config}),
            "started_at": self.started,
            "title": self.title,
            "message_count": len(counted),
            "tool_call_count": sum(count_calls(message) for message in counted),
            **used.columns(),
            **self.model.billing(),
            **self.model.bill(used),
            **self.cells,
        }

    def _main_usage(self, session: Cells) -> list[Cells]:
        if not session["api_call_count"]:
            return []
        shared = ("model", "billing_provider", "billing_base_url", "billing_mode", "cost_status", "cost_source")
        tokens = [name for name in session if name.endswith("_tokens")]
        money = {name: session[name] or 0.0 for name in ("estimated_cost_usd", "actual_cost_usd")}
        return [
            {
                "session_id": self.id,
                **{name: session[name] for name in (*shared, *tokens, "api_call_count")},
                **money,
                "first_seen": self.started,
                "last_seen": round(self.now, 3),
            }
        ]


def stored(message: Mapping[str, Any]) -> Cells:
    """A message's cells with the tool calls as JSON text; text that is there already stays, broken or not."""
    calls = message.get("tool_calls")
    return {**message, "tool_calls": json.dumps(calls) if isinstance(calls, list) else calls}


def count_calls(message: Mapping[str, Any]) -> int:
    calls = message.get("tool_calls")
    return len(calls) if isinstance(calls, list) else int(calls is not None)


def session_id(rng: Random, moment: float) -> str:
    """An id as Hermes makes it: the start in digits and six random hex digits."""
    return f"{stamp(moment)}_{rng.getrandbits(24):06x}"


def stamp(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y%m%d_%H%M%S}"
