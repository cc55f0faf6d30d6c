"""From the text of a request to its answer: parsed and validated once per document, executed, and written as JSON."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
import strawberry
from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    execute,
    get_operation_ast,
    parse,
    validate,
)

from hermes_sessions.api.context import Context
from hermes_sessions.api.errors import formatted
from hermes_sessions.api.limits import cost_of, count, refuse_costly, refuse_crowded, refuse_deep, too_many_tokens
from hermes_sessions.api.operation import Failure, Operation, events_of
from hermes_sessions.api.planned import PlannedExecutor, Plans
from hermes_sessions.api.schema import core_schema
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings

MAX_DOCUMENTS = 500
MAX_VALIDATION_ERRORS = 5
"""Enough to mend a document by. Each costs work, and the answer must not grow with what is wrong."""

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


@dataclass(frozen=True)
class _Document:
    """A parsed document that is valid. `costs` are those of its operations, by name, that depend on no variable:
    none where it `has_sizes` that are variables."""

    node: DocumentNode
    has_sizes: bool
    plans: Plans
    costs: dict[str | None, int] = field(default_factory=dict)


Errors = list[dict[str, Any]]


class Executor:
    """Executes requests against one schema. Documents are kept by their text."""

    def __init__(self, schema: strawberry.Schema, settings: Settings, make_context: MakeContext) -> None:
        self._strawberry = schema
        self._schema = core_schema(schema)
        self._settings = settings
        self._make_context = make_context
        self._documents: OrderedDict[str, _Document | Errors] = OrderedDict()
        self.validations = 0

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
            return _refusal([_error(_bad("Subscriptions are served over WebSocket, not over POST."))])
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
        elif not request.is_subscription:
            yield await self._in_time(self._run(request))
        else:
            async with contextlib.aclosing(events_of(self._schema, request)) as events:
                async for event in events:
                    if isinstance(event, Failure):
                        yield _refusal([self._shown(each, event, request) for each in event.errors])
                    else:
                        yield await self._in_time(self._run(request, event.value))

    def _shown(self, error: GraphQLError, failure: Failure, request: Operation) -> dict[str, Any]:
        return _variable_error(error) if failure.is_request_error else formatted(error, request.request_id)

    async def _in_time(self, answer: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(self._settings.request_timeout) as deadline:
                return await answer
        except TimeoutError:
            if not deadline.expired():
                raise
        return _refusal([_error(HermesSessionsError(ErrorCode.TIMEOUT, "This took too long. Ask for less."))])

    def _prepared(
        self,
        query: str,
        operation_name: str | None,
        variables: Mapping[str, Any] | None,
        profile: str | None,
        request_id: str,
    ) -> Operation | Answer:
        """What to execute, or why nothing is."""
        document = self._document(query)
        if isinstance(document, list):
            return _refusal(document)
        operation = get_operation_ast(document.node, operation_name)
        if operation is None:
            return _unknown_operation(operation_name)
        try:
            refuse_costly(self._cost(document, operation, variables or {}), self._settings)
        except HermesSessionsError as error:
            return _refusal([_error(error)])
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

    def _cost(self, document: _Document, operation: OperationDefinitionNode, variables: Mapping[str, Any]) -> int:
        name = operation.name.value if operation.name is not None else None
        cost = document.costs.get(name)
        if cost is None:
            cost = cost_of(self._schema, document.node, operation, variables, self._settings)
            if not document.has_sizes:
                document.costs[name] = cost
        return cost

    def has_only(self, field: str, query: str, operation_name: str | None) -> bool:
        """Whether the operation asks for nothing but this field of the root."""
        document = self._document(query)
        operation = get_operation_ast(document.node, operation_name) if isinstance(document, _Document) else None
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
            request.context.close()
        if result.data is None and result.errors and all(error.path is None for error in result.errors):
            return _refusal([_variable_error(error) for error in result.errors])
        body: dict[str, Any] = {"data": result.data}
        errors = [formatted(error, request.request_id) for error in result.errors or ()]
        if errors:
            body = {"errors": errors, **body}
        text = orjson.dumps(body, default=str)
        return Answer(text, executed=True, operation=request.type.value, codes=_codes(errors))

    def _document(self, query: str) -> _Document | Errors:
        """The document, or the errors that make it not valid."""
        found = self._documents.get(query)
        if found is None:
            found = self._documents[query] = self._parse(query)
            if len(self._documents) > MAX_DOCUMENTS:
                self._documents.popitem(last=False)
        else:
            self._documents.move_to_end(query)
        return found

    def _parse(self, query: str) -> _Document | Errors:
        try:
            node = parse(query, max_tokens=self._settings.max_document_tokens)
        except GraphQLSyntaxError as error:
            expensive = too_many_tokens(error, self._settings)
            return [_error(expensive) if expensive else _parse_error(error)]
        except RecursionError:
            return [_error(_too_deep(self._settings))]
        self.validations += 1
        try:
            counts = count(node)
            refuse_crowded(counts, self._settings)
            errors = validate(self._schema, node, max_errors=MAX_VALIDATION_ERRORS)
            if errors:
                return [*map(_invalid, errors)]
            refuse_deep(node, self._settings)
            return _Document(node, counts.has_sizes, Plans(self._strawberry, node))
        except HermesSessionsError as error:
            return [_error(error)]
        except RecursionError:
            return [_error(_too_deep(self._settings))]


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
    return _refusal([_error(_bad(sentence))], unknown_operation=True)


def _bad(sentence: str) -> HermesSessionsError:
    return HermesSessionsError(ErrorCode.BAD_USER_INPUT, sentence)


def _too_deep(settings: Settings) -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.QUERY_TOO_EXPENSIVE, f"The document is nested too deep; {settings.max_depth} levels are allowed."
    )


def _error(error: HermesSessionsError) -> dict[str, Any]:
    return {"message": error.message, "extensions": {**error.details, "code": error.code.value}}


def _parse_error(error: GraphQLError) -> dict[str, Any]:
    return _located(error, ErrorCode.GRAPHQL_PARSE_FAILED)


def _invalid(error: GraphQLError) -> dict[str, Any]:
    return _located(error, ErrorCode.GRAPHQL_VALIDATION_FAILED)


def _variable_error(error: GraphQLError) -> dict[str, Any]:
    return _located(error, ErrorCode.BAD_USER_INPUT)


def _located(error: GraphQLError, code: ErrorCode) -> dict[str, Any]:
    shown: dict[str, Any] = {"message": error.message, "extensions": {"code": code.value}}
    if error.locations:
        shown["locations"] = [{"line": at.line, "column": at.column} for at in error.locations]
    return shown
