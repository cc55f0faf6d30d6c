"""Connecting to the one of several servers that can be used, and noticing when it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any

import asyncpg

from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.errors import pooler_not_named

LEAVE_SECONDS = 2.0
GONE_SECONDS = 10
"""A server whose machine is silent for so long is gone."""

_NEXT = (OSError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched)


class WatchedConnection(asyncpg.Connection):  # type: ignore[misc]  # untyped
    """One whose socket ends by itself where the machine at its other end, or the way there, is gone."""

    __slots__ = ()

    def __init__(self, protocol: Any, transport: asyncio.Transport, *rest: Any) -> None:
        super().__init__(protocol, transport, *rest)
        watched = transport.get_extra_info("socket")
        if watched is not None and watched.family != getattr(socket, "AF_UNIX", None):
            _watch(watched)

    def get_reset_query(self) -> str:
        """Nothing outlasts a transaction that would have to be set back when a connection is returned. To ask for it
        would be one more way to the server and back for each question."""
        return ""

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 - asyncpg's own
        """Takes leave of the server; one that does not answer is left all the same."""
        with contextlib.suppress(TimeoutError):
            await super().close(timeout=LEAVE_SECONDS if timeout is None else timeout)


class Servers:
    """Those that one URL names. The one that was used last is tried first: the others may be gone, and each of them
    could take its whole share of the time to show it."""

    def __init__(self, address: Address, seconds: float) -> None:
        self._dsns = address.dsns
        self._looks_for_pooler = address.looks_for_pooler
        self._seconds = seconds

    async def connect(self, _: object, **options: Any) -> asyncpg.Connection:
        """A connection to the first that can be used, in the place of `asyncpg.connect` in a pool. All share the
        seconds. Raises the error of the last where none can be used."""
        dsns, share = self._dsns, self._seconds / len(self._dsns)
        for dsn in dsns[:-1]:
            try:
                return await self._connect(dsn, timeout=share, **options)
            except _NEXT:
                continue
        return await self._connect(dsns[-1], timeout=share, **options)

    async def _connect(self, dsn: str, **options: Any) -> asyncpg.Connection:
        connection = await asyncpg.connect(dsn, **options)
        if self._looks_for_pooler:
            await _refuse_pooler(connection)
        self._dsns = (dsn, *(each for each in self._dsns if each != dsn))
        return connection


async def _refuse_pooler(connection: asyncpg.Connection) -> None:
    """Raises BAD_USER_INPUT where somebody other than the server greeted us. A statement of ours would be kept on one
    of the pooler's connections and meet those of others, under the same name, on another."""
    try:
        asked = await connection.prepare("SELECT pg_backend_pid()", name="")  # nothing is kept under no name
        pooled = await asked.fetchval() != connection.get_server_pid()
    except BaseException:
        connection.terminate()
        raise
    if pooled:
        connection.terminate()
        raise pooler_not_named()


def _watch(watched: socket.socket) -> None:
    """What a system does not have of these it is not told."""
    watched.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in {
        "TCP_KEEPIDLE": GONE_SECONDS // 2,
        "TCP_KEEPALIVE": GONE_SECONDS // 2,  # the same, on macOS
        "TCP_KEEPINTVL": 1,
        "TCP_KEEPCNT": GONE_SECONDS // 2,
        "TCP_USER_TIMEOUT": GONE_SECONDS * 1000,  # of what was sent and is not acknowledged
    }.items():
        if hasattr(socket, name):
            watched.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
