"""The one error family: a code, a sentence that is safe to show, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any


class ErrorCode(Enum):
    """Every code that a client can meet, in `userErrors` or in `extensions.code`."""

    GRAPHQL_PARSE_FAILED = "GRAPHQL_PARSE_FAILED"
    GRAPHQL_VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED"
    BAD_USER_INPUT = "BAD_USER_INPUT"
    INVALID_CURSOR = "INVALID_CURSOR"
    PROFILE_NOT_FOUND = "PROFILE_NOT_FOUND"
    AMBIGUOUS_ID = "AMBIGUOUS_ID"
    NOT_FOUND = "NOT_FOUND"
    TITLE_TAKEN = "TITLE_TAKEN"
    TITLE_TOO_LONG = "TITLE_TOO_LONG"
    SESSION_BUSY = "SESSION_BUSY"
    ID_TAKEN = "ID_TAKEN"
    READ_ONLY = "READ_ONLY"
    STORE_BUSY = "STORE_BUSY"
    STORE_DAMAGED = "STORE_DAMAGED"
    STORE_UNREACHABLE = "STORE_UNREACHABLE"
    STORAGE_FULL = "STORAGE_FULL"
    UNSUPPORTED_STORE = "UNSUPPORTED_STORE"
    QUERY_TOO_EXPENSIVE = "QUERY_TOO_EXPENSIVE"
    TIMEOUT = "TIMEOUT"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    INTERNAL = "INTERNAL"


BROKEN = frozenset({ErrorCode.STORE_DAMAGED, ErrorCode.STORE_UNREACHABLE, ErrorCode.UNSUPPORTED_STORE})
"""Nothing can be read until somebody mends the store; the others may be over in a moment."""


class HermesSessionsError(Exception):
    """An expected failure.

    `message` is one or two sentences that are safe to show to any caller and say what to do next.
    `details` are JSON values for programs (an ambiguous id's candidates, a computed cost).
    """

    def __init__(self, code: ErrorCode, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = dict(details or {})


def bad_input(message: str) -> HermesSessionsError:
    """The caller's argument cannot be used; `message` says which and what would do."""
    return HermesSessionsError(ErrorCode.BAD_USER_INPUT, message)
