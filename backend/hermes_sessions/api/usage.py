"""Tokens and money in the schema."""

import strawberry

from hermes_sessions.api import enums  # noqa: F401 - enums are registered before they are used
from hermes_sessions.api.scalars import BigInt, Moment, big_int, moment
from hermes_sessions.model import usage as model
from hermes_sessions.model.usage import CostStatus


@strawberry.type(description="Token counts of model calls, auxiliary calls (vision, titles, compression) included.")
class Usage:
    own: strawberry.Private[model.Usage]

    @strawberry.field(description="Fresh input, without what came from or went to a cache.")
    def input_tokens(self) -> BigInt:
        return big_int(self.own.input_tokens)

    @strawberry.field(description="Input that was read from the provider's cache.")
    def cache_read_tokens(self) -> BigInt:
        return big_int(self.own.cache_read_tokens)

    @strawberry.field(description="Input that was written to the provider's cache.")
    def cache_write_tokens(self) -> BigInt:
        return big_int(self.own.cache_write_tokens)

    @strawberry.field(description="Output, reasoning included.")
    def output_tokens(self) -> BigInt:
        return big_int(self.own.output_tokens)

    @strawberry.field(description="The part of the output that was reasoning.")
    def reasoning_tokens(self) -> BigInt:
        return big_int(self.own.reasoning_tokens)

    @strawberry.field(
        description="Input, cache reads, cache writes and output. Reasoning is part of output and not added again."
    )
    def total_tokens(self) -> BigInt:
        return big_int(self.own.total_tokens)

    @strawberry.field
    def api_calls(self) -> BigInt:
        return big_int(self.own.api_calls)


@strawberry.type(description="US dollars. What is not known is null and counted, never 0.")
class Cost:
    own: strawberry.Private[model.Cost]

    @strawberry.field(
        description="Actual where known, else estimated; null when nothing is known. Without the unknown sessions."
    )
    def usd(self) -> float | None:
        return self.own.usd

    @strawberry.field(description="The sum of the billed amounts.")
    def actual_usd(self) -> float | None:
        return self.own.actual_usd

    @strawberry.field(description="The sum of the estimates, also of what was billed.")
    def estimated_usd(self) -> float | None:
        return self.own.estimated_usd

    @strawberry.field
    def status(self) -> CostStatus:
        return self.own.status

    @strawberry.field(description="Sessions whose cost, or part of it, is not known.")
    def unknown_sessions(self) -> int:
        return self.own.unknown_sessions


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
    return Usage(own=usage)


def cost_of(cost: model.Cost) -> Cost:
    return Cost(own=cost)


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
