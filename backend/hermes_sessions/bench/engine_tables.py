"""What a run on both engines gives, as Markdown and as values for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hermes_sessions.bench.engines import Asked, Engines
from hermes_sessions.bench.plans import Plan
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.tables import NOTHING, items, number, table

SHOWN_CHARACTERS = 100
"""Of a statement; the JSON has all of it."""
_ASKED = (
    "PostgreSQL",
    "items",
    "ms",
    "p95",
    "SQLite ms",
    "ratio",
    "deep / first",
    "trips",
    "statements",
    "their ms",
    "pages",
)
_SERVER = ("PostgreSQL", "measured", "p95", "against", "ratio")
_PLANS = ("statements of", "SQL", "plan", "times", "rows", "pages", "ms")


def engine_tables(engines: Engines) -> str:
    """Operations, then what is about the server as a whole, then the statements of each operation."""
    plans = [[each.row.name, *_plan_cells(plan)] for each in engines.asked for plan in each.plans]
    return "\n\n".join(
        [
            table(_ASKED, [_asked_cells(each) for each in engines.asked]),
            table(_SERVER, [_server_cells(row) for row in engines.rows]),
            table(_PLANS, plans),
        ]
    )


def engine_values(engines: Engines) -> dict[str, Any]:
    return {"sessions": engines.sessions, "operations": [_asked_values(each) for each in engines.asked]}


def _asked_cells(asked: Asked) -> list[str]:
    row = asked.row
    figures = (row.value, row.p95, row.base, row.ratio, asked.depth)
    sums = (sum(plan.times for plan in asked.plans), sum(plan.ms for plan in asked.plans))
    pages = sum(plan.pages for plan in asked.plans)
    return [row.name, items(row), *map(number, figures), str(asked.trips), str(sums[0]), number(sums[1]), number(pages)]


def _server_cells(row: Row) -> list[str]:
    against = f"{row.against} {number(row.base)}" if row.against is not None else NOTHING
    return [row.name, f"{number(row.value)} {row.unit}", number(row.p95), against, number(row.ratio)]


def _plan_cells(plan: Plan) -> list[str]:
    sql = plan.sql if len(plan.sql) <= SHOWN_CHARACTERS else f"{plan.sql[:SHOWN_CHARACTERS]}…"
    figures = (plan.rows, plan.pages, plan.ms)
    return [f"`{sql}`".replace("|", "\\|"), ", ".join(plan.nodes), str(plan.times), *map(number, figures)]


def _asked_values(asked: Asked) -> dict[str, Any]:
    row = asked.row
    return {
        "key": row.key,
        "name": row.name,
        "value": row.value,
        "p95": row.p95,
        "base": row.base,
        "ratio": row.ratio,
        "items": row.items,
        "baseItems": row.base_items,
        "depth": asked.depth,
        "trips": asked.trips,
        "plans": [asdict(plan) for plan in asked.plans],
    }
