"""Stores are opened with what the settings say."""

from __future__ import annotations

import time
from pathlib import Path

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.shaping import Scope
from hermes_sessions.opening import open_profiles
from hermes_sessions.settings import Settings
from tests.builders import home_with, store_path
from tests.stores.opened import fill, refused
from tests.stores.test_writing import locked

PATIENCE = 1.5


async def test_a_change_waits_for_the_lock_as_long_as_it_was_told(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=fill)
    profiles = open_profiles(Settings(home=home, state_dir=tmp_path / "state", lock_timeout=PATIENCE))
    store = await profiles.get()
    try:
        with locked(store_path(home)):
            began = time.monotonic()
            with refused(ErrorCode.STORE_BUSY, "try again"):
                await store.rename("ferry", "Boat", Scope.SESSION)
            assert time.monotonic() - began >= PATIENCE
        assert store._lock_limit == PATIENCE
    finally:
        await profiles.close()
