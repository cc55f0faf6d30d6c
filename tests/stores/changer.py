"""Changes a store without end and says what it has done, until it is killed: python -m tests.stores.changer STORE."""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path

from hermes_sessions.model.shaping import Scope
from tests.stores.opened import delete, opened


async def main(path: Path) -> None:
    async with opened(path) as store:
        for number in itertools.count():
            await store.rename("br1", f"Round {number}", Scope.SESSION)
            print("renamed", number, flush=True)
            await store.archive("d1", number % 2 == 0, Scope.CONVERSATION)
            print("archived", number % 2, flush=True)
            for entry in await store.bin(1):
                await store.restore(entry.bin_id, dry_run=False)
            await delete(store, "ferry")
            print("deleted", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
