"""Documents by their text: parsed, validated and weighed once, and kept while there is room."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass, field
from typing import Any

import strawberry
from graphql import DocumentNode, GraphQLError, GraphQLSyntaxError, parse, validate

from hermes_sessions.api.limits import count, refuse_crowded, refuse_deep, too_complex, too_deep, too_many_tokens
from hermes_sessions.api.planned import Plans, kept_plans
from hermes_sessions.api.schema import core_schema
from hermes_sessions.api.shelf import Shelf
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.settings import Settings

MAX_VALIDATION_ERRORS = 5
"""Enough to mend a document by. Each costs work, and the answer must not grow with what is wrong."""
MAX_MESSAGE = 1000
"""Characters. Messages of graphql-core quote names and values, which can be as long as a request."""
ROOM = 40_000_000
"""Bytes that documents may take: some hundred of the dashboard's, or twenty of the largest."""
BYTES_OF_TOKEN = 1000
"""What a token becomes in memory, measured: the token, a node or two of the tree, a weight, a part of an answer."""
TEXTS = 3
"""A long literal is there as the text, as the token's value and as the node's."""

LONG = 10_000
"""Characters from which on what reading a document leaves behind is not left until Python looks for circles."""

Errors = list[dict[str, Any]]


@dataclass(frozen=True)
class Document:
    """A parsed document that is valid. `costs` are those of its operations, by name, that depend on no variable:
    none where it `has_sizes` that are variables."""

    node: DocumentNode
    has_sizes: bool
    plans: Plans
    costs: dict[str | None, int] = field(default_factory=dict)


class Documents:
    def __init__(self, schema: strawberry.Schema, settings: Settings) -> None:
        self._strawberry = schema
        self._schema = core_schema(schema)
        self._settings = settings
        self.plans = kept_plans()
        self.shelf: Shelf[str, Document | Errors] = Shelf(ROOM)

    def get(self, query: str) -> Document | Errors:
        """The document, or the errors that make it not valid."""
        if query in self.shelf:
            return self.shelf[query]
        found = self._read(query)
        if len(query) > LONG:
            gc.collect(1)
        tokens = found.node.token_count if isinstance(found, Document) else MAX_VALIDATION_ERRORS
        return self.shelf.put(query, found, tokens * BYTES_OF_TOKEN + TEXTS * sys.getsizeof(query))

    def _read(self, query: str) -> Document | Errors:
        try:
            node = parse(query, max_tokens=self._settings.max_document_tokens)
            _unchain(node)
            counts = count(node)
            refuse_crowded(counts, self._settings)
            errors = validate(self._schema, node, max_errors=MAX_VALIDATION_ERRORS)
            if not errors:
                refuse_deep(node, self._settings)
                return Document(node, counts.has_sizes, Plans(self._strawberry, node, self.plans))
        except HermesSessionsError as error:
            return [shown(error)]
        except GraphQLSyntaxError as error:
            expensive = too_many_tokens(error, self._settings)
            return [shown(expensive) if expensive else located(error, ErrorCode.GRAPHQL_PARSE_FAILED)]
        except RecursionError:
            return [shown(too_deep(self._settings))]
        complex = too_complex(errors)
        return [shown(complex)] if complex else [located(each, ErrorCode.GRAPHQL_VALIDATION_FAILED) for each in errors]


def _unchain(node: DocumentNode) -> None:
    """Tokens hold each other in circles: a document that was let go would stay until Python looks for such."""
    token = node.loc.start_token if node.loc is not None else None
    while token is not None:
        following = token.next
        token.prev = token.next = None
        token = following


def shown(error: HermesSessionsError) -> dict[str, Any]:
    """An error of ours as a client gets it."""
    return {"message": error.message, "extensions": {**error.details, "code": error.code.value}}


def located(error: GraphQLError, code: ErrorCode) -> dict[str, Any]:
    """An error of graphql-core as a client gets it, with its places in the document."""
    message = error.message if len(error.message) <= MAX_MESSAGE else f"{error.message[:MAX_MESSAGE]}..."
    error_shown: dict[str, Any] = {"message": message, "extensions": {"code": code.value}}
    if error.locations:
        error_shown["locations"] = [{"line": at.line, "column": at.column} for at in error.locations]
    return error_shown
