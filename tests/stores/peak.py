"""Reads a store in a process of its own and tells how much memory each question took: python -m tests.stores.peak."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path

from tests.stores.opened import ANYTHING, opened, read_everything


def peak() -> int:
    """The most memory that this process has had so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def main(small: Path, big: Path) -> None:
    async with opened(small) as store:
        await read_everything(store)
    grown: dict[str, int] = {}
    before = peak()
    async with opened(big) as store:
        ids = list((await store.forest()).sessions)
        grown["list"] = peak() - before
        lines = await store.transcript(ids, ANYTHING)
        await store.messages([line.id for line in lines])
        await store.previews(ids)
        grown["page"] = peak() - before
    print(json.dumps(grown))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
