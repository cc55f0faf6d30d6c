"""Tokens and money in the schema."""

from __future__ import annotations

import strawberry

from hermes_sessions.api import enums  # noqa: F401 - enums are registered before they are used
from hermes_sessions.api.scalars import BigInt, Moment, big_int, moment
from hermes_sessions.model import usage as model
from hermes_sessions.model.usage import CostStatus


@strawberry.type(description="Token counts of model calls, auxiliary calls (vision, titles, compression) included.")
class Usage:
    input_tokens: BigInt = strawberry.field(description="Fresh input, without what came from or went to a cache.")
    cache_read_tokens: BigInt = strawberry.field(description="Input that was read from the provider's cache.")
    cache_write_tokens: BigInt = strawberry.field(description="Input that was written to the provider's cache.")
    output_tokens: BigInt = strawberry.field(description="Output, reasoning included.")
    reasoning_tokens: BigInt = strawberry.field(description="The part of the output that was reasoning.")
    total_tokens: BigInt = strawberry.field(
        description="Input, cache reads, cache writes and output. Reasoning is part of output and not added again."
    )
    api_calls: BigInt


@strawberry.type(description="US dollars. What is not known is null and counted, never 0.")
class Cost:
    usd: float | None = strawberry.field(
        description="Actual where known, else estimated; null when nothing is known. Without the unknown sessions."
    )
    actual_usd: float | None = strawberry.field(description="The sum of the billed amounts.")
    estimated_usd: float | None = strawberry.field(description="The sum of the estimates, also of what was billed.")
    status: CostStatus
    unknown_sessions: int = strawberry.field(description="Sessions whose cost, or part of it, is not known.")


@strawberry.type(description="What one model, provider and task used in one session.")
class ModelUsage:
    model: str
    provider: str | None
    task: str | None = strawberry.field(description="Null for the agent's own calls, else the auxiliary task.")
    usage: Usage
    cost: Cost
    first_seen: Moment | None
    last_seen: Moment | None


def usage_of(usage: model.Usage) -> Usage:
    return Usage(
        input_tokens=big_int(usage.input_tokens),
        cache_read_tokens=big_int(usage.cache_read_tokens),
        cache_write_tokens=big_int(usage.cache_write_tokens),
        output_tokens=big_int(usage.output_tokens),
        reasoning_tokens=big_int(usage.reasoning_tokens),
        total_tokens=big_int(usage.total_tokens),
        api_calls=big_int(usage.api_calls),
    )


def cost_of(cost: model.Cost) -> Cost:
    return Cost(
        usd=cost.usd,
        actual_usd=cost.actual_usd,
        estimated_usd=cost.estimated_usd,
        status=cost.status,
        unknown_sessions=cost.unknown_sessions,
    )


def model_usage_of(row: model.ModelUsage) -> ModelUsage:
    return ModelUsage(
        model=row.model,
        provider=row.provider,
        task=row.task,
        usage=usage_of(row.usage),
        cost=cost_of(row.cost),
        first_seen=moment(row.first_seen),
        last_seen=moment(row.last_seen),
    )
