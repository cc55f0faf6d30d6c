"""One look at a store, and what a finding about it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.health.facts import Holders, Part, RowFacts, SearchIndex, SessionFacts, StoreHealth
from hermes_sessions.model.ids import DEFAULT_PROFILE

MOST_IDS = 20


class Severity(Enum):
    """PROBLEM: data is damaged or in danger. WARNING: something is wrong and shows. NOTE: good to know. OK: checked."""

    PROBLEM = "PROBLEM"
    WARNING = "WARNING"
    NOTE = "NOTE"
    OK = "OK"


class Area(Enum):
    """What a finding is about."""

    STORE = "STORE"
    FILE = "FILE"
    SCHEMA = "SCHEMA"
    LOCKS = "LOCKS"
    LINKS = "LINKS"
    COUNTS = "COUNTS"
    CELLS = "CELLS"
    ROWS = "ROWS"
    SEARCH = "SEARCH"
    PAGES = "PAGES"


@dataclass(frozen=True)
class Finding:
    """`code` is stable, for scripts. `count` says how many there are and `ids` names the first of them."""

    severity: Severity
    area: Area
    code: str
    message: str
    advice: str | None = None
    count: int | None = None
    ids: Sequence[str] = ()


@dataclass(frozen=True)
class Examination:
    """What one look at a store has found out. A part that is None was not asked for, or `failures` says why."""

    profile: str
    now: float
    is_file: bool = True
    """Of SQLite, as Hermes keeps it; otherwise a database of a server."""
    is_empty: bool = False
    refusal: HermesSessionsError | None = None
    limits: str | None = None
    """Why changes would be refused, where they would."""
    health: StoreHealth | None = None
    holders: Holders | None = None
    sessions: SessionFacts | None = None
    rows: RowFacts | None = None
    indexes: Sequence[SearchIndex] | None = None
    parts: Sequence[Part] | None = None
    damages: Sequence[str] | None = None
    failures: Mapping[Area, HermesSessionsError] = field(default_factory=dict)


def command(profile: str, rest: str) -> str:
    """A command of Hermes for this profile."""
    return f"hermes {rest}" if profile == DEFAULT_PROFILE else f"hermes -p {profile} {rest}"


def damaged(look: Examination, message: str) -> Finding:
    advice = "Stop every server on it, copy the database aside, then restore it from a backup."
    if look.is_file:
        repair = command(look.profile, "sessions repair")
        advice = f"Stop Hermes, copy state.db and its -wal aside, then run `{repair}`."
    return Finding(Severity.PROBLEM, Area.STORE, "DAMAGED", message, advice)


def many(
    severity: Severity, area: Area, code: str, ids: Sequence[str], words: str, advice: str, noun: str = " session"
) -> Iterator[Finding]:
    if ids:
        plural = "s" if noun and len(ids) != 1 else ""
        yield Finding(
            severity, area, code, words.format(f"{len(ids):,}{noun}{plural}"), advice, len(ids), list(ids[:MOST_IDS])
        )


def amount(size: int) -> str:
    """As people read it, in units of 1000."""
    number = float(size)
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.1f} {unit}" if unit != "B" else f"{size} B"
        number /= 1000
    return f"{number:.1f} GB"
