"""Looks at a store as a user who does not own it: python -m tests.stores.as_nobody STORE."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.shaping import Scope
from tests.stores.opened import opened

NOBODY = 65534


def become_nobody() -> None:
    """Another user for good where that is possible, else one who is told to be another."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    else:
        os.geteuid = lambda: NOBODY


async def look(path: Path) -> None:
    async with opened(path) as store:
        state = await store.state()
        answer: dict[str, Any] = {"status": state.status.name, "reason": state.reason, "sessions": [], "refused": None}
        if state.is_readable:
            answer["sessions"] = list((await store.forest()).sessions)
        try:
            await store.rename("ferry", "Boat", Scope.SESSION)
        except HermesSessionsError as error:
            answer["refused"] = error.code.name
    print(json.dumps(answer))


if __name__ == "__main__":
    become_nobody()
    asyncio.run(look(Path(sys.argv[1])))
