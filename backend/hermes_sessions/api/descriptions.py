"""Descriptions for the parts of the schema whose own code has none: every part of it says what it is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Protocol

from graphql import GraphQLEnumType, GraphQLInputObjectType, GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema

Texts = dict[str, dict[str, str]]


class Described(Protocol):
    description: str | None


def read_descriptions() -> Texts:
    """By type, then by name; `any` holds what is said wherever a part has this name."""
    return tomllib.loads(files(__package__).joinpath("descriptions.toml").read_text("utf-8"))


def describe(schema: GraphQLSchema, texts: Texts) -> set[tuple[str, str]]:
    """Fills in what is missing. Gives the (type, name) of the texts that were used."""
    used: set[tuple[str, str]] = set()
    for type_name, names, part in parts(schema):
        if part.description:
            continue
        for place in [(type_name, name) for name in names] + [("any", names[-1])]:
            words = texts.get(place[0], {}).get(place[1])
            if words is not None:
                part.description = words
                used.add(place)
                break
    return used


def parts(schema: GraphQLSchema) -> Iterator[tuple[str, list[str], Described]]:
    """Every type, field, argument and value of ours: the type's name, its own names, the most telling one first."""
    for name, kind in schema.type_map.items():
        if name.startswith("__") or name in ("String", "Int", "Float", "Boolean", "ID"):
            continue
        yield name, ["_"], kind
        if isinstance(kind, GraphQLEnumType):
            for value_name, value in kind.values.items():
                yield name, [value_name], value
        elif isinstance(kind, GraphQLInputObjectType):
            for field_name, given in kind.fields.items():
                yield name, [field_name], given
        elif isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for field_name, field in kind.fields.items():
                yield name, [field_name], field
                for argument_name, argument in field.args.items():
                    yield name, [f"{field_name}({argument_name})", argument_name], argument
