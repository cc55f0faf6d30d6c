"""What a document may ask for, told from its text and variables before anything is executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLError,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_introspection_type,
    visit,
)
from graphql.language import Visitor

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings

# Wrappers of a list are no level of their own: edges and node stand between two real ones.
_TRANSPARENT = frozenset({"edges", "node", "nodes", "ofType"})
_PAGE_ARGUMENTS = ("first", "last", "maxNodes", "maxMarks")
# Fields that answer with a list without taking a page size, and what they usually hold.
# A row of a usage report is made of many parts, so it weighs more than it shows.
_LISTS = {"ancestors": 20, "segments": 5, "profiles": 10, "usageByModel": 5, "toolCalls": 5, "parts": 2, "rows": 1000}
# What introspection finds in this schema, on an average, and types twice: it is answered without plans, which is slow.
# What GraphiQL asks weighs 46,000.
_INTROSPECTION = {"types": 300, "fields": 5, "inputFields": 2, "directives": 5}
_GIVEN_UP = "Validation aborted."


@dataclass(frozen=True)
class Counts:
    """What a document has of parts that each cost work. `repeats` are aliases, and fields that stand again where they
    stand already; `has_sizes` tells whether its cost depends on variables: whether a page size is one."""

    repeats: int
    directives: int
    has_sizes: bool


class _Counter(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.repeats = 0
        self.directives = 0
        self.has_sizes = False
        self._names: list[set[str]] = []  # of the fields below each open operation, fragment and field

    def enter_operation_definition(self, *_: Any) -> None:
        self._names.append(set())

    def leave_operation_definition(self, *_: Any) -> None:
        self._names.pop()

    enter_fragment_definition = enter_operation_definition
    leave_fragment_definition = leave_operation_definition
    leave_field = leave_operation_definition

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        self.repeats += node.alias is not None or node.name.value in self._names[-1]
        self._names[-1].add(node.name.value)
        self._names.append(set())

    def enter_directive(self, *_: Any) -> None:
        self.directives += 1

    def enter_argument(self, node: ArgumentNode, *_: Any) -> None:
        self.has_sizes = self.has_sizes or (node.name.value in _PAGE_ARGUMENTS and isinstance(node.value, VariableNode))


def count(document: DocumentNode) -> Counts:
    """Of any document that parses."""
    counter = _Counter()
    visit(document, counter)
    return Counts(counter.repeats, counter.directives, counter.has_sizes)


def refuse_crowded(counts: Counts, settings: Settings) -> None:
    """Raises QUERY_TOO_EXPENSIVE with the found and the allowed number. To be asked before validation, whose work grows
    with the square of these numbers."""
    _refuse_more(counts.repeats, "aliases and repeated fields", settings.max_aliases)
    _refuse_more(counts.directives, "directives", settings.max_directives)


def refuse_deep(document: DocumentNode, settings: Settings) -> None:
    """Of a valid document: validation has made sure that fragments exist and form no circle. Raises
    QUERY_TOO_EXPENSIVE with the found and the allowed number."""
    fragments = _fragments(document)
    known: dict[str, int] = {}
    depth = max((_depth(each.selection_set, fragments, known) for each in _operations(document)), default=0)
    _refuse_more(depth, "levels", settings.max_depth)


def _refuse_more(found: int, what: str, allowed: int) -> None:
    if found > allowed:
        raise _too_expensive(f"The document has {found} {what}; at most {allowed} are allowed.", found, allowed)


def cost_of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
    settings: Settings,
) -> int:
    """How many objects the operation may return, as its nested page sizes multiply."""
    root = schema.get_root_type(operation.operation)
    if root is None:
        return 0
    sizes = _Sizes(_fragments(document), {**_defaults(operation), **variables}, settings)
    return sizes.of(operation.selection_set, root, schema)


def refuse_costly(cost: int, settings: Settings) -> None:
    """Raises QUERY_TOO_EXPENSIVE with the computed and the allowed cost."""
    if cost > settings.max_cost:
        raise _too_expensive(
            f"The document may return {cost:,} objects; at most {settings.max_cost:,} are allowed. "
            "Ask for smaller pages, or nest fewer lists.",
            cost,
            settings.max_cost,
        )


def too_many_tokens(error: GraphQLError, settings: Settings) -> HermesSessionsError | None:
    """The parser's own limit, in our words; None for another syntax error."""
    if "token limit" not in error.message and "tokens" not in error.message:
        return None
    allowed = settings.max_document_tokens
    return _too_expensive(f"The document has more than {allowed} tokens. Split it.", allowed + 1, allowed)


def too_complex(errors: Sequence[GraphQLError]) -> HermesSessionsError | None:
    """Where the validation has given up comparing fields, in our words; None for errors that say what is wrong."""
    if not errors or errors[-1].message != _GIVEN_UP:
        return None
    return HermesSessionsError(
        ErrorCode.QUERY_TOO_EXPENSIVE,
        "The document selects the same fields too often to be checked. Select each field once, or split the document.",
    )


def too_deep(settings: Settings) -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.QUERY_TOO_EXPENSIVE, f"The document is nested too deep; {settings.max_depth} levels are allowed."
    )


class _Sizes:
    """Counts the objects that a selection may return."""

    def __init__(
        self, fragments: Mapping[str, FragmentDefinitionNode], variables: Mapping[str, Any], settings: Settings
    ) -> None:
        self._fragments = fragments
        self._variables = variables
        self._settings = settings
        self._known: dict[str, int] = {}

    def of(self, selections: SelectionSetNode, parent: Any, schema: GraphQLSchema) -> int:
        total = 0
        for node in selections.selections:
            if isinstance(node, FieldNode):
                total += self._of_field(node, parent, schema)
            elif isinstance(node, InlineFragmentNode):
                inner = schema.get_type(node.type_condition.name.value) if node.type_condition else parent
                total += self.of(node.selection_set, inner, schema)
            elif isinstance(node, FragmentSpreadNode):
                total += self._of_fragment(node.name.value, schema)
        return total

    def _of_fragment(self, name: str, schema: GraphQLSchema) -> int:
        """Counted once, however often it is spread: fragments that use each other twice would double the work."""
        if name not in self._known:
            fragment = self._fragments[name]
            condition = schema.get_type(fragment.type_condition.name.value)
            self._known[name] = self.of(fragment.selection_set, condition, schema)
        return self._known[name]

    def _of_field(self, node: FieldNode, parent: Any, schema: GraphQLSchema) -> int:
        if node.selection_set is None or not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
            return 0
        field = schema.get_field(parent, node.name.value)
        assert field is not None, "the document is valid"
        within = self.of(node.selection_set, get_named_type(field.type), schema)
        if is_introspection_type(get_named_type(field.type)):
            return _INTROSPECTION.get(node.name.value, 1) * (1 + within)
        own = self._size(node, field.args)
        return own * (1 + within) if node.name.value not in _TRANSPARENT else within

    def _size(self, node: FieldNode, known: Mapping[str, GraphQLArgument]) -> int:
        """The page size that the field is given, else its default."""
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        for name in _PAGE_ARGUMENTS:
            value = given.get(name)
            number = self._variables.get(value.name.value) if isinstance(value, VariableNode) else None
            if isinstance(value, IntValueNode):
                number = int(value.value)
            if isinstance(number, int):
                return max(1, number)
        for name in ("maxNodes", "maxMarks"):
            if name in known:
                return int(known[name].default_value)
        return self._settings.default_page_size if "first" in known else _LISTS.get(node.name.value, 1)


def _depth(selections: SelectionSetNode, fragments: Mapping[str, FragmentDefinitionNode], known: dict[str, int]) -> int:
    deepest = 0
    for node in selections.selections:
        if isinstance(node, FieldNode):
            below = _depth(node.selection_set, fragments, known) if node.selection_set else 0
            here = below + (node.name.value not in _TRANSPARENT)
        elif isinstance(node, FragmentSpreadNode):
            name = node.name.value
            if name not in known:
                known[name] = _depth(fragments[name].selection_set, fragments, known)
            here = known[name]
        else:
            assert isinstance(node, InlineFragmentNode)
            here = _depth(node.selection_set, fragments, known)
        deepest = max(deepest, here)
    return deepest


def _defaults(operation: OperationDefinitionNode) -> dict[str, int]:
    """Default values of whole-number variables."""
    return {
        each.variable.name.value: int(each.default_value.value)
        for each in operation.variable_definitions or ()
        if isinstance(each.default_value, IntValueNode)
    }


def _fragments(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    return {each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)}


def _operations(document: DocumentNode) -> list[OperationDefinitionNode]:
    return [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]


def _too_expensive(sentence: str, computed: int, allowed: int) -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.QUERY_TOO_EXPENSIVE, sentence, {"computed": min(computed, 2**53 - 1), "allowed": allowed}
    )
