"""Who waits longest gets the next, also when others come at the right moment or leave."""

from __future__ import annotations

import asyncio

from hermes_sessions.stores.sqlite.fair import FairShare


async def test_nobody_passes_those_who_wait() -> None:
    share: FairShare[str] = FairShare()
    share.give("the one")
    order: list[str] = []

    async def use(name: str, times: int) -> None:
        for _ in range(times):
            thing = await share.take()
            order.append(name)
            await asyncio.sleep(0)
            share.give(thing)

    await asyncio.gather(use("a", 3), use("b", 3), use("c", 1))
    assert order == ["a", "b", "c", "a", "b", "a", "b"]


async def test_what_was_given_back_last_is_taken_first() -> None:
    share: FairShare[int] = FairShare()
    share.give(1)
    share.give(2)
    assert [await share.take(), await share.take()] == [2, 1]


async def test_nothing_is_lost_with_those_who_leave() -> None:
    share: FairShare[int] = FairShare()
    waiting, leaving, given = (asyncio.create_task(share.take()) for _ in range(3))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.sleep(0)
    share.give(1)
    share.give(2)
    given.cancel()  # in the moment in which it gets its turn
    await asyncio.gather(leaving, given, return_exceptions=True)
    assert (await waiting, leaving.cancelled(), given.cancelled()) == (1, True, True)
    assert await asyncio.wait_for(share.take(), 1) == 2
