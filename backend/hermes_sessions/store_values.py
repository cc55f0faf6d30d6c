"""What a store is asked, and what it answers: values that every engine understands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.bulk import ErrorPolicy, Skipped
from hermes_sessions.model.importing.incoming import Sessions
from hermes_sessions.model.importing.plan import CutLink
from hermes_sessions.model.message import Message, MessageState
from hermes_sessions.model.search.fields import INDEXED_FIELDS, SearchField
from hermes_sessions.model.shaping import DeletionPlan, Scope
from hermes_sessions.model.usage import Cost, add_cost


class Engine(Enum):
    SQLITE = "SQLITE"
    POSTGRES = "POSTGRES"


class StoreStatus(Enum):
    READY = "READY"
    EMPTY = "EMPTY"
    READ_ONLY = "READ_ONLY"
    BUSY = "BUSY"
    DAMAGED = "DAMAGED"
    UNREACHABLE = "UNREACHABLE"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True)
class StoreState:
    """Whether the store can be used, and a sentence where it cannot."""

    status: StoreStatus
    reason: str | None = None
    size_bytes: int | None = None

    @property
    def is_readable(self) -> bool:
        return self.status in (StoreStatus.READY, StoreStatus.READ_ONLY)


@dataclass(frozen=True)
class Details:
    """The wide columns of a session, which no list reads."""

    model_config: Any
    system_prompt: str | None
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class MessageQuery:
    """Which messages of a transcript; None means no condition. `text` is literal and case folded."""

    roles: frozenset[str] | None = None
    states: frozenset[MessageState] | None = None
    text: str | None = None
    tools: frozenset[str] | None = None
    errors_only: bool = False

    def binding(self) -> list[Any]:
        """What a cursor is bound to."""
        sets = (self.roles, {state.value for state in self.states} if self.states is not None else None, self.tools)
        return [sorted(values) if values is not None else None for values in sets] + [self.text, self.errors_only]


@dataclass(frozen=True)
class Find:
    """What an outline looks for, literally and case folded, and in which fields of a message, at least one."""

    text: str
    fields: frozenset[SearchField] = INDEXED_FIELDS


class Freshness(Enum):
    """How old a picture may be."""

    USUAL = "at most about a second, however fast others commit"
    NOW = "not older than the question, however long the reading takes"
    PROMPT = "whatever is there, where a new one would take long"


@dataclass(frozen=True)
class Pulse:
    """Somebody may have committed. `store` names the database (for a file: this very file); None: there is none."""

    store: str | None


@dataclass(frozen=True)
class Tail:
    """What a chain of continuations got, at one moment. `store` is as in Pulse.

    `segments` are the ids of the chain, first to last. `newest` is the greatest message id of the whole store, 0
    where it has none. `skipped` says that the chain changed in a way that may have left messages untold.
    """

    store: str
    segments: Sequence[str]
    messages: Sequence[Message]
    newest: int
    skipped: bool


@dataclass(frozen=True)
class Change:
    """What a change did. `session_id` is the session that was meant."""

    session_id: str
    changed_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Fork:
    """A branch to be made. None: the title that follows the parent's, the parent's source, all messages, a new id."""

    id_or_prefix: str
    last_message: int | None = None
    title: str | None = None
    source: str | None = None
    new_id: str | None = None


@dataclass(frozen=True)
class Appended:
    """A message's number for each that was sent, in that order; `new_ids` are those written now."""

    session_id: str
    message_ids: Sequence[int]
    new_ids: Sequence[int]


@dataclass(frozen=True)
class Deletion:
    """A deletion, planned or done. `size_bytes` is the text of the messages that go."""

    plan: DeletionPlan
    message_count: int = 0
    size_bytes: int = 0
    already_absent: bool = False
    bin_id: str | None = None

    @staticmethod
    def nothing(*, already_absent: bool = False) -> Deletion:
        return Deletion(DeletionPlan((), ()), already_absent=already_absent)


@dataclass(frozen=True)
class BulkArchiving:
    """`ids` are whole ids, in the order of the answer. After `seconds` no further chunk begins."""

    ids: Sequence[str]
    scope: Scope
    policy: ErrorPolicy
    archived: bool
    dry_run: bool = False
    seconds: float = math.inf


@dataclass(frozen=True)
class BulkDeletion:
    """`idle_since` spares conversations that were active at that moment or later, seconds since 1970. After `seconds`
    no further chunk begins."""

    ids: Sequence[str]
    scope: Scope
    policy: ErrorPolicy
    permanent: bool = False
    force: bool = False
    idle_since: float | None = None
    dry_run: bool = False
    seconds: float = math.inf


@dataclass(frozen=True)
class BulkChange:
    """What a change of many sessions did, exactly, also where `failure` ended it. `bin_ids` are newest first."""

    changed_ids: Sequence[str] = ()
    detached_ids: Sequence[str] = ()
    skipped: Sequence[Skipped] = ()
    message_count: int = 0
    size_bytes: int = 0
    cost: Cost = field(default_factory=lambda: add_cost(()))
    bin_ids: Sequence[str] = ()
    failure: HermesSessionsError | None = None


@dataclass(frozen=True)
class Restoration:
    """What came back out of the bin, and what could not, with the reason."""

    restored_ids: Sequence[str]
    message_count: int
    taken_ids: Sequence[str] = ()


def no_progress(_: int) -> None:
    return


@dataclass(frozen=True)
class ImportOrder:
    """`refresh`: sessions that are there already get what is new where they come from, unless they went on by
    themselves; else they are skipped. `progress` is told how many messages were brought in."""

    sessions: Sessions
    dry_run: bool = False
    refresh: bool = False
    progress: Callable[[int], None] = no_progress


@dataclass(frozen=True)
class Imported:
    """What an import did, exactly, also where `failure` ended it. `warnings` are sentences."""

    imported_ids: Sequence[str] = ()
    grown_ids: Sequence[str] = ()
    skipped: Sequence[Skipped] = ()
    cut_links: Sequence[CutLink] = ()
    warnings: Sequence[str] = ()
    message_count: int = 0
    usage_row_count: int = 0
    failure: HermesSessionsError | None = None


@dataclass(frozen=True)
class BinEntry:
    """One deletion that can be undone. Moments are seconds since 1970."""

    bin_id: str
    profile: str
    title: str | None
    session_ids: Sequence[str]
    message_count: int
    size_bytes: int
    deleted_at: float
    expires_at: float | None = field(default=None)
