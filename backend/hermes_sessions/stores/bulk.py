"""Changes of many sessions: one transaction while they are few, else chunks that leave the agent its turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.bulk import BulkPlan, ErrorPolicy, Skipped, Step, archiving_plan, deletions_plan
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.usage import Cost, add_cost
from hermes_sessions.store_values import BulkArchiving, BulkChange, BulkDeletion
from hermes_sessions.stores import changes
from hermes_sessions.stores.conflicts import begun_again
from hermes_sessions.stores.store_rows import Bin, StoreRows

AT_ONCE = 100
HELD_SECONDS = 0.08
"""What a chunk aims at; the promise is 200 ms."""
BYTES_OF_WEIGHT = 4000
LEAST_ROOM = 40.0
"""Every chunk costs the time of writing to the bin, however small it is: smaller ones would not hold it shorter."""

Order = BulkArchiving | BulkDeletion
Transaction = Callable[[], AbstractAsyncContextManager[tuple[StoreRows, Forest]]]


class Pace:
    """How much fits into one chunk, learned from how long the last one took."""

    def __init__(self) -> None:
        self.room = 2 * LEAST_ROOM

    def learn(self, weight: float, seconds: float) -> None:
        fits = weight * HELD_SECONDS / max(seconds, 0.001)
        self.room = max(LEAST_ROOM, min(max(fits, self.room / 4), self.room * 2))


@dataclass
class _Done:
    """What the chunks did up to now. `held` is how long the last one held the lock, in seconds."""

    changed: list[str] = field(default_factory=list)
    detached: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    messages: int = 0
    size: int = 0
    bin_ids: list[str] = field(default_factory=list)
    held: float = 0.0

    def add(self, chunk: _Done) -> None:
        self.changed += chunk.changed
        self.detached += chunk.detached
        self.skipped += chunk.skipped
        self.costs += chunk.costs
        self.messages += chunk.messages
        self.size += chunk.size
        self.bin_ids += chunk.bin_ids
        self.held = chunk.held

    def answer(self, order: Order, failure: HermesSessionsError | None = None) -> BulkChange:
        places = {id: place for place, id in enumerate(order.ids)}
        gone = set(self.changed)
        return BulkChange(
            changed_ids=self.changed,
            detached_ids=[id for id in dict.fromkeys(self.detached) if id not in gone],
            skipped=sorted(self.skipped, key=lambda each: places[each.id]),
            message_count=self.messages,
            size_bytes=self.size,
            cost=add_cost(self.costs),
            bin_ids=self.bin_ids[::-1],
            failure=failure,
        )


class Bulk:
    """`look` reads the live store, `transaction` changes it. `bin` is as it is outside of transactions."""

    def __init__(self, look: Transaction, transaction: Transaction, bin: Bin) -> None:
        self._look = look
        self._transaction = transaction
        self._bin = bin

    async def change(self, order: Order) -> BulkChange:
        """Raises when nothing was done at all; a failure after that is part of the answer."""
        done, enough = _Done(), time.monotonic() + order.seconds
        async with self._look() as (rows, forest):
            plan = await self._plan(rows, forest, order, order.ids)
            if order.dry_run or _refused(order, plan):
                await self._count(rows, order, plan, done)
                return _rejection(plan) if _refused(order, plan) else done.answer(order)
            sizes = await rows.measure(_ids(plan)) if isinstance(order, BulkDeletion) else {}
        done.skipped += plan.skipped
        if sum(len(step.sessions) for step in plan.steps) <= AT_ONCE:
            return await self._whole(order, plan, done)
        return await self._in_chunks(order, plan, sizes, done, enough)

    async def _whole(self, order: Order, plan: BulkPlan, done: _Done) -> BulkChange:
        if plan.steps:
            refused = await self._chunk(order, [step.id for step in plan.steps], done)
            if refused is not None:
                return _rejection(refused)
        return done.answer(order)

    async def _in_chunks(
        self, order: Order, plan: BulkPlan, sizes: dict[str, tuple[int, int]], done: _Done, enough: float
    ) -> BulkChange:
        pace = Pace()
        for ids, weight in _chunks(plan.steps, sizes, pace):
            if done.changed and time.monotonic() > enough:
                return done.answer(order, _out_of_time())
            try:
                refused = await self._chunk(order, ids, done)
            except HermesSessionsError as error:
                if not done.changed:
                    raise
                return done.answer(order, error)
            if refused is not None:
                if not done.changed:
                    return _rejection(refused)
                done.skipped += refused.skipped
                return done.answer(order, _first_failure(refused))
            pace.learn(weight, done.held)
            await asyncio.sleep(max(done.held, 0.02))  # as long as we held the lock, it is free for others
        return done.answer(order)

    @begun_again
    async def _chunk(self, order: Order, ids: Sequence[str], done: _Done) -> BulkPlan | None:
        """One transaction. The plan where it was refused: then nothing was written."""
        part = _Done()
        if isinstance(order, BulkDeletion):
            await self._bin.until_free()
        async with self._transaction() as (rows, forest):
            started = time.monotonic()
            plan = await self._plan(rows, forest, order, ids)
            if _refused(order, plan):
                return plan
            await self._count(rows, order, plan, part)
            if isinstance(order, BulkArchiving):
                part.changed = await rows.set_archived(_ids(plan), order.archived)
            elif plan.steps:
                await self._remove(rows, forest, order, plan, part)
        part.held = time.monotonic() - started
        done.add(part)
        return None

    async def _plan(self, rows: StoreRows, forest: Forest, order: Order, ids: Sequence[str]) -> BulkPlan:
        deleted = await rows.bin.deleted_among([id for id in ids if forest.get(id) is None])
        if isinstance(order, BulkArchiving):
            changes.refuse_without_archive(rows)
            return archiving_plan(forest, ids, deleted, order.scope, order.archived)
        reach = deletions_plan(forest, ids, deleted, order.scope).deletion
        busy = {} if order.force else await changes.busy_sessions(rows, reach)
        return deletions_plan(forest, ids, deleted, order.scope, busy, order.idle_since)

    async def _count(self, rows: StoreRows, order: Order, plan: BulkPlan, done: _Done) -> None:
        done.skipped += plan.skipped
        done.changed += _ids(plan)
        if isinstance(order, BulkDeletion):
            done.detached += [session.id for session in plan.deletion.detached]
            done.costs.append(plan.deletion.cost)
            messages, size = await changes.measure(rows, plan.deletion)
            done.messages += messages
            done.size += size

    async def _remove(self, rows: StoreRows, forest: Forest, order: BulkDeletion, plan: BulkPlan, done: _Done) -> None:
        deletion = plan.deletion
        await rows.refuse_messages()
        bin_id: str | None = None
        if not order.permanent and rows.bin.days > 0:
            async with rows.bin.new_entry(_title(forest, plan), deletion.ids, done.size) as entry:
                await changes.keep_in_bin(rows, forest, deletion, entry)
            bin_id = entry.bin_id
            done.bin_ids.append(bin_id)
        async with rows.bin.deleting(bin_id, deletion.ids):
            await rows.remove(deletion.ids, [child.id for child in deletion.detached])


def _chunks(steps: Sequence[Step], sizes: dict[str, tuple[int, int]], pace: Pace) -> Iterator[tuple[list[str], float]]:
    """Ids for one transaction with their weight. The pace may change between one and the next."""
    ids: list[str] = []
    held, sessions = 0.0, 0
    for step in steps:
        weight = 0.0
        for session in step.sessions:
            messages, size = sizes.get(session.id, (0, 0))
            weight += 1 + messages + size / BYTES_OF_WEIGHT
        if ids and (held + weight > pace.room or sessions + len(step.sessions) > AT_ONCE):
            yield ids, held
            ids, held, sessions = [], 0.0, 0
        ids.append(step.id)
        held += weight
        sessions += len(step.sessions)
    if ids:
        yield ids, held


def _ids(plan: BulkPlan) -> list[str]:
    return plan.deletion.ids


def _refused(order: Order, plan: BulkPlan) -> bool:
    return order.policy is ErrorPolicy.REJECT_ALL and plan.fails


def _first_failure(plan: BulkPlan) -> HermesSessionsError:
    first = next(each for each in plan.skipped if each.fails)
    return HermesSessionsError(first.code, first.reason, {"id": first.id})


def _out_of_time() -> HermesSessionsError:
    return HermesSessionsError(
        ErrorCode.TIMEOUT, "Not all was done in the time of one request. Ask again for the rest."
    )


def _rejection(plan: BulkPlan) -> BulkChange:
    first = _first_failure(plan)
    return BulkChange(
        skipped=plan.skipped,
        failure=HermesSessionsError(
            first.code,
            f"{first.message} Nothing was changed; `errorPolicy: SKIP_FAILED` changes the others.",
            first.details,
        ),
    )


def _title(forest: Forest, plan: BulkPlan) -> str | None:
    title = forest.conversation_of(plan.steps[0].id).title
    more = len(plan.steps) - 1
    return f"{title or plan.steps[0].id} and {more} more" if more else title
