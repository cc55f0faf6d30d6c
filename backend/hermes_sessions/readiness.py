"""How the profiles are at this moment, each asked by itself and for a short time only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.profiles import Profiles
from hermes_sessions.store import Store
from hermes_sessions.store_values import StoreStatus
from hermes_sessions.web.metrics import ProfileState

_log = logging.getLogger("hermes_sessions.readiness")


class ProfileStates:
    """Asks all profiles side by side, so that one that hangs costs the others nothing. `seconds` is for each."""

    def __init__(self, profiles: Profiles, seconds: float) -> None:
        self._profiles = profiles
        self._seconds = seconds

    async def all(self) -> Sequence[ProfileState]:
        return await asyncio.gather(*map(self._look, self._profiles.names()))

    async def one(self, name: str) -> ProfileState:
        """Raises PROFILE_NOT_FOUND, or BAD_USER_INPUT for what is no name."""
        return await self._look(self._profiles.check(name))

    async def _look(self, name: str) -> ProfileState:
        try:
            async with asyncio.timeout(self._seconds):
                with self._profiles.lease() as lease:
                    return await _state_of(name, await lease.get(name))
        except TimeoutError:
            return _unreachable(name, f"It did not answer within {self._seconds:g} seconds.")
        except HermesSessionsError as error:
            return _unreachable(name, error.message)
        except Exception:
            _log.exception("profile %s cannot be looked at", name)
            return _unreachable(name, "Something went wrong in the server. Its log has more.")


async def _state_of(name: str, store: Store) -> ProfileState:
    state = await store.state()
    usable = state.is_readable or state.status is StoreStatus.EMPTY
    place = await store.place() if usable else None
    return ProfileState(
        name,
        usable,
        state.status.value,
        state.reason,
        size_bytes=place.file_bytes if place is not None else state.size_bytes,
        wal_bytes=place.wal_bytes if place is not None else None,
    )


def _unreachable(name: str, reason: str) -> ProfileState:
    return ProfileState(name, False, StoreStatus.UNREACHABLE.value, reason)
