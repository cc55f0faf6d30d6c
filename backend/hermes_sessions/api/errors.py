"""Expected failures of mutations as values, and every other failure as a top-level error."""

import logging
from typing import Any

import strawberry
from graphql import GraphQLError

from hermes_sessions.api.context import StoreView
from hermes_sessions.api.session import Session, session_of
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.resolving import AmbiguousId
from hermes_sessions.model.shaping import TitleTaken

_log = logging.getLogger("hermes_sessions.api")

# What the caller can mend by another input or at another time. Failures of the store stay top-level errors.
USER_CODES = frozenset(
    {
        ErrorCode.BAD_USER_INPUT,
        ErrorCode.PROFILE_NOT_FOUND,
        ErrorCode.AMBIGUOUS_ID,
        ErrorCode.NOT_FOUND,
        ErrorCode.TITLE_TAKEN,
        ErrorCode.TITLE_TOO_LONG,
        ErrorCode.SESSION_BUSY,
        ErrorCode.ID_TAKEN,
        ErrorCode.READ_ONLY,
        ErrorCode.UNSUPPORTED_STORE,
    }
)


@strawberry.interface(description="Why a mutation did nothing, and what to do.")
class UserError:
    code: ErrorCode
    message: str
    path: list[str] = strawberry.field(description="The part of the input that it is about.")


@strawberry.type
class BasicError(UserError):
    pass


@strawberry.type(description="A prefix that several sessions share: at most ten of them.")
class AmbiguousIdError(UserError):
    candidates: list[Session]


@strawberry.type(description="Another session has the title.")
class TitleTakenError(UserError):
    holder: Session


_PATHS = {
    ErrorCode.TITLE_TAKEN: "title",
    ErrorCode.TITLE_TOO_LONG: "title",
    ErrorCode.PROFILE_NOT_FOUND: "profile",
    ErrorCode.READ_ONLY: "profile",
    ErrorCode.UNSUPPORTED_STORE: "profile",
}


def user_error(error: HermesSessionsError, view: StoreView | None) -> UserError:
    """The error as a value. Raises it again where it is not the caller's."""
    if error.code not in USER_CODES:
        raise error
    field = str(error.details.get("field") or _PATHS.get(error.code, "id"))
    path = ["input", *field.split(".")]
    if isinstance(error, AmbiguousId) and view is not None:
        candidates = [session_of(view, candidate) for candidate in error.candidates]
        return AmbiguousIdError(code=error.code, message=error.message, path=path, candidates=candidates)
    if isinstance(error, TitleTaken) and view is not None:
        holder = session_of(view, error.holder)
        return TitleTakenError(code=error.code, message=error.message, path=path, holder=holder)
    return BasicError(code=error.code, message=error.message, path=path)


def formatted(error: GraphQLError, request_id: str) -> dict[str, Any]:
    """A top-level error for the client. What was not expected becomes INTERNAL; its text stays in the log."""
    original = error.original_error
    shown: dict[str, Any] = {"message": error.message}
    if error.locations:
        shown["locations"] = [{"line": at.line, "column": at.column} for at in error.locations]
    if error.path is not None:
        shown["path"] = error.path
    if isinstance(original, HermesSessionsError) and original.code is not ErrorCode.INTERNAL:
        shown["message"] = original.message
        shown["extensions"] = {**original.details, "code": original.code.value}
    elif original is None:
        shown["extensions"] = {"code": ErrorCode.GRAPHQL_VALIDATION_FAILED.value, **(error.extensions or {})}
    else:
        _log.error("request %s failed", request_id, exc_info=original)
        shown["message"] = f"Something went wrong in the server. Its log has more under request {request_id}."
        shown["extensions"] = {"code": ErrorCode.INTERNAL.value, "requestId": request_id}
    return shown
