"""Asking a database that may not answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError


async def refusal(asked: Awaitable[object]) -> ErrorCode:
    with pytest.raises(HermesSessionsError) as caught:
        await asked
    return caught.value.code


async def until_it_passes(ask: Callable[[], Awaitable[object]], within: float) -> set[ErrorCode]:
    """Asks again and again; the codes of the refusals before the first answer."""
    refusals = set()
    give_up = time.monotonic() + within
    while True:
        try:
            await ask()
        except HermesSessionsError as error:
            refusals.add(error.code)
            assert time.monotonic() < give_up, refusals
            await asyncio.sleep(0.05)
        else:
            return refusals
