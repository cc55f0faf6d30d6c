"""PostgreSQL's errors in words of the one error family."""

from __future__ import annotations

import asyncpg

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input

DRIVER_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # where a connection breaks while it is taken into use
    OSError,  # among them TimeoutError
)
CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""Another transaction came first: the same one, begun again, may pass."""

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TooManyConnectionsError,
    OSError,
)
_REFUSED = (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)


def translate(error: Exception, limit: float) -> HermesSessionsError:
    """The error to show. Nothing of PostgreSQL's own text is passed on: it may quote what is stored, or an address."""
    if isinstance(error, ValueError):  # also asyncpg's own, about a parameter
        return bad_input("The profile's URL cannot be used: look at its port and its parameters.")
    if isinstance(error, TimeoutError | asyncpg.QueryCanceledError):
        return HermesSessionsError(
            ErrorCode.TIMEOUT, f"A statement ran longer than {limit:g} s and was stopped. Ask for less, or try again."
        )
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return HermesSessionsError(
            ErrorCode.STORE_UNREACHABLE,
            "The database only reads at present, as a standby does before it takes over. Nothing was changed; try "
            "again in a moment.",
        )
    if isinstance(error, (*CONFLICTS, asyncpg.LockNotAvailableError)):
        return HermesSessionsError(ErrorCode.STORE_BUSY, "Others change the same rows. Nothing was changed; try again.")
    if isinstance(error, _REFUSED):
        return HermesSessionsError(
            ErrorCode.STORE_UNREACHABLE,
            "The database server refused this user or has no such database. Check the profile's URL and its password.",
        )
    if isinstance(error, _LOST):
        return HermesSessionsError(
            ErrorCode.STORE_UNREACHABLE,
            "The database server cannot be reached. It is tried again with the next request; check that it runs.",
        )
    if isinstance(error, asyncpg.DiskFullError | asyncpg.OutOfMemoryError):
        return HermesSessionsError(
            ErrorCode.STORAGE_FULL, "The database server has no space left. Nothing was changed; free some space."
        )
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return HermesSessionsError(
            ErrorCode.READ_ONLY, "The database user may not do this. Give it rights on the profile's schema."
        )
    if isinstance(error, asyncpg.UndefinedTableError | asyncpg.UndefinedColumnError | asyncpg.InvalidSchemaNameError):
        return HermesSessionsError(
            ErrorCode.UNSUPPORTED_STORE,
            "The database has no tables for this profile, or those of another version. Run `hermes-sessions migrate`.",
        )
    return HermesSessionsError(ErrorCode.INTERNAL, "The database refused a statement.", {"cause": type(error).__name__})
