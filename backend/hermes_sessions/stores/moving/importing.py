"""Sessions brought into a store: in one transaction while they are few and small, else in short ones.

Foreign keys are off: a parent link that dangled where a session comes from dangles here, too. Every other link is
checked by the plan, which is made again under the write lock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.bulk import Skipped
from hermes_sessions.model.export.rows import ParentLink, Row
from hermes_sessions.model.importing.incoming import Incoming, Loaded, Sessions
from hermes_sessions.model.importing.plan import CutLink, ImportPlan, Taken, import_plan
from hermes_sessions.model.lineage import Forest
from hermes_sessions.store_values import Imported, ImportOrder
from hermes_sessions.stores.bulk import AT_ONCE, Pace
from hermes_sessions.stores.conflicts import begun_again
from hermes_sessions.stores.moving.inserting import IdsTaken, Inserter
from hermes_sessions.stores.moving.refreshing import outdated, refresh
from hermes_sessions.stores.store_rows import StoreRows

BYTES_OF_WEIGHT = 4000
WEIGHT_AT_ONCE = 500.0
"""What still goes in one transaction: some messages, or 2 MB. Full-text indexes make inserting slow."""

Transaction = Callable[[], AbstractAsyncContextManager[StoreRows]]


@dataclass
class _Done:
    imported: list[str] = field(default_factory=list)
    grown: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    cut_links: list[CutLink] = field(default_factory=list)
    retitled: list[str] = field(default_factory=list)
    renumbered: int = 0
    left_out: set[str] = field(default_factory=set)
    messages: int = 0
    usage_rows: int = 0

    def add(self, chunk: _Done) -> None:
        self.imported += chunk.imported
        self.grown += chunk.grown
        self.skipped += chunk.skipped
        self.cut_links += chunk.cut_links
        self.retitled += chunk.retitled
        self.renumbered += chunk.renumbered
        self.left_out |= chunk.left_out
        self.messages += chunk.messages
        self.usage_rows += chunk.usage_rows

    def answer(self, order: ImportOrder, failure: HermesSessionsError | None = None) -> Imported:
        places: dict[str, int] = {}
        for place, each in enumerate(order.sessions.incoming):
            places.setdefault(each.id, place)
        return Imported(
            imported_ids=sorted(self.imported, key=places.__getitem__),
            grown_ids=self.grown,
            skipped=sorted(self.skipped, key=lambda each: places[each.id]),
            cut_links=sorted(self.cut_links, key=lambda each: places[each.child_id]),
            warnings=[*self.retitled, *self._warnings()],
            message_count=self.messages,
            usage_row_count=self.usage_rows,
            failure=failure,
        )

    def _warnings(self) -> Iterator[str]:
        if self.left_out:
            yield f"The store does not have, so these were left out: {', '.join(sorted(self.left_out))}."
        if self.renumbered:
            yield f"The messages of {self.renumbered} sessions got new ids, in the same order: theirs were taken."


class Importing:
    """A transaction of `writing` holds the write lock."""

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing
        self._has_forgotten = False

    async def run(self, order: ImportOrder, forest: Forest) -> Imported:
        """Raises when nothing was done at all; a failure after that is part of the answer."""
        titles = await self._titles(order) if len(forest) else set()
        parents = {session.id: session.parent_id for session in forest.sessions.values()}
        plan = import_plan(order.sessions.incoming, Taken(parents, titles))
        if order.dry_run:
            return _foreseen(plan).answer(order)
        stale = await self._stale(order, plan)
        done = _Done(cut_links=list(plan.cut_links))
        done.skipped += [each for each in plan.skipped if each.id not in stale]
        steps = [*self._unplanned(order, plan), *stale.values()]
        pace = Pace()
        for chunk, weight in _chunks(steps, pace):
            try:
                held = await self._chunk(order, chunk, stale, done)
            except HermesSessionsError as error:
                if not done.imported and not done.grown:
                    raise
                return done.answer(order, error)
            pace.learn(weight, held)
            await asyncio.sleep(min(held, 1.0) if len(chunk) < len(steps) else 0)  # others get their turns
        return done.answer(order)

    @staticmethod
    def _unplanned(order: ImportOrder, plan: ImportPlan) -> Iterator[Incoming]:
        """With the links that the plan leaves, and the titles that they came with: a title may be free by then.

        A circle may be cut by the end of a chunk: for a while its first link leads to what is still missing.
        """
        came = {each.id: each for each in reversed(order.sessions.incoming)}
        for step in plan.steps:
            link = ParentLink.MISSING if step.parent_link is not None else None
            yield replace(step, title=came[step.id].title, parent_link=link)

    async def _titles(self, order: ImportOrder) -> set[str]:
        async with self._reading() as rows:
            return set(await rows.titles())

    async def _stale(self, order: ImportOrder, plan: ImportPlan) -> dict[str, Incoming]:
        """Sessions that are there and have changed where they come from; none unless that is wanted."""
        if not order.refresh:
            return {}
        there = {each.id for each in plan.skipped if each.code is ErrorCode.ID_TAKEN}
        found: dict[str, Incoming] = {}
        for incoming in order.sessions.incoming:
            if incoming.id in there:
                async with self._reading() as rows:
                    if await outdated(rows, order.sessions, incoming):
                        found[incoming.id] = incoming
        return found

    @begun_again
    async def _chunk(
        self, order: ImportOrder, chunk: Sequence[Incoming], stale: dict[str, Incoming], done: _Done
    ) -> float:
        """One transaction. Gives how long it held the write lock, in seconds."""
        part = _Done()
        sessions = await Loaded.of(order.sessions, chunk)  # what is read slowly is read before the lock is taken
        async with self._writing() as rows:
            started = time.monotonic()
            await rows.refuse_messages()
            await self._forget_deleted_words(rows, chunk)
            inserter = Inserter(rows)
            fresh = [each for each in chunk if each.id not in stale]
            plan = import_plan(fresh, await _taken(rows, fresh))
            part.skipped += plan.skipped
            part.cut_links += plan.cut_links
            part.retitled += plan.retitled
            for step in plan.steps:
                await _import(rows, inserter, sessions, step, part)
                order.progress(step.messages)
            for each in chunk:
                if each.id in stale:
                    await _refresh(rows, inserter, sessions, each, part)
                    order.progress(each.messages)
            part.left_out = inserter.left_out
        done.add(part)
        return time.monotonic() - started

    async def _forget_deleted_words(self, rows: StoreRows, chunk: Sequence[Incoming]) -> None:
        """Once, where a session comes back that was deleted here."""
        if not self._has_forgotten and await rows.bin.deleted_among([each.id for each in chunk]):
            await rows.forget_deleted_words()
            self._has_forgotten = True


def _foreseen(plan: ImportPlan) -> _Done:
    return _Done(
        imported=[step.id for step in plan.steps],
        skipped=list(plan.skipped),
        cut_links=list(plan.cut_links),
        retitled=list(plan.retitled),
        messages=sum(step.messages for step in plan.steps),
        usage_rows=sum(step.usage for step in plan.steps),
    )


async def _import(rows: StoreRows, inserter: Inserter, sessions: Sessions, step: Incoming, part: _Done) -> None:
    """All of one session or nothing of it."""
    row = await sessions.session(step)
    if row is None:
        part.skipped.append(Skipped(step.id, ErrorCode.NOT_FOUND, "It was deleted meanwhile.", fails=False))
        return
    usage = await sessions.usage(step)
    await rows.set_savepoint()
    try:
        messages, is_renumbered = await _write(rows, inserter, sessions, step, row, usage)
    except HermesSessionsError as error:
        if error.code is not ErrorCode.UNSUPPORTED_STORE:
            raise
        await rows.back_to_savepoint()
        part.skipped.append(Skipped(step.id, error.code, "The store has a rule that one of its rows would break."))
    else:
        part.imported.append(step.id)
        part.messages += messages
        part.usage_rows += len(usage)
        part.renumbered += is_renumbered
    await rows.release_savepoint()


async def _write(
    rows: StoreRows, inserter: Inserter, sessions: Sessions, step: Incoming, row: Row, usage: Sequence[Row]
) -> tuple[int, bool]:
    """The number of messages, and whether they got new ids: they keep theirs where all of them are free."""

    async def write(keep_ids: bool) -> int:
        await inserter.session(step, row)
        await inserter.usage(step, usage)
        return await inserter.messages(step, sessions, keep_ids=keep_ids)

    try:
        return await write(keep_ids=True), False
    except IdsTaken as taken:
        await rows.back_to_savepoint()
        return await write(keep_ids=False), taken.were_given


async def _refresh(rows: StoreRows, inserter: Inserter, sessions: Sessions, incoming: Incoming, part: _Done) -> None:
    await rows.set_savepoint()
    added = await refresh(rows, inserter, sessions, incoming)
    if added is None:
        await rows.back_to_savepoint()
        part.skipped.append(
            Skipped(incoming.id, ErrorCode.ID_TAKEN, "It went on here by itself, so it was left as it is.")
        )
    else:
        part.grown.append(incoming.id)
        part.messages += added
    await rows.release_savepoint()


async def _taken(rows: StoreRows, chunk: Sequence[Incoming]) -> Taken:
    """Of the sessions and parents of a chunk. Links cannot close a circle any more: the first plan has cut those."""
    wanted = {each.id for each in chunk} | {each.parent for each in chunk if isinstance(each.parent, str)}
    has_titles = any(each.title is not None for each in chunk)
    return Taken(dict.fromkeys(await rows.present_ids(sorted(wanted))), await rows.titles() if has_titles else ())


def _chunks(steps: Sequence[Incoming], pace: Pace) -> Iterator[tuple[list[Incoming], float]]:
    """Sessions for one transaction with their weight. The pace may change between one and the next."""
    weights = [1 + step.messages + step.size / BYTES_OF_WEIGHT for step in steps]
    if steps and len(steps) <= AT_ONCE and sum(weights) <= WEIGHT_AT_ONCE:
        yield list(steps), sum(weights)
        return
    chunk: list[Incoming] = []
    held = 0.0
    for step, weight in zip(steps, weights, strict=True):
        if chunk and (held + weight > pace.room or len(chunk) == AT_ONCE):
            yield chunk, held
            chunk, held = [], 0.0
        chunk.append(step)
        held += weight
    if chunk:
        yield chunk, held
