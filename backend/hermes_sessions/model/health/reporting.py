"""What `doctor` says, as text for people and as JSON for scripts."""

from __future__ import annotations

import dataclasses
import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hermes_sessions.model.health.examination import Examination, Finding, Severity, amount
from hermes_sessions.model.health.facts import Part
from hermes_sessions.model.printing import printable

FORMAT = "hermes-sessions-doctor/1"
WIDTH = 110
LARGEST_PARTS = 5


@dataclass(frozen=True)
class Report:
    """The findings about one profile's store. `seconds` is how long the look took."""

    look: Examination
    findings: Sequence[Finding]
    path: str
    seconds: float


def as_json(reports: Sequence[Report], exit_status: int) -> str:
    """One document. Escaped as ASCII, so that nothing stored can reach a terminal as a control sequence."""
    profiles = [_plain_report(report) for report in reports]
    return json.dumps({"format": FORMAT, "exitStatus": exit_status, "profiles": profiles}, indent=2)


def _plain_report(report: Report) -> dict[str, Any]:
    look = report.look
    return {
        "profile": look.profile,
        "path": report.path,
        "seconds": round(report.seconds, 3),
        "findings": _plain(report.findings),
        "facts": {
            "health": _plain(look.health),
            "holders": _plain(look.holders),
            "sessions": _plain(look.sessions),
            "rows": _plain(look.rows),
            "searchIndexes": _plain(look.indexes),
            "parts": _plain(look.parts),
            "damages": _plain(look.damages),
        },
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {_camel(each.name): _plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def as_text(reports: Sequence[Report]) -> str:
    """A paragraph for each profile, and a last line that sums up."""
    lines = [line for report in reports for line in _paragraph(report)]
    return "\n".join([*map(printable, lines), _sum(reports)])


def _paragraph(report: Report) -> Iterator[str]:
    yield f"{report.look.profile}: {report.path}"
    for facts in _facts(report.look):
        yield f"  {facts}"
    for finding in report.findings:
        yield from _wrapped(f"  {finding.severity.value:<8} ", finding.message)
        if finding.ids and finding.severity is not Severity.OK and list(finding.ids) != [finding.message.split()[0]]:
            more = (finding.count or 0) - len(finding.ids)
            yield from _wrapped(" " * 11, ", ".join(finding.ids) + (f" and {more:,} more" if more > 0 else ""))
        if finding.advice:
            yield from _wrapped("        -> ", finding.advice)
    yield f"  Looked at in {report.seconds:.1f} s."
    yield ""


def _wrapped(lead: str, words: str) -> list[str]:
    return textwrap.wrap(
        printable(words), WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead), break_long_words=False
    )


def _facts(look: Examination) -> Iterator[str]:
    if look.health is not None and look.health.place.file_bytes is not None:
        yield ", ".join(_file_facts(look))
    if look.rows is not None:
        yield f"{look.rows.sessions:,} sessions, {look.rows.messages:,} messages, {look.rows.usage:,} usage rows"
    if look.parts:
        yield "Largest: " + ", ".join(map(_size, look.parts[:LARGEST_PARTS]))
    if look.holders is None:
        yield "Who has it open cannot be told on this system."
    else:
        others = [f"{each.pid} ({each.command})" for each in look.holders.known if not each.is_this_process]
        hidden = f" {look.holders.hidden} processes of other users could not be asked." if look.holders.hidden else ""
        yield (f"Open in: {', '.join(others)}." if others else "Nobody else has it open.") + hidden


def _file_facts(look: Examination) -> Iterator[str]:
    assert look.health is not None
    health, place = look.health, look.health.place
    yield amount(place.file_bytes or 0)
    if place.wal_bytes is not None:
        yield f"log {amount(place.wal_bytes)}"
    if health.page_bytes is not None and health.free_pages is not None:
        yield f"{amount(health.free_pages * health.page_bytes)} free"
    yield from (
        f"{label}{value}"
        for label, value in (
            ("journal ", health.journal_mode),
            ("on ", place.file_system),
            ("owner ", place.owner),
            ("mode ", f"{place.mode:04o}" if place.mode is not None else None),
            ("schema ", health.schema_version),
            ("SQLite ", health.library),
        )
        if value is not None
    )


def _size(part: Part) -> str:
    return f"{part.name} {amount(part.size_bytes) if part.size_bytes is not None else '(not measured)'}"


def _sum(reports: Sequence[Report]) -> str:
    counts: Mapping[Severity, int] = Counter(finding.severity for report in reports for finding in report.findings)
    words = [
        f"{counts[severity]} {name}{'s' if counts[severity] != 1 else ''}"
        for severity, name in (
            (Severity.PROBLEM, "problem"),
            (Severity.WARNING, "warning"),
            (Severity.NOTE, "note"),
        )
        if counts.get(severity)
    ]
    return f"{', '.join(words) if words else 'All is well'}."
