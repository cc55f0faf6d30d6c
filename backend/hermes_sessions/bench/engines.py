"""The same home on both engines: each operation in turn through HTTP, and what PostgreSQL is asked for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hermes_sessions.bench.changes import STATEMENT_SECONDS, change_row
from hermes_sessions.bench.comparing import deep_pages, items_of
from hermes_sessions.bench.filling import fill_copy
from hermes_sessions.bench.operations import COUNTS, OPERATIONS, Operation
from hermes_sessions.bench.plans import Plan, plans_of
from hermes_sessions.bench.recording import recorder
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import Api, Client, api
from hermes_sessions.bench.starting import peak_megabytes, start_times
from hermes_sessions.bench.subjects import Subjects, subjects_of
from hermes_sessions.bench.timing import measured
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address

SQLITE = "SQLite"


@dataclass(frozen=True)
class Asked:
    """What an operation costs in PostgreSQL: `row` against SQLite, `depth` of a deep page against the first one (None:
    it has no pages), `trips` to the database and back for the same question again, or for a search of other words, and
    the `plans` of its first question."""

    row: Row
    depth: float | None
    trips: int
    plans: Sequence[Plan]

    @property
    def failures(self) -> list[str]:
        """Tables of some size that are read from end to end."""
        scans = [(plan, table) for plan in self.plans for table in plan.scanned]
        return [f"{self.row.name} reads all of {table}: {plan.sql[:300]}" for plan, table in scans]


@dataclass(frozen=True)
class Engines:
    """`asked` by operation; `rows` are about the server as a whole."""

    sessions: int
    asked: Sequence[Asked]
    rows: Sequence[Row]


def measure_engines(home: Path, url: str, rounds: int) -> Engines:
    """Fills the database with a copy of the home's default profile, unless it has one. Raises RuntimeError where it
    has anything else."""
    began = time.monotonic()
    is_new = asyncio.run(fill_copy(home, url))
    filled = time.monotonic() - began
    with ExitStack() as stack:
        sqlite, postgres = stack.enter_context(api(home)), stack.enter_context(api(home, url=url))
        ours = subjects_of(postgres.client, home / "state.db")
        theirs = subjects_of(sqlite.client, home / "state.db")
        rows = [Row("postgres fill", "filling the database", filled, "s", sessions=ours.sessions)] if is_new else []
        rows += _server_rows(home, url, sqlite, postgres, ours)
        possible = [each for each in OPERATIONS if each.is_possible(ours)]
        times = [_row(each, postgres.client, ours, sqlite.client, theirs, rounds) for each in possible]
        depths = [_depth(each, postgres.client, ours, rounds) for each in possible]
        rows.append(asyncio.run(change_row(url, postgres.client, ours)))
    explained = asyncio.run(_explained(url, possible, ours))
    asked = [Asked(*each) for each in zip(times, depths, *zip(*explained, strict=True), strict=True)]
    return Engines(ours.sessions, asked, rows)


def _row(operation: Operation, ours: Client, about: Subjects, base: Client, theirs: Subjects, rounds: int) -> Row:
    times = measured({"own": operation.ask(ours, about), "base": operation.ask(base, theirs)}, {}, rounds)
    return Row(
        f"postgres {operation.key}",
        operation.name,
        times["own"].median,
        p95=times["own"].p95,
        items=items_of(operation, ours, about),
        against=SQLITE,
        base=times["base"].median,
        base_items=items_of(operation, base, theirs),
        sessions=about.sessions,
    )


def _depth(operation: Operation, client: Client, about: Subjects, rounds: int) -> float | None:
    deep = deep_pages(about).get(operation)
    if deep is None or deep.after is None:
        return None
    further = operation.following(deep.after)
    times = measured({"deep": further.ask(client, about), "first": operation.ask(client, about)}, {}, rounds)
    return times["deep"].median / times["first"].median


def _server_rows(home: Path, url: str, sqlite: Api, postgres: Api, about: Subjects) -> Iterator[Row]:
    """Both servers have shown every page of sessions and conversations by now."""
    names = {"start": "start to READY", "first page": "start to the first page of conversations"}
    for (key, name), own, base in zip(names.items(), start_times(home, url), start_times(home), strict=True):
        yield Row(f"postgres {key}", name, own, "s", against=SQLITE, base=base, sessions=about.sessions)
    peak = peak_megabytes(postgres.pid)
    if peak is not None:
        base_peak = peak_megabytes(sqlite.pid)
        yield Row("postgres memory", "memory", peak, "MB", against=SQLITE, base=base_peak, sessions=about.sessions)


async def _explained(url: str, operations: Sequence[Operation], about: Subjects) -> list[tuple[int, list[Plan]]]:
    """The trips and the plans of each. The picture of all sessions is there before the first one."""
    address = Address.of("default", url)
    database = postgres_database(address, size=1, limit=STATEMENT_SECONDS)
    explained = []
    async with recorder(address) as recorded, database:
        await recorded.sent_for(COUNTS, about, 0)
        for operation in operations:
            first = await recorded.sent_for(operation, about, 0)
            again = await recorded.sent_for(operation, about, 1)
            explained.append((len(again), await plans_of(database, address.schema, first)))
    return explained
