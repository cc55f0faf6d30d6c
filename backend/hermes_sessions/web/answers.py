"""Errors as HTTP answers: one body for all of them, and the status that goes with each code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from hermes_sessions.errors import ErrorCode, HermesSessionsError

JSON = "application/json"

_STATUS = {
    ErrorCode.UNAUTHENTICATED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.READ_ONLY: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.PROFILE_NOT_FOUND: 404,
    ErrorCode.AMBIGUOUS_ID: 409,
    ErrorCode.TITLE_TAKEN: 409,
    ErrorCode.ID_TAKEN: 409,
    ErrorCode.SESSION_BUSY: 409,
    ErrorCode.PAYLOAD_TOO_LARGE: 413,
    ErrorCode.INTERNAL: 500,
    ErrorCode.STORE_BUSY: 503,
    ErrorCode.STORE_DAMAGED: 503,
    ErrorCode.STORE_UNREACHABLE: 503,
    ErrorCode.UNSUPPORTED_STORE: 503,
    ErrorCode.TIMEOUT: 504,
    ErrorCode.STORAGE_FULL: 507,
}


class HttpError(HermesSessionsError):
    """An error whose HTTP status, or whose headers, its code alone does not tell."""

    def __init__(
        self, status: int, message: str, *, code: ErrorCode | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code or ErrorCode.BAD_USER_INPUT, message)
        self.status = status
        self.headers = dict(headers or {})


def status_of(error: HermesSessionsError) -> int:
    """400 is right for every code that speaks of the request itself."""
    return error.status if isinstance(error, HttpError) else _STATUS.get(error.code, 400)


def error_body(error: HermesSessionsError) -> bytes:
    """`{"errors": [{"message", "extensions": {"code", ...details}}]}` as JSON."""
    extensions: dict[str, Any] = {**error.details, "code": error.code.value}
    return orjson.dumps({"errors": [{"message": error.message, "extensions": extensions}]})


def error_response(error: HermesSessionsError, media_type: str = JSON) -> Response:
    headers = error.headers if isinstance(error, HttpError) else {}
    content_type = {"content-type": f"{media_type}; charset=utf-8"}
    return Response(error_body(error), status_of(error), {**headers, **content_type})


def internal_error(request_id: str) -> HermesSessionsError:
    """What a client may know of a failure that nobody expected."""
    message = f"Something went wrong in the server. Its log has the reason under {request_id}."
    return HermesSessionsError(ErrorCode.INTERNAL, message, {"requestId": request_id})
