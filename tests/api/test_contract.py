"""The schema is the one that was agreed on: `schema.graphql` is what the code serves, and holds all of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphql import (
    EnumTypeDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    TypeDefinitionNode,
    UnionTypeDefinitionNode,
    build_schema,
    parse,
    print_ast,
    validate_schema,
)

from hermes_sessions.api.schema import print_sdl

CONTRACT = Path(__file__).with_name("contract.graphql")
SCHEMA = Path(__file__).parents[2] / "schema.graphql"

Fields = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode


def definitions(text: str) -> dict[str, TypeDefinitionNode]:
    return {node.name.value: node for node in parse(text).definitions if isinstance(node, TypeDefinitionNode)}


def promised() -> dict[str, TypeDefinitionNode]:
    return definitions(CONTRACT.read_text())


def served() -> dict[str, TypeDefinitionNode]:
    return definitions(SCHEMA.read_text())


def missing() -> set[str]:
    """Names of the contract that the schema does not have at all."""
    ours = served()
    lacking: set[str] = set()
    for name, node in promised().items():
        if name not in ours:
            lacking.add(name)
        else:
            lacking |= {f"{name}.{part}" for part in parts(node) if part not in parts(ours[name])}
    return lacking


def parts(node: TypeDefinitionNode) -> dict[str, Any]:
    """What a definition is made of, by name."""
    if isinstance(node, EnumTypeDefinitionNode):
        return {value.name.value: value for value in node.values or ()}
    if isinstance(node, UnionTypeDefinitionNode):
        return {member.name.value: member for member in node.types or ()}
    return {field.name.value: field for field in getattr(node, "fields", None) or ()}


def disagreements() -> Iterator[str]:
    """What both have and each has in its own way."""
    ours = served()
    for name, node in promised().items():
        if name not in ours:
            continue
        other = ours[name]
        if node.kind != other.kind:
            yield f"{name}: {node.kind}, served as {other.kind}"
        elif isinstance(node, Fields):
            yield from lacking_interfaces(name, node, other)
            yield from different_fields(name, node, other)
        elif isinstance(node, InputObjectTypeDefinitionNode):
            yield from different_values(name, parts(node), parts(other))


def lacking_interfaces(name: str, node: Any, other: Any) -> Iterator[str]:
    own = {each.name.value for each in other.interfaces or ()}
    for interface in {each.name.value for each in node.interfaces or ()} - own:
        yield f"{name} does not implement {interface}"


def different_fields(name: str, node: TypeDefinitionNode, other: TypeDefinitionNode) -> Iterator[str]:
    ours = parts(other)
    for field_name, field in parts(node).items():
        if field_name not in ours:
            continue
        own = ours[field_name]
        if print_ast(field.type) != print_ast(own.type):
            yield f"{name}.{field_name}: {print_ast(field.type)}, served as {print_ast(own.type)}"
        yield from different_values(f"{name}.{field_name}", by_name(field.arguments), by_name(own.arguments))


def different_values(
    name: str, wanted: dict[str, InputValueDefinitionNode], own: dict[str, InputValueDefinitionNode]
) -> Iterator[str]:
    """Arguments or input fields: the same types and defaults, and what was added must not be required."""
    for value_name, value in wanted.items():
        if value_name not in own:
            yield f"{name}: {value_name} is missing"
        elif spelled(value) != spelled(own[value_name]):
            yield f"{name}.{value_name}: {spelled(value)}, served as {spelled(own[value_name])}"
    for value_name in own.keys() - wanted.keys():
        added = own[value_name]
        if isinstance(added.type, NonNullTypeNode) and added.default_value is None:
            yield f"{name}.{value_name} was added and is required"


def by_name(values: Iterable[InputValueDefinitionNode] | None) -> dict[str, InputValueDefinitionNode]:
    return {value.name.value: value for value in values or ()}


def spelled(value: InputValueDefinitionNode) -> str:
    default = f" = {print_ast(value.default_value)}" if value.default_value is not None else ""
    return print_ast(value.type) + default


def test_schema_graphql_is_what_the_code_serves() -> None:
    assert SCHEMA.read_text() == print_sdl()


def test_schema_graphql_is_a_valid_schema() -> None:
    assert validate_schema(build_schema(SCHEMA.read_text())) == []


def test_the_schema_holds_every_name_of_the_contract() -> None:
    assert missing() == set()


def test_the_schema_agrees_with_the_contract_in_types_arguments_and_defaults() -> None:
    assert list(disagreements()) == []


def test_enums_have_no_values_that_the_contract_does_not_know() -> None:
    ours = served()
    enums = {
        name: node for name, node in promised().items() if isinstance(node, EnumTypeDefinitionNode) and name in ours
    }
    assert {name: set(parts(ours[name])) for name in enums} == {name: set(parts(enums[name])) for name in enums}
