"""A run as Markdown, for people, and as JSON, for comparing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from hermes_sessions.bench.rows import FLOOR, Row
from hermes_sessions.bench.targets import targets_of

_NOTHING = "–"
_VERDICTS = {True: "yes", False: "**no**", None: _NOTHING}


@dataclass
class Report:
    """`operations` are compared with the floor, `comparisons` each with what it names; `notes` say what was not
    measured, and why. `tell` is called with a line for each row that comes: a run takes minutes."""

    tell: Callable[[str], None] = lambda _: None
    facts: dict[str, Any] = field(default_factory=dict)
    operations: list[Row] = field(default_factory=list)
    comparisons: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_operation(self, row: Row) -> None:
        self.operations.append(row)
        self.tell(_line(row))

    def add(self, rows: Iterable[Row]) -> None:
        """Comparisons."""
        for row in rows:
            self.comparisons.append(row)
            self.tell(_line(row))

    def markdown(self) -> str:
        parts = [", ".join(f"{name}: {value}" for name, value in self.facts.items())]
        parts.append(self._operation_table())
        parts.append(self._comparison_table())
        parts.append("\n".join([f"- {self._summary()}", *(f"- {note}" for note in self.notes)]))
        return "\n\n".join(parts)

    def json(self) -> bytes:
        document = {
            "facts": self.facts,
            "operations": [_object(row) for row in self.operations],
            "comparisons": [_object(row) for row in self.comparisons],
            "notes": self.notes,
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def _operation_table(self) -> str:
        peers = list(dict.fromkeys(name for row in self.operations for name in row.peers))
        head = ["operation", "items", "API ms", "p95", "floor ms", "ratio", "target", "met?"]
        lines = []
        for row in self.operations:
            base = row.base if row.against == FLOOR else None
            ratio = _number(row.ratio if base is not None else None)
            others = [_number(row.peers[name].ms if name in row.peers else None) for name in peers]
            cells = [row.name, str(row.items), _number(row.value), _number(row.p95), _number(base), ratio]
            lines.append([*cells, *_judged(row), *others])
        return _table([*head, *(f"{name} ms" for name in peers)], lines)

    def _comparison_table(self) -> str:
        lines = []
        for row in self.comparisons:
            against = f"{row.against} {_number(row.base)}" if row.against is not None else _NOTHING
            measured = f"{_number(row.value)} {row.unit}"
            cells = [row.name, _items(row), measured, _number(row.p95), against, _number(row.ratio)]
            lines.append([*cells, *_judged(row)])
        return _table(["what", "items", "measured", "p95", "against", "ratio", "target", "met?"], lines)

    def _summary(self) -> str:
        judged = [(row, each, each.is_met(row)) for row in self._rows() for each in targets_of(row)]
        missed = [f"{row.name} ({target.text})" for row, target, is_met in judged if is_met is False]
        met = sum(is_met is True for *_, is_met in judged)
        sentence = f"Targets: {met} met, {len(missed)} missed, {len(judged) - met - len(missed)} not measured."
        return f"{sentence} Missed: {'; '.join(missed)}." if missed else sentence

    def _rows(self) -> list[Row]:
        return [*self.operations, *self.comparisons]


def _line(row: Row) -> str:
    against = f", {row.against} {_number(row.base)}" if row.against is not None else ""
    return f"{row.name}: {_number(row.value)} {row.unit}{against}"


def _items(row: Row) -> str:
    """How much came in both answers: times of pages that are not as full as each other compare little."""
    return _NOTHING if row.items is None else f"{row.items} / {row.base_items}"


def _judged(row: Row) -> list[str]:
    """The cells of the target and of whether it is met, with an entry for each target."""
    targets = targets_of(row)
    if not targets:
        return [_NOTHING, _NOTHING]
    return [", ".join(each.text for each in targets), ", ".join(_VERDICTS[each.is_met(row)] for each in targets)]


def _number(value: float | None) -> str:
    """Three digits that count."""
    if value is None:
        return _NOTHING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


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
