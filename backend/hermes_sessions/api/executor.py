"""From the text of a request to its answer: parsed and validated once per document, executed, and written as JSON."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import strawberry
from graphql import (
    ExecutionResult,
    FieldNode,
    GraphQLError,
    OperationDefinitionNode,
    execute,
    get_operation_ast,
)

from hermes_sessions.api.context import Context
from hermes_sessions.api.documents import Document, Documents, Errors, located, shown
from hermes_sessions.api.errors import formatted
from hermes_sessions.api.limits import cost_of, refuse_costly
from hermes_sessions.api.operation import Failure, Operation, events_of
from hermes_sessions.api.planned import PlannedExecutor
from hermes_sessions.api.schema import core_schema
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings

MakeContext = Callable[[str | None], Context]


@dataclass(frozen=True)
class Answer:
    """`executed` is false where the document was refused before execution; `unknown_operation` where the request
    names an operation that the document does not have. `operation` is the kind of the one that was executed, `codes`
    are those of the top-level errors."""

    body: bytes
    executed: bool
    unknown_operation: bool = False
    operation: str | None = None
    codes: tuple[str, ...] = ()


class Executor:
    """Executes requests against one schema. Documents are kept by their text."""

    def __init__(self, schema: strawberry.Schema, settings: Settings, make_context: MakeContext) -> None:
        self._schema = core_schema(schema)
        self._settings = settings
        self._make_context = make_context
        self.documents = Documents(schema, settings)

    async def execute(
        self,
        query: str,
        *,
        operation_name: str | None,
        variables: Mapping[str, Any] | None,
        profile: str | None,
        request_id: str,
    ) -> Answer:
        """The one answer of a query or a mutation; a subscription is refused."""
        request = self._prepared(query, operation_name, variables, profile, request_id)
        if isinstance(request, Answer):
            return request
        if request.is_subscription:
            return _refusal([shown(_bad("Subscriptions are served over WebSocket, not over POST."))])
        with contextlib.closing(request.context):
            return await self._run(request)

    async def stream(
        self,
        query: str,
        *,
        operation_name: str | None,
        variables: Mapping[str, Any] | None,
        profile: str | None,
        request_id: str,
    ) -> AsyncGenerator[Answer, None]:
        """The answers of any operation: one, or of a subscription one for each event, each within the request's time.
        A refusal is the last one."""
        request = self._prepared(query, operation_name, variables, profile, request_id)
        if isinstance(request, Answer):
            yield request
            return
        with contextlib.closing(request.context):
            if not request.is_subscription:
                yield await self._in_time(self._run(request))
                return
            async with contextlib.aclosing(events_of(self._schema, request)) as events:
                async for event in events:
                    if isinstance(event, Failure):
                        yield _refusal([self._shown(each, event, request) for each in event.errors])
                    else:
                        yield await self._in_time(self._run(request, event.value))

    def _shown(self, error: GraphQLError, failure: Failure, request: Operation) -> dict[str, Any]:
        return (
            located(error, ErrorCode.BAD_USER_INPUT)
            if failure.is_request_error
            else formatted(error, request.request_id)
        )

    async def _in_time(self, answer: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(self._settings.request_timeout) as deadline:
                return await answer
        except TimeoutError:
            if not deadline.expired():
                raise
        return _refusal([shown(HermesSessionsError(ErrorCode.TIMEOUT, "This took too long. Ask for less."))])

    def _prepared(
        self,
        query: str,
        operation_name: str | None,
        variables: Mapping[str, Any] | None,
        profile: str | None,
        request_id: str,
    ) -> Operation | Answer:
        """What to execute, or why nothing is."""
        document = self.documents.get(query)
        if isinstance(document, list):
            return _refusal(document)
        operation = get_operation_ast(document.node, operation_name)
        if operation is None:
            return _unknown_operation(operation_name)
        try:
            refuse_costly(self._cost(document, operation, variables or {}), self._settings)
        except HermesSessionsError as error:
            return _refusal([shown(error)])
        context = self._make_context(profile)
        return Operation(
            document.node,
            document.plans,
            operation_name,
            dict(variables or {}),
            context,
            request_id,
            operation.operation,
        )

    def _cost(self, document: Document, operation: OperationDefinitionNode, variables: Mapping[str, Any]) -> int:
        name = operation.name.value if operation.name is not None else None
        cost = document.costs.get(name)
        if cost is None:
            cost = cost_of(self._schema, document.node, operation, variables, self._settings)
            if not document.has_sizes:
                document.costs[name] = cost
        return cost

    def has_only(self, field: str, query: str, operation_name: str | None) -> bool:
        """Whether the operation asks for nothing but this field of the root."""
        document = self.documents.get(query)
        operation = get_operation_ast(document.node, operation_name) if isinstance(document, Document) else None
        return operation is not None and all(
            isinstance(each, FieldNode) and each.name.value == field for each in operation.selection_set.selections
        )

    async def _run(self, request: Operation, event: Any = None) -> Answer:
        outcome = execute(
            self._schema,
            request.document,
            root_value=event,
            context_value=request.context,
            variable_values=request.variables,
            operation_name=request.name,
            executor_class=PlannedExecutor,
            plans=request.plans,
        )
        try:
            result = await _settled(outcome)
        finally:
            request.context.clear()
        if result.data is None and result.errors and all(error.path is None for error in result.errors):
            return _refusal([located(error, ErrorCode.BAD_USER_INPUT) for error in result.errors])
        body: dict[str, Any] = {"data": result.data}
        errors = [formatted(error, request.request_id) for error in result.errors or ()]
        if errors:
            body = {"errors": errors, **body}
        text = orjson.dumps(body, default=str)
        return Answer(text, executed=True, operation=request.type.value, codes=_codes(errors))


async def _settled(outcome: ExecutionResult | Awaitable[ExecutionResult]) -> ExecutionResult:
    return await outcome if inspect.isawaitable(outcome) else outcome


def _refusal(errors: list[dict[str, Any]], *, unknown_operation: bool = False) -> Answer:
    text = orjson.dumps({"errors": errors})
    return Answer(text, executed=False, unknown_operation=unknown_operation, codes=_codes(errors))


def _codes(errors: Errors) -> tuple[str, ...]:
    return tuple(error["extensions"]["code"] for error in errors)


def _unknown_operation(name: str | None) -> Answer:
    sentence = (
        f"The document has no operation {name!r}."
        if name
        else "The document has several operations, or none: name the one to execute in operationName."
    )
    return _refusal([shown(_bad(sentence))], unknown_operation=True)


def _bad(sentence: str) -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.BAD_USER_INPUT, sentence)
