"""Answers made level by level: what a selection asks of a value, found out once per document.

graphql-core completes one field of one object at a time, with a resolver's information, a path and a check for each.
A plan knows beforehand which Python functions a selection calls, and calls each for all objects of a level at once:
the fifty titles of a page, then its fifty sources. Nothing but time is gained. A plan that meets anything out of the
ordinary (an error, a null where none may be, a value of another class) gives up, and graphql-core answers, which says
what is wrong and where; so resolvers below the root must be free of side effects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from types import NoneType
from typing import Any, Protocol, cast

import strawberry
from graphql import (
    GraphQLField,
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLOutputType,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution.collect_fields import FieldDetails, collect_subfields
from graphql.execution.executor import Executor
from graphql.execution.values import VariableValues, get_argument_values
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.arguments import convert_arguments
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

from hermes_sessions.api.batches import BATCH
from hermes_sessions.api.leaves import is_finished


class Unplanned(Exception):
    """Something that a plan leaves to graphql-core."""


class Plan(Protocol):
    """What becomes of values of one type. `finish` keeps their order; None stays None."""

    @property
    def waits(self) -> bool:
        """Whether anything below is answered by a coroutine."""

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class _Leaf:
    type: GraphQLLeafType
    waits: bool = False

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        if is_finished(self.type.name, values):
            return values
        coerce = self.type.coerce_output_value
        return [None if value is None else coerce(value) for value in values]


@dataclass(frozen=True, slots=True)
class _NonNull:
    inner: Plan

    @property
    def waits(self) -> bool:
        return self.inner.waits

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        finished = await self.inner.finish(values, variables)
        if None in finished:
            raise Unplanned
        return finished


@dataclass(frozen=True, slots=True)
class _List:
    items: Plan

    @property
    def waits(self) -> bool:
        return self.items.waits

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        if not set(map(type, values)) <= {list, tuple, NoneType}:
            raise Unplanned
        lists = [value for value in values if value is not None]
        finished = iter(await self.items.finish(list(chain.from_iterable(lists)), variables))
        return [None if value is None else list(islice(finished, len(value))) for value in values]


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a selection. `read` gives the value of one object, or a coroutine where `is_async`; `read_all`,
    where there is one, those of many at once."""

    key: str
    plan: Plan
    read: Callable[..., Any]
    is_async: bool = False
    read_all: Callable[..., Awaitable[list[Any]]] | None = None
    arguments: Callable[[VariableValues], Mapping[str, Any]] | None = None

    @property
    def waits(self) -> bool:
        return self.is_async or self.plan.waits

    async def of(self, objects: list[Any], variables: VariableValues) -> list[Any]:
        """The finished values of this field, one for each object."""
        given = self.arguments(variables) if self.arguments is not None else {}
        return await self.plan.finish(await self._values(objects, given), variables)

    async def _values(self, objects: list[Any], given: Mapping[str, Any]) -> list[Any]:
        if self.read_all is not None:
            return await self.read_all(objects, **given)
        values = list(map(partial(self.read, **given) if given else self.read, objects))
        return await _all_of(values) if self.is_async else values


@dataclass(frozen=True, slots=True)
class _Object:
    kind: type
    fields: tuple[_Field, ...]
    waits: bool

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        kinds = set(map(type, values))
        if kinds == {self.kind}:
            return await self._finish(values, variables)
        if not kinds <= {self.kind, NoneType}:
            raise Unplanned
        finished = iter(await self._finish([value for value in values if value is not None], variables))
        return [None if value is None else next(finished) for value in values]

    async def _finish(self, objects: list[Any], variables: VariableValues) -> list[Any]:
        if not self.fields or not objects:  # everything may be skipped
            return [{} for _ in objects]
        # Those that load for many come one after the other: what one has loaded, the next one need not.
        together = [field for field in self.fields if field.waits and field.read_all is None]
        columns = {
            field.key: await field.of(objects, variables)
            for field in self.fields
            if not field.waits or field.read_all is not None
        }
        waited = await _all_of([field.of(objects, variables) for field in together])
        columns.update(zip([field.key for field in together], waited, strict=True))
        keys = [field.key for field in self.fields]
        return [dict(zip(keys, row, strict=True)) for row in zip(*map(columns.__getitem__, keys), strict=True)]


@dataclass(frozen=True, slots=True)
class _Abstract:
    """An interface or a union: each value by the plan of its class."""

    plans: Mapping[type, _Object]

    @property
    def waits(self) -> bool:
        return any(plan.waits for plan in self.plans.values())

    async def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        kinds = set(map(type, values)) - {NoneType}
        if not kinds <= self.plans.keys():
            raise Unplanned
        finished = {
            kind: iter(await self.plans[kind].finish([each for each in values if type(each) is kind], variables))
            for kind in kinds
        }
        return [None if value is None else next(finished[type(value)]) for value in values]


@dataclass(frozen=True, slots=True)
class Planner:
    """Makes plans for one operation with the values that its @skip and @include have."""

    schema: strawberry.Schema
    executor: Executor[Any]

    def plan(self, type: GraphQLOutputType, details: Sequence[FieldDetails]) -> Plan:
        """Raises Unplanned where a part of the selection is none of this API's own types."""
        if is_non_null_type(type):
            return _NonNull(self.plan(type.of_type, details))
        if is_list_type(type):
            return _List(self.plan(type.of_type, details))
        if is_leaf_type(type):
            return _Leaf(type)
        if is_object_type(type):
            return self._object(type, details)
        if is_abstract_type(type):
            possible = [self._object(each, details) for each in self.executor.schema.get_possible_types(type)]
            return _Abstract({each.kind: each for each in possible})
        raise Unplanned

    def _object(self, type: GraphQLObjectType, details: Sequence[FieldDetails]) -> _Object:
        definition = type.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryObjectDefinition):
            raise Unplanned
        run = self.executor
        selected = collect_subfields(
            run.schema, run.fragments, run.variable_values, run.operation, type, list(details)
        ).grouped_field_set
        fields = tuple(self._field(type, key, own) for key, own in selected.items())
        return _Object(definition.origin, fields, any(field.waits for field in fields))

    def _field(self, parent: GraphQLObjectType, key: str, details: Sequence[FieldDetails]) -> _Field:
        node = details[0].node
        field = self.executor.schema.get_field(parent, node.name.value)
        if field is None:
            raise Unplanned
        plan = self.plan(field.type, details)
        if node.name.value == "__typename":
            return _Field(key, plan, lambda _: parent.name)
        own = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(own, StrawberryField) or own.extensions or own.permission_classes:
            raise Unplanned
        resolver = own.base_resolver
        if resolver is None:
            return _Field(key, plan, attrgetter(own.python_name))
        if resolver.info_parameter is not None or resolver.parent_parameter is not None:
            raise Unplanned
        arguments = self._arguments(field, own, details[0]) if node.arguments else None
        read = cast("Callable[..., Any]", resolver.wrapped_func)
        return _Field(key, plan, read, resolver.is_async, own.metadata.get(BATCH), arguments)

    def _arguments(
        self, field: GraphQLField, own: StrawberryField, details: FieldDetails
    ) -> Callable[[VariableValues], Mapping[str, Any]]:
        config, scalars = self.schema.config, self.schema.schema_converter.scalar_registry

        def arguments(variables: VariableValues) -> Mapping[str, Any]:
            given = get_argument_values(field, details.node, variables)
            return convert_arguments(given, own.arguments, scalars, config)

        return arguments


async def _all_of(awaitables: Sequence[Awaitable[Any]]) -> list[Any]:
    """The results in order. Raises the first error once all have ended: none goes on unseen, and none is cancelled
    while others may wait for what it is waiting for."""
    if len(awaitables) < 2:
        return [await each for each in awaitables]
    outcomes = await asyncio.gather(*awaitables, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return outcomes
