"""How figures are written, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_sessions.bench.rows import Row

NOTHING = "–"


def number(value: float | None) -> str:
    """Three digits that count."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def items(row: Row) -> str:
    """How much came in both answers: times of pages that are not as full as each other compare little."""
    return NOTHING if row.items is None else f"{row.items} / {row.base_items}"


def line(row: Row) -> str:
    """For who waits for the table."""
    against = f", {row.against} {number(row.base)}" if row.against is not None else ""
    return f"{row.name}: {number(row.value)} {row.unit}{against}"


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
