"""PostgreSQL's errors in words of the one error family."""

from __future__ import annotations

import ssl

import asyncpg

from hermes_sessions.errors import ErrorCode, HermesSessionsError, bad_input
from hermes_sessions.stores.conflicts import Conflict

DRIVER_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # where a connection breaks while it is taken into use
    OSError,  # among them TimeoutError
)
CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""Another transaction came first: the same one, begun again, may pass."""
SERVER_MAY_BE_ANOTHER = (
    asyncpg.PostgresConnectionError,
    asyncpg.ReadOnlySQLTransactionError,  # a primary that became a standby
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    OSError,  # among them a deadline: the server may be slow, or gone
)
"""A new connection may lead to another server than the one of this error."""

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

_OTHERS_STATEMENT = (
    asyncpg.InvalidSQLStatementNameError,
    asyncpg.DuplicatePreparedStatementError,
)


class _NoTls(OSError):
    """A server refuses to encrypt."""


def pooler_not_named() -> HermesSessionsError:
    return bad_input(
        "A pooler such as PgBouncer stands before the database: add pgbouncer=true to the profile's URL. Where it "
        "keeps prepared statements for its clients, as PgBouncer 1.21 does with max_prepared_statements, "
        "pgbouncer=false is faster."
    )


_SENTENCES: tuple[tuple[tuple[type[Exception], ...], ErrorCode, str], ...] = (
    (
        (asyncpg.ReadOnlySQLTransactionError,),
        ErrorCode.STORE_UNREACHABLE,
        "The database only reads at present, as a standby does before it takes over. Nothing was changed; try again in "
        "a moment.",
    ),
    (
        (asyncpg.LockNotAvailableError,),
        ErrorCode.STORE_BUSY,
        "Another change of this profile takes long. Nothing was changed; try again.",
    ),
    (
        (asyncpg.IntegrityConstraintViolationError,),
        ErrorCode.UNSUPPORTED_STORE,
        "The database has a rule that this change would break. Nothing was changed; look at what was added to it.",
    ),
    (
        (asyncpg.CharacterNotInRepertoireError, asyncpg.NumericValueOutOfRangeError),
        ErrorCode.BAD_USER_INPUT,
        "A text or a number cannot be held by the database, such as a text with a NUL. Leave it out.",
    ),
    (
        (asyncpg.ClientConfigurationError,),
        ErrorCode.BAD_USER_INPUT,
        "The profile's URL cannot be used: look at its port and its parameters.",
    ),
    (
        (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError),
        ErrorCode.STORE_UNREACHABLE,
        "The database server refused this user or has no such database. Check the profile's URL and its password.",
    ),
    (
        (ssl.SSLCertVerificationError,),
        ErrorCode.STORE_UNREACHABLE,
        "The database server's certificate is not trusted: it is not from the authority in the URL's sslrootcert, has "
        "run out, or names another host than the URL.",
    ),
    (
        (ssl.SSLError,),
        ErrorCode.STORE_UNREACHABLE,
        "No encrypted connection to the database server could be made. Look at the URL's sslmode and at the files of "
        "its sslrootcert, sslcert and sslkey.",
    ),
    (
        (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError),
        ErrorCode.STORE_UNREACHABLE,
        "A file that leads to the database server is not there or may not be read: its socket, or one that the URL "
        "names as sslrootcert, sslcert or sslkey.",
    ),
    (
        (_NoTls,),
        ErrorCode.STORE_UNREACHABLE,
        "The database server offers no TLS, and the URL's sslmode asks for it.",
    ),
    (
        _LOST,
        ErrorCode.STORE_UNREACHABLE,
        "The database server cannot be reached. It is tried again with the next request; check that it runs.",
    ),
    (
        (asyncpg.DiskFullError, asyncpg.OutOfMemoryError),
        ErrorCode.STORAGE_FULL,
        "The database server has no space left. Nothing was changed; free some space.",
    ),
    (
        (asyncpg.InsufficientPrivilegeError,),
        ErrorCode.READ_ONLY,
        "The database user may not do this. Give it rights on the profile's schema.",
    ),
    (
        (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError, asyncpg.InvalidSchemaNameError),
        ErrorCode.UNSUPPORTED_STORE,
        "The database has no tables for this profile, or those of another version. Run `hermes-sessions migrate`.",
    ),
)
"""The first that fits."""


def translate(error: Exception, limit: float) -> HermesSessionsError:
    """The error to show. Nothing of PostgreSQL's own text is passed on: it may quote what is stored, or an address."""
    if isinstance(error, TimeoutError | asyncpg.QueryCanceledError):
        return HermesSessionsError(
            ErrorCode.TIMEOUT, f"A statement ran longer than {limit:g} s and was stopped. Ask for less, or try again."
        )
    if isinstance(error, CONFLICTS):
        return Conflict()
    if isinstance(error, _OTHERS_STATEMENT):
        return pooler_not_named()
    error = _meant(error)
    for types, code, sentence in _SENTENCES:
        if isinstance(error, types):
            return HermesSessionsError(code, sentence)
    return HermesSessionsError(ErrorCode.INTERNAL, "The database refused a statement.", {"cause": type(error).__name__})


def _meant(error: Exception) -> Exception:
    """What has no class of its own, or one that tells of something else."""
    if type(error) is ConnectionError and "rejected SSL upgrade" in str(error):
        return _NoTls()
    if isinstance(error, ValueError) and not isinstance(error, ssl.SSLError):
        return _of_a_value(error)
    return error


def _of_a_value(error: Exception) -> Exception:
    """Driver and standard library say of an address what is wrong with it, and the driver of a statement's value."""
    is_of_statement = isinstance(error, asyncpg.InterfaceError) and not isinstance(
        error, asyncpg.ClientConfigurationError
    )
    meant: Exception = (
        asyncpg.CharacterNotInRepertoireError() if is_of_statement else asyncpg.ClientConfigurationError("")
    )
    return meant
