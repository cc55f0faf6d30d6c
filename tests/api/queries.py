"""Random questions over the whole schema: aliases, fragments, directives, nested lists, and errors in the middle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    get_named_type,
    is_composite_type,
    is_object_type,
    is_required_argument,
)

MAX_LEVELS = 5
# Neither way of answering is wrong when these differ: they tell the time, or how long something took.
VOLATILE = frozenset({"health", "uptimeSeconds", "isLive", "pid", "requestId"})
WRONG = {"first": "-1", "after": '"nonsense"', "maxBytes": "-1", "maxNodes": "0", "id": '""', "around": '"nobody"'}


@dataclass
class Questions:
    """`ids` are values for arguments that name something, by the type whose field has them."""

    schema: GraphQLSchema
    ids: dict[str, list[str]]
    seed: int
    wrong: float = 0.0
    """How often an argument is given a value that is refused."""
    _random: random.Random = field(init=False)
    _fragments: list[str] = field(init=False)
    _names: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def question(self) -> str:
        """A query with a few fields at its root. Its variables are `$yes`, always true, and `$few`, always 3."""
        self._fragments, self._names = [], iter(range(10_000))
        root = self.schema.query_type
        assert root is not None
        names = self._random.sample(sorted(root.fields), k=self._random.randint(1, 2))
        selected = " ".join(self._field(root, name, MAX_LEVELS) for name in names if name != "bin")
        used = " ".join(each for each in ("$yes: Boolean!", "$few: Int") if each[:4] in selected + str(self._fragments))
        head = f"query ({used})" if used else "query"
        return f"{head} {{ __typename {selected} }} {' '.join(self._fragments)}"

    def _selection(self, type: Any, levels: int) -> str:
        if not is_object_type(type):
            each = self._random.sample(list(self.schema.get_possible_types(type)), k=1)
            return "__typename " + " ".join(f"... on {one.name} {{ {self._selection(one, levels)} }}" for one in each)
        names = [name for name, one in type.fields.items() if name not in VOLATILE and self._fits(one.type, levels)]
        chosen = self._random.sample(names, k=min(len(names), self._random.randint(1, 6)))
        parts = [self._field(type, name, levels) for name in chosen]
        if self._random.random() < 0.3:
            parts.append("__typename")
        if self._random.random() < 0.2:
            parts = [self._fragment(type, parts)]
        return " ".join(parts)

    def _fits(self, type: GraphQLOutputType, levels: int) -> bool:
        return levels > 0 or not is_composite_type(get_named_type(type))

    def _fragment(self, type: GraphQLObjectType, parts: list[str]) -> str:
        if self._random.random() < 0.5:
            return f"... on {type.name} @include(if: $yes) {{ {' '.join(parts)} }}"
        name = f"F{next(self._names)}"
        self._fragments.append(f"fragment {name} on {type.name} {{ {' '.join(parts)} }}")
        return f"...{name} @skip(if: false)"

    def _field(self, parent: GraphQLObjectType, name: str, levels: int) -> str:
        one = parent.fields[name]
        alias = f"a{next(self._names)}: " if self._random.random() < 0.6 or one.args else ""
        switch = self._random.choice(["", "", "", "", " @include(if: $yes)", " @skip(if: $yes)"])
        inner = get_named_type(one.type)
        below = f" {{ {self._selection(inner, levels - 1)} }}" if is_composite_type(inner) else ""
        return f"{alias}{name}{self._arguments(parent, one)}{switch}{below}"

    def _arguments(self, parent: GraphQLObjectType, one: GraphQLField) -> str:
        given = []
        for name, argument in one.args.items():
            if name in WRONG and self._random.random() < self.wrong:
                given.append(f"{name}: {WRONG[name]}")
            elif name == "first":
                given.append(f"{name}: {self._random.choice(['1', '2', '$few'])}")
            elif name in self.ids:
                given.append(f'{name}: "{self._random.choice(self.ids[name])}"')
            elif name in ("maxNodes", "maxMarks"):
                given.append(f"{name}: 7")
            elif is_required_argument(argument):
                given.append(f"{name}: {_REQUIRED[name]}")
        return f"({', '.join(given)})" if given else ""


_REQUIRED = {"by": "[MODEL, DAY]", "text": '"the"'}
