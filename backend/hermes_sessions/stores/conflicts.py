"""Changes that were taken back because something came between: they are begun again."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from hermes_sessions.errors import ErrorCode, HermesSessionsError

GIVE_UP_SECONDS = 5.0

P = ParamSpec("P")
T = TypeVar("T")


class Conflict(HermesSessionsError):
    """Nothing of the transaction is there. It may pass when it is begun again."""

    def __init__(self, message: str = "Others change the same rows. Nothing was changed; try again.") -> None:
        super().__init__(ErrorCode.STORE_BUSY, message)


def begun_again(change: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """A change of one transaction that is tried for five seconds. Raises STORE_BUSY after that."""

    @wraps(change)
    async def trying(*args: P.args, **options: P.kwargs) -> T:
        give_up = time.monotonic() + GIVE_UP_SECONDS
        while True:
            try:
                return await change(*args, **options)
            except Conflict:
                if time.monotonic() > give_up:
                    raise
            await asyncio.sleep(random.uniform(0.005, 0.05))

    return trying
