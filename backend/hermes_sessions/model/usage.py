"""Tokens and money: told apart, added up, and never guessed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from dataclasses import dataclass
from enum import Enum
from weakref import ReferenceType, ref


class CostStatus(Enum):
    """How far an amount can be believed."""

    ACTUAL = "ACTUAL"
    ESTIMATED = "ESTIMATED"
    MIXED = "MIXED"
    INCLUDED = "INCLUDED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts. `input` is fresh input only: cache reads and cache writes are counted beside it."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    api_calls: int = 0

    @property
    def total_tokens(self) -> int:
        """Input, cache reads, cache writes and output. Reasoning is part of output and not added again."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Cost:
    """US dollars. `usd` is None when nothing is known; `unknown_sessions` counts what is missing from it."""

    usd: float | None = None
    actual_usd: float | None = None
    estimated_usd: float | None = None
    status: CostStatus = CostStatus.UNKNOWN
    unknown_sessions: int = 0


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """One row of session_model_usage. `task` is None for the agent's own calls. Moments are seconds since 1970."""

    model: str
    provider: str | None
    task: str | None
    usage: Usage
    cost: Cost
    first_seen: float | None
    last_seen: float | None


class UsageTable(dict[str, list[ModelUsage]]):
    """Every usage row of a store, by session id. Compared and hashed as this very reading of the store."""

    __hash__ = object.__hash__  # type: ignore[assignment]
    _made_from: tuple[ReferenceType[UsageTable], Set[str]] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other

    def without(self, session_ids: Set[str]) -> UsageTable:
        """A table to which rows of these sessions can be added as they are now."""
        table = UsageTable(self)
        for session_id in session_ids:
            table.pop(session_id, None)
        table._made_from = (ref(self), session_ids)
        return table

    def differing(self, other: UsageTable) -> Set[str]:
        """The sessions whose rows may not be the same in both."""
        if self is other:
            return frozenset()
        if self._made_from is not None and self._made_from[0]() is other:
            return self._made_from[1]
        return {each for each in self.keys() | other.keys() if self.get(each) != other.get(each)}


def cost_of(actual: float | None, estimated: float | None, stored_status: str | None) -> Cost:
    """The cost of one session or usage row from its stored figures and status."""
    status = (stored_status or "").strip().lower()
    if status == "included":
        return Cost(usd=0.0, status=CostStatus.INCLUDED)
    if status == "unknown":
        return Cost(unknown_sessions=1)
    if actual is not None:
        return Cost(usd=actual, actual_usd=actual, estimated_usd=estimated, status=CostStatus.ACTUAL)
    if estimated is not None:
        return Cost(usd=estimated, estimated_usd=estimated, status=CostStatus.ESTIMATED)
    return Cost(unknown_sessions=1)


def add_usage(parts: Iterable[Usage]) -> Usage:
    """The sum of all parts."""
    totals = [0, 0, 0, 0, 0, 0]
    for part in parts:
        totals[0] += part.input_tokens
        totals[1] += part.cache_read_tokens
        totals[2] += part.cache_write_tokens
        totals[3] += part.output_tokens
        totals[4] += part.reasoning_tokens
        totals[5] += part.api_calls
    return Usage(*totals)


def add_cost(parts: Iterable[Cost]) -> Cost:
    """The sum of what is known, with the number of sessions that it lacks."""
    known = list(parts)
    if len(known) == 1:
        return _alone(known[0])
    counted = [part for part in known if part.usd is not None]
    return Cost(
        usd=_total(part.usd for part in counted),
        actual_usd=_total(part.actual_usd for part in counted),
        estimated_usd=_total(part.estimated_usd for part in counted),
        status=joint_status({part.status for part in counted}),
        unknown_sessions=sum(part.unknown_sessions for part in known),
    )


def _alone(cost: Cost) -> Cost:
    """The sum of one, most often itself: nearly every conversation has one session, and lists show what it cost."""
    usd, actual, estimated = _shown(cost.usd), _shown(cost.actual_usd), _shown(cost.estimated_usd)
    if usd == cost.usd and actual == cost.actual_usd and estimated == cost.estimated_usd:
        return cost
    return Cost(usd, actual, estimated, cost.status, cost.unknown_sessions)


def _shown(amount: float | None) -> float | None:
    return None if amount is None else shown_sum(amount)


def _total(amounts: Iterable[float | None]) -> float | None:
    present = [amount for amount in amounts if amount is not None]
    return shown_sum(math.fsum(present)) if present else None


def shown_sum(amount: float) -> float:
    """Rounded to a billionth of a dollar, so that 0.1 + 0.2 reads 0.3 and the order of adding does not show."""
    return round(amount, 9)


def joint_status(statuses: set[CostStatus]) -> CostStatus:
    """Of a sum, from the statuses of what is known of it."""
    paid = statuses - {CostStatus.INCLUDED}
    if not statuses:
        return CostStatus.UNKNOWN
    if not paid:
        return CostStatus.INCLUDED
    return paid.pop() if len(paid) == 1 else CostStatus.MIXED
