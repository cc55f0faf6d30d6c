"""The schema, put together, and its text."""

from __future__ import annotations

from collections.abc import Iterator

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    Undefined,
)
from strawberry.schema.config import StrawberryConfig

from hermes_sessions.api.bin import BinEntry
from hermes_sessions.api.conversation import Conversation
from hermes_sessions.api.descriptions import describe, read_descriptions
from hermes_sessions.api.errors import AmbiguousIdError, BasicError, TitleTakenError
from hermes_sessions.api.message import Message
from hermes_sessions.api.mutation import Mutation
from hermes_sessions.api.profile import Profile
from hermes_sessions.api.query import Query
from hermes_sessions.api.scalars import SCALARS
from hermes_sessions.api.session import Session
from hermes_sessions.api.subscriptions import Subscription


def build_schema() -> strawberry.Schema:
    schema = strawberry.Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[Profile, Session, Conversation, Message, BinEntry, BasicError, AmbiguousIdError, TitleTakenError],
        config=StrawberryConfig(scalar_map=SCALARS),
    )
    _leave_out_null_defaults(core_schema(schema))
    describe(core_schema(schema), read_descriptions())
    return schema


def core_schema(schema: strawberry.Schema) -> GraphQLSchema:
    """The schema of graphql-core that the one of Strawberry wraps."""
    return schema._schema


def print_sdl() -> str:
    """The schema as text: what `schema.graphql` holds."""
    return build_schema().as_str().rstrip("\n") + "\n"


def _leave_out_null_defaults(schema: GraphQLSchema) -> None:
    """An optional argument has no default: Python's None stands in where it is left out, as where it is null."""
    for holder in _arguments_and_input_fields(schema):
        if holder.default_value is None:
            holder.default_value = Undefined


def _arguments_and_input_fields(schema: GraphQLSchema) -> Iterator[GraphQLArgument | GraphQLInputField]:
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLInputObjectType):
            yield from kind.fields.values()
        elif isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for field in kind.fields.values():
                yield from field.args.values()
