"""What can be told about how a store is, as facts: sizes, rows, search indexes, locks, and who has it open.

A fact that could not be found out is None. Judgement is in `findings.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session


class IndexState(Enum):
    """How a full-text index is. Where several hold, the first of this order that fits, OK last."""

    NONE = "NONE"
    UNKNOWN_TOKENIZER = "UNKNOWN_TOKENIZER"
    DAMAGED = "DAMAGED"
    BUILDING = "BUILDING"
    STALE = "STALE"
    MISSING_TRIGGERS = "MISSING_TRIGGERS"
    OK = "OK"


class LockKind(Enum):
    """COMPRESSION: a session is being compressed. TURN: an agent is answering in a conversation."""

    COMPRESSION = "COMPRESSION"
    TURN = "TURN"


@dataclass(frozen=True)
class Lock:
    """A row with which an agent keeps others away. `subject` is the session's or the conversation's id."""

    kind: LockKind
    subject: str
    holder: str
    expires_at: float | None

    def is_held(self, now: float) -> bool:
        return self.expires_at is not None and self.expires_at > now


@dataclass(frozen=True)
class Place:
    """Where a store is kept, told from outside. `mode` are the permission bits, `owner` is a user's number."""

    file_bytes: int | None = None
    wal_bytes: int | None = None
    file_system: str | None = None
    is_network: bool | None = None
    owner: int | None = None
    mode: int | None = None


@dataclass(frozen=True)
class StoreHealth:
    """What is told at once, without reading rows of sessions or messages."""

    schema_version: int | None = None
    missing_columns: Sequence[str] = ()
    unknown_columns: Sequence[str] = ()
    place: Place = Place()
    page_bytes: int | None = None
    page_count: int | None = None
    free_pages: int | None = None
    journal_mode: str | None = None
    library: str | None = None
    library_warnings: Sequence[str] = ()
    locks: Sequence[Lock] = ()


@dataclass(frozen=True)
class RowFacts:
    """Counted rows. Orphans are rows of a session that does not exist; `orphan_session_ids` names the first such."""

    sessions: int
    messages: int
    usage: int
    orphan_messages: int = 0
    orphan_usage: int = 0
    orphan_session_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Part:
    """A table or an index, and the bytes of the pages that it uses; None where time ran out before it."""

    name: str
    is_index: bool
    size_bytes: int | None


@dataclass(frozen=True)
class SearchIndex:
    """A full-text index. `expected_rows` is None where it is not known which rows it should hold."""

    name: str
    state: IndexState
    indexed_rows: int | None = None
    expected_rows: int | None = None


@dataclass(frozen=True)
class Holder:
    """A process that has the store's files open. `has_lock` is None where the system does not tell."""

    pid: int
    command: str | None
    is_this_process: bool
    has_lock: bool | None


@dataclass(frozen=True)
class Holders:
    """Who has the files open. `hidden` counts processes that did not let us look."""

    known: Sequence[Holder]
    hidden: int


@dataclass(frozen=True)
class Dangling:
    """A session whose parent does not exist."""

    id: str
    parent_id: str


@dataclass(frozen=True)
class Miscount:
    """A session whose `message_count` is not the number of its live messages, the rows that Hermes counts.

    Taking messages back makes them rewound and leaves the counter as it was: `is_explained` is true where the
    counter is at most `live` + `rewound`.
    """

    id: str
    counted: int
    live: int
    rewound: int
    is_taken_for_empty: bool
    """It counts 0, has ended and is not archived: what Hermes deletes as an empty session, its messages included."""

    @property
    def is_undercount(self) -> bool:
        return self.counted < self.live

    @property
    def is_explained(self) -> bool:
        return self.live <= self.counted <= self.live + self.rewound


@dataclass(frozen=True)
class DoubledTitle:
    """Sessions that have the same title, which Hermes means to be unique."""

    title: str
    ids: Sequence[str]


@dataclass(frozen=True)
class SessionFacts:
    """What the sessions say about each other and about their messages; everything in the order of ids."""

    dangling: Sequence[Dangling] = ()
    cyclic_ids: Sequence[str] = ()
    miscounts: Sequence[Miscount] = ()
    warned_ids: Sequence[str] = ()
    bad_ids: Sequence[str] = ()
    doubled_titles: Sequence[DoubledTitle] = ()


def session_facts(forest: Forest) -> SessionFacts:
    """In time linear to the number of sessions."""
    sessions = [forest.sessions[session_id] for session_id in forest.ids]
    return SessionFacts(
        dangling=[Dangling(s.id, s.parent_id) for s in sessions if s.parent_id and s.parent_id not in forest.sessions],
        cyclic_ids=[session.id for session in sessions if forest.in_cycle(session.id)],
        miscounts=[_miscount(session) for session in sessions if session.counted_messages != session.activity.live],
        warned_ids=[session.id for session in sessions if session.warnings],
        bad_ids=[session.id for session in sessions if not _is_good_id(session.id)],
        doubled_titles=_doubled_titles(sessions),
    )


def _miscount(session: Session) -> Miscount:
    return Miscount(
        id=session.id,
        counted=session.counted_messages,
        live=session.activity.live,
        rewound=session.activity.rewound,
        is_taken_for_empty=session.counted_messages == 0 and session.has_ended and not session.archived,
    )


def _is_good_id(session_id: str) -> bool:
    """Not empty, and printable: NUL and broken bytes were read as U+FFFD."""
    return session_id.isprintable() and session_id.strip() != "" and "\ufffd" not in session_id


def _doubled_titles(sessions: Sequence[Session]) -> list[DoubledTitle]:
    times: Counter[str] = Counter(session.title for session in sessions if session.title)
    doubled: dict[str, list[str]] = {title: [] for title, count in times.items() if count > 1}
    for session in sessions:
        if session.title is not None and session.title in doubled:
            doubled[session.title].append(session.id)
    return [DoubledTitle(title, ids) for title, ids in sorted(doubled.items())]
