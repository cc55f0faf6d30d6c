"""How PostgreSQL answers statements: their plans, and tables of some size that are read from end to end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from hermes_sessions.bench.recording import Sent
from hermes_sessions.stores.database import LiveDatabase

WATCHED = ("messages", "sessions")
SMALL = 10_000
"""Rows of a table that may be read whole."""
SETTING = "SELECT set_config"


@dataclass(frozen=True)
class Plan:
    """Of a statement that was sent `times` over, for other values perhaps. `nodes` go from the outermost to the
    innermost, `scanned` are the greater tables that are read from end to end. In all of its runs it gave `rows`, looked
    at `pages` of eight kB, whether they were in memory or not, and took `ms` by the server's clock."""

    sql: str
    nodes: Sequence[str]
    scanned: Sequence[str]
    times: int
    rows: float
    pages: int
    ms: float

    def and_then(self, other: Plan) -> Plan:
        return replace(
            self,
            scanned=sorted({*self.scanned, *other.scanned}),
            times=self.times + other.times,
            rows=self.rows + other.rows,
            pages=self.pages + other.pages,
            ms=self.ms + other.ms,
        )


async def plans_of(database: LiveDatabase, schema: str, sent: Sequence[Sent]) -> list[Plan]:
    """Of the questions of a store's tables among what was sent: each is asked again, and planned as when the server has
    seen it often and does not look at the values any more. A search says itself how it wants to be planned."""
    async with database.connection() as connection:
        raw = connection.raw_connection
        greater = await _greater(raw, schema)
        transaction = raw.transaction(readonly=True)
        await transaction.start()
        try:
            await raw.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            return await _plans(raw, schema, sent, greater)
        finally:
            await transaction.rollback()


async def _plans(raw: Any, schema: str, sent: Sequence[Sent], greater: frozenset[str]) -> list[Plan]:
    plans: dict[tuple[str, str], Plan] = {}
    for each in sent:
        if each.sql.startswith(SETTING):
            await raw.execute(each.sql)
        elif f"{schema}." in each.sql:
            plan = await _plan(raw, each, greater)
            key = (plan.sql, " ".join(plan.nodes))
            plans[key] = plans[key].and_then(plan) if key in plans else plan
    return list(plans.values())


async def _greater(raw: Any, schema: str) -> frozenset[str]:
    """The watched tables that have more than a few rows, by the server's own estimate."""
    rows = await raw.fetch(
        "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
        " WHERE nspname = $1 AND relname = ANY($2) AND reltuples > $3",
        schema,
        list(WATCHED),
        SMALL,
    )
    return frozenset(row["relname"] for row in rows)


async def _plan(raw: Any, sent: Sent, greater: frozenset[str]) -> Plan:
    told = await raw.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sent.sql}", *sent.values)
    [explained] = orjson.loads(told)
    top = explained["Plan"]
    nodes = list(_nodes(top))
    scans = [node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"]
    return Plan(
        " ".join(sent.sql.split()),
        [_named(node) for node in nodes],
        sorted(greater.intersection(scans)),
        1,
        top["Actual Rows"],
        top["Shared Hit Blocks"] + top["Shared Read Blocks"],
        explained["Execution Time"],
    )


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


def _named(node: Mapping[str, Any]) -> str:
    """The kind of a node, with what it reads."""
    read = node.get("Index Name") or node.get("Relation Name")
    return f"{node['Node Type']} {read}" if read else str(node["Node Type"])
