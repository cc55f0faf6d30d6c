"""graphql-core's execution, with plans for what the fields of the root return."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Sequence
from typing import Any

import strawberry
from graphql import (
    DirectiveNode,
    DocumentNode,
    GraphQLOutputType,
    GraphQLResolveInfo,
    VariableNode,
    visit,
)
from graphql.execution.collect_fields import FieldDetails
from graphql.execution.executor import Executor
from graphql.language import Visitor
from graphql.pyutils import Path

from hermes_sessions.api.planner import Planner
from hermes_sessions.api.plans import Plan, Unplanned
from hermes_sessions.api.shelf import Shelf

ROOM = 100_000
"""Fields of all plans together: about 40 MB. A document with many switches has plans for each of their states."""
BYTES_OF_FIELD = 400
TEXTS = 2
"""A plan with arguments holds the document's text, and has a long literal once more."""

KeptPlans = Shelf[tuple[Any, ...], Plan | None]


def kept_plans() -> KeptPlans:
    """Room for the plans of all documents of one server."""
    return Shelf(ROOM)


class _Switches(Visitor):
    """Names of the variables that decide what is selected at all."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
        values = [argument.value for argument in node.arguments or ()]
        self.names.update(value.name.value for value in values if isinstance(value, VariableNode))


class Plans:
    """The plans of one document, for each field of the root and each state of its @skip and @include."""

    def __init__(self, schema: strawberry.Schema, document: DocumentNode, kept: KeptPlans) -> None:
        self._schema = schema
        self._kept = kept
        switches = _Switches()
        visit(document, switches)
        self._switches = sorted(switches.names)
        text = document.loc.source.body if document.loc is not None else ""
        self._text_weight = TEXTS * sys.getsizeof(text) // BYTES_OF_FIELD

    def plan(
        self, run: Executor[Any], type: GraphQLOutputType, details: Sequence[FieldDetails], path: Path
    ) -> Plan | None:
        variables = run.variable_values.coerced
        name = run.operation.name and run.operation.name.value
        key = (self, name, path.key, *map(variables.get, self._switches))
        if key in self._kept:
            return self._kept[key]
        planner = Planner(self._schema, run)
        try:
            plan: Plan | None = planner.plan(type, details)
        except Unplanned:
            plan = None
        return self._kept.put(key, plan, planner.fields + self._text_weight)


class PlannedExecutor(Executor[Any]):
    """Answers fields of the root by their plans, and by graphql-core what a plan leaves."""

    def __init__(self, *positional: Any, plans: Plans, **named: Any) -> None:
        super().__init__(*positional, **named)
        self._plans = plans
        self._left: set[str | int] = set()

    def complete_value(
        self,
        return_type: GraphQLOutputType,
        field_details_list: list[FieldDetails],
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: Any,
    ) -> Any:
        if path.prev is None and path.key not in self._left and not isinstance(result, Exception):
            plan = self._plans.plan(self, return_type, field_details_list, path)
            if plan is not None:
                plain = (return_type, field_details_list, info, path, result, position_context)
                return self._planned(plan, result, path.key, plain)
        return super().complete_value(return_type, field_details_list, info, path, result, position_context)

    async def _planned(self, plan: Plan, result: Any, key: str | int, plain: tuple[Any, ...]) -> Any:
        try:
            [finished] = (
                await plan.settle([result], self.variable_values)
                if plan.waits
                else plan.finish([result], self.variable_values)
            )
        except Exception:
            self._left.add(key)
            answer = self.complete_value(*plain)
            return await answer if isinstance(answer, Awaitable) else answer
        return finished
