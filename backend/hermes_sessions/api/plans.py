"""Answers made level by level: what a selection asks of a value, found out once per document.

graphql-core completes one field of one object at a time, with a resolver's information, a path and a check for each.
A plan knows beforehand which Python functions a selection calls, and calls each for all objects of a level at once:
the fifty titles of a page, then its fifty sources. Nothing but time is gained. A plan that meets anything out of the
ordinary (an error, a null where none may be, a value of another class) gives up, and graphql-core answers, which says
what is wrong and where; so resolvers below the root must be free of side effects.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from types import NoneType
from typing import Any, Protocol

from graphql import GraphQLLeafType, is_enum_type
from graphql.execution.values import VariableValues

from hermes_sessions.api.leaves import Check, check_of
from hermes_sessions.api.loaders import all_of


class Unplanned(Exception):
    """Something that a plan leaves to graphql-core."""


class Plan(Protocol):
    """What becomes of values of one type. Their order is kept; None stays None.

    Where `waits` is false, nothing below is answered by a coroutine: `finish` is a plain function, since a coroutine
    for each field costs more than most fields do. Else it is `settle` that answers.
    """

    @property
    def waits(self) -> bool: ...

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]: ...

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class LeafPlan:
    coerce: Callable[[Any], Any]
    is_finished: Check
    nullable: bool
    waits: bool = False

    @classmethod
    def of(cls, type: GraphQLLeafType, *, nullable: bool = True) -> LeafPlan:
        # An enum has few values, and looks each of them up among its own, one after the other.
        coerce = cache(type.coerce_output_value) if is_enum_type(type) else type.coerce_output_value
        return cls(coerce, check_of(type.name, nullable=nullable), nullable)

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        if self.is_finished(values):
            return values
        coerce = self.coerce
        finished = [None if value is None else coerce(value) for value in values]
        return finished if self.nullable else _filled(finished)

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]:
        return self.finish(values, variables)


@dataclass(frozen=True, slots=True)
class NonNullPlan:
    inner: Plan
    waits: bool

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        return _filled(self.inner.finish(values, variables))

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]:
        return _filled(await self.inner.settle(values, variables))


def _filled(finished: list[Any]) -> list[Any]:
    if None in finished:
        raise Unplanned
    return finished


@dataclass(frozen=True, slots=True)
class ListPlan:
    items: Plan
    waits: bool

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        return self._cut(values, self.items.finish(self._joined(values), variables))

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]:
        return self._cut(values, await self.items.settle(self._joined(values), variables))

    def _joined(self, lists: list[Any]) -> list[Any]:
        if not set(map(type, lists)) <= {list, tuple, NoneType}:
            raise Unplanned
        return list(chain.from_iterable(each for each in lists if each is not None))

    def _cut(self, lists: list[Any], finished: list[Any]) -> list[Any]:
        """The finished items in lists as long as they came."""
        following = iter(finished)
        return [None if each is None else list(islice(following, len(each))) for each in lists]


@dataclass(frozen=True, slots=True)
class FieldPlan:
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

    def finish(self, objects: list[Any], variables: VariableValues) -> list[Any]:
        """The finished values of this field, one for each object."""
        return self.plan.finish(list(map(self._reader(variables), objects)), variables)

    async def settle(self, objects: list[Any], variables: VariableValues) -> list[Any]:
        if self.read_all is not None:
            given = self.arguments(variables) if self.arguments is not None else {}
            values = await self.read_all(objects, **given)
        else:
            values = list(map(self._reader(variables), objects))
            if self.is_async:
                values = await all_of(values)
        return await self.plan.settle(values, variables) if self.plan.waits else self.plan.finish(values, variables)

    def _reader(self, variables: VariableValues) -> Callable[[Any], Any]:
        return partial(self.read, **self.arguments(variables)) if self.arguments is not None else self.read


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    """`at_once` are the fields that wait for nothing, `in_turn` those that load for many objects: what one has loaded,
    the next one need not. The others wait `together`."""

    kind: type
    keys: tuple[str, ...]
    at_once: tuple[FieldPlan, ...]
    in_turn: tuple[FieldPlan, ...]
    together: tuple[FieldPlan, ...]
    waits: bool

    @classmethod
    def of(cls, kind: type, fields: Sequence[FieldPlan]) -> ObjectPlan:
        at_once = tuple(field for field in fields if not field.waits)
        in_turn = tuple(field for field in fields if field.waits and field.read_all is not None)
        together = tuple(field for field in fields if field.waits and field.read_all is None)
        return cls(kind, tuple(field.key for field in fields), at_once, in_turn, together, bool(in_turn or together))

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        objects = self._objects(values)
        return self._rows(values, objects, self._finished(objects, variables))

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]:
        objects = self._objects(values)
        if not objects:
            return values
        columns = self._finished(objects, variables)
        for field in self.in_turn:
            columns[field.key] = await field.settle(objects, variables)
        waited = await all_of([field.settle(objects, variables) for field in self.together])
        columns.update(zip([field.key for field in self.together], waited, strict=True))
        return self._rows(values, objects, columns)

    def _objects(self, values: list[Any]) -> list[Any]:
        """The values without nulls: often the very list."""
        kinds = set(map(type, values))
        if kinds == {self.kind}:
            return values
        if not kinds <= {self.kind, NoneType}:
            raise Unplanned
        return [value for value in values if value is not None]

    def _finished(self, objects: list[Any], variables: VariableValues) -> dict[str, list[Any]]:
        return {field.key: field.finish(objects, variables) for field in self.at_once} if objects else {}

    def _rows(self, values: list[Any], objects: list[Any], columns: Mapping[str, list[Any]]) -> list[Any]:
        rows: list[dict[str, Any]] = [{} for _ in objects]
        if objects:
            for key in self.keys:  # column by column: half of what a zip for each row costs
                for row, value in zip(rows, columns[key], strict=True):
                    row[key] = value
        if objects is values:
            return rows
        following = iter(rows)
        return [None if value is None else next(following) for value in values]


@dataclass(frozen=True, slots=True)
class AbstractPlan:
    """An interface or a union: each value by the plan of its class."""

    plans: Mapping[type, ObjectPlan]
    waits: bool

    def finish(self, values: list[Any], variables: VariableValues) -> list[Any]:
        groups = self._by_kind(values)
        return self._merged(values, {kind: self.plans[kind].finish(own, variables) for kind, own in groups.items()})

    async def settle(self, values: list[Any], variables: VariableValues) -> list[Any]:
        groups = self._by_kind(values)
        return self._merged(
            values, {kind: await self.plans[kind].settle(own, variables) for kind, own in groups.items()}
        )

    def _by_kind(self, values: list[Any]) -> dict[type, list[Any]]:
        groups: dict[type, list[Any]] = {}
        for value in values:
            if value is not None:
                groups.setdefault(type(value), []).append(value)
        if not groups.keys() <= self.plans.keys():
            raise Unplanned
        return groups

    def _merged(self, values: list[Any], finished: Mapping[type, list[Any]]) -> list[Any]:
        following = {kind: iter(own) for kind, own in finished.items()}
        return [None if value is None else next(following[type(value)]) for value in values]
