"""A run as Markdown, for people, and as JSON, for comparing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from hermes_sessions.bench.engine_tables import engine_tables, engine_values
from hermes_sessions.bench.engines import Engines
from hermes_sessions.bench.rows import FLOOR, Row
from hermes_sessions.bench.tables import NOTHING, items, line, number, table
from hermes_sessions.bench.targets import targets_of

_VERDICTS = {True: "yes", False: "**no**", None: NOTHING}


@dataclass
class Report:
    """`operations` are compared with the floor, `comparisons` each with what it names, `engines` are PostgreSQL against
    SQLite for each home; `notes` say what was not measured, and why. `tell` is called with a line for each row that
    comes: a run takes minutes."""

    tell: Callable[[str], None] = lambda _: None
    facts: dict[str, Any] = field(default_factory=dict)
    operations: list[Row] = field(default_factory=list)
    comparisons: list[Row] = field(default_factory=list)
    engines: list[Engines] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_operation(self, row: Row) -> None:
        self.operations.append(row)
        self.tell(line(row))

    def add(self, rows: Iterable[Row]) -> None:
        """Comparisons."""
        for row in rows:
            self.comparisons.append(row)
            self.tell(line(row))

    def add_engines(self, engines: Engines) -> None:
        self.engines.append(engines)
        for row in (*engines.rows, *(each.row for each in engines.asked)):
            self.tell(line(row))

    @property
    def failures(self) -> list[str]:
        """What must not be, however fast it is."""
        return [failure for engines in self.engines for asked in engines.asked for failure in asked.failures]

    def markdown(self) -> str:
        parts = [", ".join(f"{name}: {value}" for name, value in self.facts.items())]
        parts.append(self._operation_table())
        parts.append(self._comparison_table())
        parts += map(engine_tables, self.engines)
        parts.append("\n".join([f"- {self._summary()}", *(f"- {note}" for note in self.notes)]))
        return "\n\n".join(parts)

    def json(self) -> bytes:
        document = {
            "facts": self.facts,
            "operations": [_object(row) for row in self.operations],
            "comparisons": [_object(row) for row in self.comparisons],
            "engines": [engine_values(each) | {"server": list(map(_object, each.rows))} for each in self.engines],
            "notes": self.notes,
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def _operation_table(self) -> str:
        peers = list(dict.fromkeys(name for row in self.operations for name in row.peers))
        head = ["operation", "items", "API ms", "p95", "floor ms", "ratio", "target", "met?"]
        lines = []
        for row in self.operations:
            base = row.base if row.against == FLOOR else None
            ratio = number(row.ratio if base is not None else None)
            others = [number(row.peers[name].ms if name in row.peers else None) for name in peers]
            cells = [row.name, str(row.items), number(row.value), number(row.p95), number(base), ratio]
            lines.append([*cells, *_judged(row), *others])
        return table([*head, *(f"{name} ms" for name in peers)], lines)

    def _comparison_table(self) -> str:
        lines = []
        for row in self.comparisons:
            against = f"{row.against} {number(row.base)}" if row.against is not None else NOTHING
            measured = f"{number(row.value)} {row.unit}"
            cells = [row.name, items(row), measured, number(row.p95), against, number(row.ratio)]
            lines.append([*cells, *_judged(row)])
        return table(["what", "items", "measured", "p95", "against", "ratio", "target", "met?"], lines)

    def _summary(self) -> str:
        judged = [(row, each, each.is_met(row)) for row in self._rows() for each in targets_of(row)]
        missed = [f"{row.name} ({target.text})" for row, target, is_met in judged if is_met is False]
        met = sum(is_met is True for *_, is_met in judged)
        sentence = f"Targets: {met} met, {len(missed)} missed, {len(judged) - met - len(missed)} not measured."
        return f"{sentence} Missed: {'; '.join(missed)}." if missed else sentence

    def _rows(self) -> list[Row]:
        return [*self.operations, *self.comparisons]


def _judged(row: Row) -> list[str]:
    """The cells of the target and of whether it is met, with an entry for each target."""
    targets = targets_of(row)
    if not targets:
        return [NOTHING, NOTHING]
    return [", ".join(each.text for each in targets), ", ".join(_VERDICTS[each.is_met(row)] for each in targets)]


def _object(row: Row) -> dict[str, Any]:
    targets = [{"text": each.text, "limit": each.limit, "met": each.is_met(row)} for each in targets_of(row)]
    peers = {name: {"ms": peer.ms, "items": peer.items} for name, peer in row.peers.items()}
    return {
        "key": row.key,
        "name": row.name,
        "value": row.value,
        "unit": row.unit,
        "p95": row.p95,
        "items": row.items,
        "against": row.against,
        "base": row.base,
        "baseItems": row.base_items,
        "ratio": row.ratio,
        "sessions": row.sessions,
        "targets": targets,
        "peers": peers,
    }
