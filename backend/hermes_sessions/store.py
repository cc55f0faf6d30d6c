"""The questions that the API may ask of a profile's database, and the changes that it may order.

Every question takes many ids at once and answers with a mapping, so that a page costs a fixed number of statements.
Ids that do not exist are left out of the answer. All methods raise HermesSessionsError and nothing else that is
expected.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.appending import NewMessage
from hermes_sessions.model.bulk import ErrorPolicy, Skipped
from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.health import Holders, Part, Place, RowFacts, SearchIndex, StoreHealth
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.message import Message, MessageState
from hermes_sessions.model.new_session import NewSession
from hermes_sessions.model.recording import UsageRecord
from hermes_sessions.model.shaping import DeletionPlan, Scope
from hermes_sessions.model.usage import Cost, ModelUsage, add_cost


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


@dataclass(frozen=True, slots=True)
class Line:
    """A message's place in a transcript: the number of its segment, its id, its state."""

    segment: int
    id: int
    state: MessageState


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
    """`ids` are whole ids, in the order of the answer."""

    ids: Sequence[str]
    scope: Scope
    policy: ErrorPolicy
    archived: bool
    dry_run: bool = False


@dataclass(frozen=True)
class BulkDeletion:
    """`idle_since` spares conversations that were active at that moment or later, seconds since 1970."""

    ids: Sequence[str]
    scope: Scope
    policy: ErrorPolicy
    permanent: bool = False
    force: bool = False
    idle_since: float | None = None
    dry_run: bool = False


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


class Store(Protocol):
    """One profile's database."""

    @property
    def profile(self) -> str: ...

    @property
    def engine(self) -> Engine: ...

    async def state(self) -> StoreState:
        """Never raises: what is wrong is the answer."""

    async def health(self) -> StoreHealth:
        """What can be told at once."""

    async def place(self) -> Place:
        """Where the store is kept. Never raises: also of a store that cannot be read."""

    async def row_facts(self) -> RowFacts: ...

    async def parts(self, seconds: float | None) -> Sequence[Part]:
        """Sizes by table and index, measured for at most so long; None is the limit of a statement, at most 5 s."""

    async def search_indexes(self) -> Sequence[SearchIndex]: ...

    async def holders(self) -> Holders | None:
        """Which processes have the store open; None where that cannot be told."""

    async def damages(self) -> Sequence[str]:
        """What a reading of the whole store finds to be damaged; empty when it is sound. Takes long."""

    async def forest(self, freshness: Freshness = Freshness.USUAL) -> Forest:
        """All sessions with their narrow columns, as one consistent picture. An empty store has an empty one."""

    def watch(self, interval: float) -> AsyncGenerator[Pulse, None]:
        """A pulse at once, and one after every commit by anybody, at most one in `interval` seconds. Failures of the
        store are waited out. Nothing is held once the generator is closed."""

    async def tail(self, start: str, *, after: int, tip: str | None, limit: int) -> Tail | None:
        """The chain that begins with this session, and its messages after `after`, by id, at most `limit`.

        `tip` is the end of the chain as the asker knows it, None where it knows none. Rewound messages are left out,
        and so are copies that a compaction carried along. None where the session does not exist. Must not wait for
        a picture: this is how a message reaches its reader in time.
        """

    async def details(self, session_ids: Sequence[str]) -> Mapping[str, Details]: ...

    async def previews(self, session_ids: Sequence[str]) -> Mapping[str, str | None]: ...

    async def usage_by_model(self, session_ids: Sequence[str]) -> Mapping[str, Sequence[ModelUsage]]: ...

    async def all_usage(self) -> Mapping[str, Sequence[ModelUsage]]:
        """Every usage row of the store, by session id."""

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Sequence[Line]:
        """The messages of these segments in order: by segment, then by id."""

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        """Contents above the page limit come cut; `content` gives the rest."""

    async def content(self, message_id: int, max_bytes: int) -> str | None: ...

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        """For each (session id, id of a message with calls): answered call id -> id of the result's message."""

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        """For each (session id, id of a tool message): id of a call before it -> name of the called tool."""

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage:
        """Rows of these sessions with a rowid above `after`, all columns without any loss: one page of them."""

    async def rename(self, id_or_prefix: str, title: str | None, scope: Scope) -> Change: ...

    async def archive(self, id_or_prefix: str, archived: bool, scope: Scope) -> Change: ...

    async def create(self, new: NewSession) -> Change:
        """Makes the store, too, where the profile has none."""

    async def fork(self, order: Fork) -> Change:
        """`session_id` is the fork's."""

    async def end(self, id_or_prefix: str, reason: str, scope: Scope, *, force: bool) -> Change:
        """Changes nothing where it has ended: the first reason wins."""

    async def reopen(self, id_or_prefix: str, scope: Scope, *, force: bool) -> Change: ...

    async def append(
        self, id_or_prefix: str, messages: Sequence[NewMessage], scope: Scope, *, force: bool
    ) -> Appended: ...

    async def record_usage(self, id_or_prefix: str, record: UsageRecord, scope: Scope) -> Change: ...

    async def delete(
        self, id_or_prefix: str, scope: Scope, *, exact: bool, permanent: bool, force: bool, dry_run: bool
    ) -> Deletion: ...

    async def archive_many(self, order: BulkArchiving) -> BulkChange:
        """Up to 100 sessions in one transaction, more in several that are short."""

    async def delete_many(self, order: BulkDeletion) -> BulkChange:
        """Like archive_many. Every transaction has a bin entry of its own."""

    async def restore(self, bin_id: str, *, dry_run: bool) -> Restoration: ...

    async def bin(self, limit: int) -> Sequence[BinEntry]: ...

    async def close(self) -> None: ...
