"""The documents that the dashboard asks, read from its sources, and values for their variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    Node,
    OperationDefinitionNode,
    OperationType,
    Visitor,
    parse,
    print_ast,
    visit,
)

SOURCES = Path(__file__).parents[2] / "frontend" / "src"
_CALL = re.compile(r"(?<!function )\bgraphql\(")
_DOCUMENT = re.compile(r"\bgraphql\(`([^`]*)`\)")
Fragments = Mapping[str, FragmentDefinitionNode]
Values = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Question:
    """An operation as it is sent: with all fragments that it needs."""

    name: str
    kind: OperationType
    text: str
    variables: Mapping[str, str]
    """Their types."""

    def variants(self, values: Values) -> list[dict[str, Any]]:
        """Variables, so many times that each value is taken at least once. `values` are by the variable's name or by
        its type."""
        chosen = {name: _fitting(name, type, values) for name, type in self.variables.items()}
        most = max(map(len, chosen.values()), default=1)
        columns = [islice(cycle(each), most) for each in chosen.values()]
        return [dict(zip(chosen, row, strict=True)) for row in zip(*columns, strict=True)] if columns else [{}]


def _fitting(name: str, type: str, values: Values) -> list[Any]:
    found = values.get(name) or values[type.rstrip("!")]
    return [value for value in found if value is not None or not type.endswith("!")]


def dashboard_questions() -> list[Question]:
    """All operations of the sources but those of tests. Fails where one is written in a way that is not read here."""
    files = [*SOURCES.rglob("*.ts"), *SOURCES.rglob("*.tsx")]
    sources = [each for each in files if not {"generated", "test"} & {*each.parts} and ".test." not in each.name]
    texts = [each.read_text(encoding="utf-8") for each in sources]
    found = [document for text in texts for document in _DOCUMENT.findall(text)]
    assert len(found) == sum(len(_CALL.findall(text)) for text in texts), "A document is no plain template literal."
    return questions_in("\n".join(found))


def questions_in(text: str) -> list[Question]:
    """The operations of a text, each with its own fragments."""
    definitions = parse(text).definitions
    fragments = {each.name.value: each for each in definitions if isinstance(each, FragmentDefinitionNode)}
    operations = [each for each in definitions if isinstance(each, OperationDefinitionNode)]
    return [_question(each, fragments) for each in operations]


def _question(operation: OperationDefinitionNode, fragments: Fragments) -> Question:
    needed = [fragments[name] for name in sorted(_spread(operation, fragments))]
    variables = {each.variable.name.value: print_ast(each.type) for each in operation.variable_definitions or ()}
    text = print_ast(DocumentNode(definitions=(operation, *needed)))
    return Question(operation.name.value if operation.name else "", operation.operation, text, variables)


def _spread(node: Node, fragments: Fragments) -> set[str]:
    """Names of the fragments that a part of a document needs, also by others."""
    spreads = _Spreads()
    visit(node, spreads)
    return spreads.names.union(*(_spread(fragments[name], fragments) for name in spreads.names))


class _Spreads(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        self.names.add(node.name.value)
