"""The questions that the API may ask of a profile's database, and the changes that it may order.

Every question takes many ids at once and answers with a mapping, so that a page costs a fixed number of statements.
Ids that do not exist are left out of the answer. All methods raise HermesSessionsError and nothing else that is
expected.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

from hermes_sessions.model.export.rows import RowPage, Table
from hermes_sessions.model.health.facts import Holders, Part, Place, RowFacts, SearchIndex, StoreHealth
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.lines import Lines
from hermes_sessions.model.live import ChangeKind
from hermes_sessions.model.message import Message
from hermes_sessions.model.outline import Point
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.usage import ModelUsage, UsageTable
from hermes_sessions.model.writing.appending import NewMessage
from hermes_sessions.model.writing.new_session import NewSession
from hermes_sessions.model.writing.recording import UsageRecord
from hermes_sessions.store_values import (
    Appended,
    BinEntry,
    BulkArchiving,
    BulkChange,
    BulkDeletion,
    Change,
    Deletion,
    Details,
    Engine,
    Find,
    Fork,
    Freshness,
    Imported,
    ImportOrder,
    MessageQuery,
    Pulse,
    Restoration,
    StoreState,
    Tail,
)


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

    def mark(self, forest: Forest) -> str | None:
        """Where a picture stands among the changes of the store, for any process; None where a store has no marks."""

    async def changes_since(self, mark: str, forest: Forest) -> Sequence[tuple[ChangeKind, str]] | None:
        """What happened to which session from a mark to this picture, each once; None where that is not known. What
        also depends on others, a session's kind, is told where it may have changed."""

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

    async def all_usage(self) -> UsageTable:
        """Every usage row of the store. The same table for as long as nobody commits."""

    async def transcript(self, session_ids: Sequence[str], query: MessageQuery) -> Lines:
        """The messages of these segments in order: by segment, then by id."""

    async def outline(self, session_ids: Sequence[str], query: MessageQuery, find: Find | None) -> Sequence[Point]:
        """The same messages as `transcript` in the same order, with what their outline is made of."""

    async def content_tails(self, wanted: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], str]:
        """For each (message id, bytes): so much of the end of its stored content, from a whole character on."""

    async def messages(self, message_ids: Sequence[int]) -> Mapping[int, Message]:
        """Contents above the page limit come cut; `content` gives the rest."""

    async def content(self, message_id: int, max_bytes: int) -> str | None: ...

    async def tool_results(self, calls: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, int]]:
        """For each (session id, id of a message with calls): answered call id -> id of the result's message."""

    async def tool_names(self, results: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Mapping[str, str]]:
        """For each (session id, id of a tool message): id of a call before it -> name of the called tool. The call
        that it answers is among them, where there is one."""

    async def search(self, asked: MessageSearch, seconds: float) -> SearchResult:
        """Messages that hold all words, as far as they were found in this time; never those that were taken back."""

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

    async def import_sessions(self, order: ImportOrder) -> Imported:
        """A session comes in whole or not at all. Few go in one transaction, more in several that are short.

        A store that does not exist yet is made, once there is anything to write.
        """

    async def close(self) -> None: ...
