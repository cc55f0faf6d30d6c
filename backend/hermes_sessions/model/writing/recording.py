"""Usage that a caller reports: checked, and what of it is written where, by Hermes' own rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes_sessions.model.session import Session
from hermes_sessions.model.values import MAX_SAFE_INTEGER
from hermes_sessions.model.writing.inputs import count, dollars, refusal, stored_label

STATUSES = ("actual", "estimated", "included", "unknown")
FIELDS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheWriteTokens",
    "reasoning_tokens": "reasoningTokens",
    "api_call_count": "apiCalls",
}
"""Columns with counts and what the API calls them."""


@dataclass(frozen=True)
class UsageRecord:
    """One report. `counts` is by column; what it does not name was not reported. None means: not known."""

    counts: dict[str, int] = field(default_factory=dict)
    model: str | None = None
    provider: str | None = None
    base_url: str | None = None
    billing_mode: str | None = None
    task: str | None = None
    estimated_usd: float | None = None
    actual_usd: float | None = None
    status: str | None = None
    cost_source: str | None = None
    pricing_version: str | None = None
    absolute: bool = False

    @property
    def is_accounted(self) -> bool:
        """Whether it reports anything but zeros: only then it may set the session's model and provider."""
        return any(self.counts.values()) or bool(self.estimated_usd) or bool(self.actual_usd)


def usage_record(
    counts: dict[str, int | None],
    *,
    model: str | None = None,
    provider: str | None = None,
    base_url: str | None = None,
    billing_mode: str | None = None,
    task: str | None = None,
    estimated_usd: float | None = None,
    actual_usd: float | None = None,
    status: str | None = None,
    cost_source: str | None = None,
    pricing_version: str | None = None,
    absolute: bool = False,
) -> UsageRecord:
    """Raises BAD_USER_INPUT. A call is counted where `api_call_count` is left out of an increment."""
    if absolute and task:
        raise refusal("absolute", "Usage of a task only grows: leave `absolute` or `task` out.")
    given = {column: count(value, FIELDS[column]) for column, value in counts.items()}
    if not absolute and given.get("api_call_count") is None:
        given["api_call_count"] = 1
    estimated, actual = dollars(estimated_usd, "estimatedCostUsd"), dollars(actual_usd, "actualCostUsd")
    return UsageRecord(
        counts={column: value for column, value in given.items() if value is not None},
        model=stored_label(model, "model"),
        provider=stored_label(provider, "provider"),
        base_url=stored_label(base_url, "baseUrl", 2000),
        billing_mode=stored_label(billing_mode, "billingMode"),
        task=stored_label(task, "task"),
        estimated_usd=estimated,
        actual_usd=actual,
        status=_status(status, estimated, actual, task),
        cost_source=stored_label(cost_source, "costSource"),
        pricing_version=stored_label(pricing_version, "pricingVersion"),
        absolute=absolute,
    )


def refuse_overflow(record: UsageRecord, session: Session) -> None:
    """Raises BAD_USER_INPUT where a total would pass what is an exact number everywhere."""
    if record.absolute:
        return
    own = session.usage
    totals = {
        "input_tokens": own.input_tokens,
        "output_tokens": own.output_tokens,
        "cache_read_tokens": own.cache_read_tokens,
        "cache_write_tokens": own.cache_write_tokens,
        "reasoning_tokens": own.reasoning_tokens,
        "api_call_count": own.api_calls,
    }
    for column, value in record.counts.items():
        if totals[column] + value > MAX_SAFE_INTEGER:
            raise refusal(FIELDS[column], f"With {value} more the session's `{FIELDS[column]}` would pass 2^53 - 1.")


def _status(status: str | None, estimated: float | None, actual: float | None, task: str | None) -> str | None:
    """What is told, else what the figures say; None leaves the stored one. Hermes gives tasks none of their own."""
    if status is not None:
        words = status.strip().lower()
        if words not in STATUSES:
            raise refusal("costStatus", f"`costStatus` is one of {', '.join(STATUSES)}.")
        return words
    if task is not None:
        return None
    if actual is not None:
        return "actual"
    return "estimated" if estimated is not None else None
