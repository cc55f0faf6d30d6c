"""Makes plans out of what a document selects and what the schema says about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, cast

import strawberry
from graphql import (
    GraphQLField,
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
from hermes_sessions.api.plans import (
    AbstractPlan,
    FieldPlan,
    LeafPlan,
    ListPlan,
    NonNullPlan,
    ObjectPlan,
    Plan,
    Unplanned,
)

MAX_FIELDS = 5000
"""Fragments that use each other make a small document a large selection: a plan has all of it, graphql-core only what
there is to answer."""


@dataclass(slots=True)
class Planner:
    """Makes plans for one operation with the values that its @skip and @include have. `fields` counts what it made."""

    schema: strawberry.Schema
    executor: Executor[Any]
    fields: int = 1

    def plan(self, type: GraphQLOutputType, details: Sequence[FieldDetails]) -> Plan:
        """Raises Unplanned where a part of the selection is none of this API's own types."""
        if is_non_null_type(type):
            if is_leaf_type(type.of_type):
                return LeafPlan.of(type.of_type, nullable=False)
            inner = self.plan(type.of_type, details)
            return NonNullPlan(inner, inner.waits)
        if is_list_type(type):
            items = self.plan(type.of_type, details)
            return ListPlan(items, items.waits)
        if is_leaf_type(type):
            return LeafPlan.of(type)
        if is_object_type(type):
            return self._object(type, details)
        if is_abstract_type(type):
            possible = [self._object(each, details) for each in self.executor.schema.get_possible_types(type)]
            return AbstractPlan({each.kind: each for each in possible}, any(each.waits for each in possible))
        raise Unplanned

    def _object(self, type: GraphQLObjectType, details: Sequence[FieldDetails]) -> ObjectPlan:
        definition = type.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryObjectDefinition):
            raise Unplanned
        run = self.executor
        selected = collect_subfields(
            run.schema, run.fragments, run.variable_values, run.operation, type, list(details)
        ).grouped_field_set
        return ObjectPlan.of(definition.origin, [self._field(type, key, own) for key, own in selected.items()])

    def _field(self, parent: GraphQLObjectType, key: str, details: Sequence[FieldDetails]) -> FieldPlan:
        self.fields += 1
        if self.fields > MAX_FIELDS:
            raise Unplanned
        node = details[0].node
        field = self.executor.schema.get_field(parent, node.name.value)
        if field is None:
            raise Unplanned
        plan = self.plan(field.type, details)
        if node.name.value == "__typename":
            return FieldPlan(key, plan, lambda _: parent.name)
        own = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(own, StrawberryField) or own.extensions or own.permission_classes:
            raise Unplanned
        resolver = own.base_resolver
        if resolver is None:
            return FieldPlan(key, plan, attrgetter(own.python_name))
        if resolver.info_parameter is not None or resolver.parent_parameter is not None:
            raise Unplanned
        arguments = self._arguments(field, own, details[0]) if node.arguments else None
        read = cast("Callable[..., Any]", resolver.wrapped_func)
        return FieldPlan(key, plan, read, resolver.is_async, own.metadata.get(BATCH), arguments)

    def _arguments(
        self, field: GraphQLField, own: StrawberryField, details: FieldDetails
    ) -> Callable[[VariableValues], Mapping[str, Any]]:
        config, scalars = self.schema.config, self.schema.schema_converter.scalar_registry

        def arguments(variables: VariableValues) -> Mapping[str, Any]:
            given = get_argument_values(field, details.node, variables)
            return convert_arguments(given, own.arguments, scalars, config)

        return arguments
