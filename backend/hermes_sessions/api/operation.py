"""One operation ready to be executed, and the events of one that is a subscription."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, cast

from graphql import (
    DocumentNode,
    ExecutionResult,
    Executor,
    GraphQLError,
    GraphQLSchema,
    OperationType,
    create_source_event_stream,
)

from hermes_sessions.api.context import Context
from hermes_sessions.api.planned import Plans


@dataclass(frozen=True)
class Operation:
    """An operation of a valid document with everything that its execution needs."""

    document: DocumentNode
    plans: Plans
    name: str | None
    variables: dict[str, Any]
    context: Context
    request_id: str
    type: OperationType

    @property
    def is_subscription(self) -> bool:
        return self.type is OperationType.SUBSCRIPTION


@dataclass(frozen=True)
class Event:
    """`value` is the root value that the operation is executed with."""

    value: Any


@dataclass(frozen=True)
class Failure:
    """Why a subscription does not begin (`is_request_error`: its variables do not fit), or why it ends."""

    errors: list[GraphQLError]
    is_request_error: bool = False


async def events_of(schema: GraphQLSchema, operation: Operation) -> AsyncGenerator[Event | Failure, None]:
    """The events of a subscription. A failure is the last one."""
    executor = Executor.build(
        schema,
        operation.document,
        context_value=operation.context,
        raw_variable_values=operation.variables,
        operation_name=operation.name,
    )
    if isinstance(executor, list):
        yield Failure(executor, is_request_error=True)
        return
    begun = create_source_event_stream(executor)
    source = await begun if inspect.isawaitable(begun) else begun
    if isinstance(source, ExecutionResult):
        yield Failure(list(source.errors or ()))
        return
    async with contextlib.aclosing(cast("AsyncGenerator[Any, None]", source)) as values:
        try:
            async for value in values:
                yield Event(value)
        except Exception as error:
            yield Failure([GraphQLError(str(error), original_error=error)])
