"""Reads a store in a process of its own and tells how much memory each question took: python -m tests.stores.peak."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from tests.stores.opened import ANYTHING, opened, read_everything


def resident(what: str) -> int:
    """Memory of this process in bytes: `VmRSS` at this moment, or `VmHWM`, the most since `forget_peak`."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith(what)))


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


async def main(small: Path, big: Path) -> None:
    async with opened(small) as store:
        await read_everything(store)
    grown: dict[str, int] = {}
    forget_peak()
    before = resident("VmRSS")
    async with opened(big) as store:
        ids = list((await store.forest()).sessions)
        grown["list"] = resident("VmHWM") - before
        lines = await store.transcript(ids, ANYTHING)
        await store.messages([line.id for line in lines])
        await store.previews(ids)
        grown["page"] = resident("VmHWM") - before
    print(json.dumps(grown))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
