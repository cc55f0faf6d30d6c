"""What changes are made of: the statements that an engine must know for them, each on one connection.

What to change, and what must not be, is decided once, above this: in `changing.py`, `shaping.py`, `bulk.py` and the
modules beside them. Ids are whole ids here. Sessions, messages and columns that a store does not have are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from hermes_sessions.model.export.rows import Row, RowPage, Table
from hermes_sessions.model.writing.forking import Turn
from hermes_sessions.store_values import BinEntry

Cells = Mapping[str, Any]

INHERITED = ("source", "model", "system_prompt", "system_prompt_hash", "cwd", "git_branch", "git_repo_root")
"""Columns of a session that a branch goes on with: its parent's settings and folder. It is nobody's chat yet: a gateway
finds the session of a chat by columns that are left out here."""
NOT_COPIED = frozenset({"id", "session_id", "platform_message_id", "active", "compacted", "display_order"})
"""Columns of messages that a copy has anew: flags, and ids of the session that the message was written to."""


@dataclass(frozen=True)
class Link:
    """A parent link that a deletion cut."""

    child_id: str
    parent_id: str


class SessionRows(Protocol):
    """Rows of `sessions`."""

    def has(self, table: str, column: str) -> bool: ...

    async def title_holders(self, title: str) -> list[str]: ...

    async def titles(self) -> list[str]: ...

    async def set_title(self, session_id: str, title: str | None) -> None: ...

    async def set_archived(self, session_ids: Sequence[str], archived: bool) -> list[str]:
        """Ids whose flag changed, in the given order."""

    async def session_cells(self, session_id: str, names: Sequence[str]) -> dict[str, Any]:
        """None for a column that the store does not have."""

    async def insert_session(self, cells: Cells, prompt: str | None) -> None:
        """`prompt` is the system prompt, which later schemas of Hermes keep by its hash."""

    async def insert_branch(self, parent_id: str, cells: Cells, source: str | None) -> None:
        """A row that goes on with its parent's settings, copied exactly. None: with its source, too."""

    async def change_session(self, session_id: str, put: Cells, add: Mapping[str, float]) -> None:
        """Cells to put in, and numbers to add to what is there; nothing there counts as 0."""

    async def end(self, session_id: str, reason: str, *, is_reset: bool) -> list[str]:
        """Ids that were ended now: the first reason wins. After a reset its chat begins a new generation."""

    async def reopen(self, session_id: str) -> list[str]:
        """Ids that had ended."""

    async def mark_child(self, child_id: str, marker: str, parent_id: str) -> None:
        """Writes into a session's settings what it is to its parent; settings that cannot be read stay as they are."""

    async def locked(self, session_ids: Sequence[str]) -> list[str]:
        """Those on which an agent holds a lock or a lease that has not expired."""


class MessageRows(Protocol):
    """Rows of `messages` and `session_model_usage`."""

    async def refuse_messages(self) -> None:
        """Raises UNSUPPORTED_STORE where messages cannot be written or deleted here."""

    async def live_turns(self, session_id: str) -> list[Turn]:
        """What the agent still sees of a session, in order."""

    async def copy_messages(self, message_ids: Sequence[int], session_id: str) -> None:
        """Cell by cell, in their order, but for flags and for ids that belong to the session they were written to."""

    async def known_messages(self, session_ids: Sequence[str], client_ids: Sequence[str]) -> dict[str, int]:
        """Stored messages by client id; of copies that compaction carried along, the latest."""

    async def insert_messages(self, rows: Sequence[Cells]) -> list[int]:
        """Their numbers, in order. All rows have the same columns."""

    async def add_usage(self, keys: Cells, add: Mapping[str, float], put: Cells, at: float) -> None:
        """To the row of these keys, which is made where there is none. `at` is seconds since 1970."""

    async def measure(self, session_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """(messages, bytes of their text) by session id, of sessions with messages."""


class MovingRows(Protocol):
    """Whole rows that leave and come."""

    async def row_sizes(self, table: Table, session_ids: Sequence[str]) -> list[tuple[int, int]]:
        """(number, bytes) of the rows of these sessions, in the order of their numbers."""

    async def encoded_rows(self, table: Table, numbers: Sequence[int]) -> list[str]:
        """Rows as JSON without any loss, in the order of their numbers."""

    async def remove(self, session_ids: Sequence[str], detached_ids: Sequence[str]) -> None:
        """Deletes all rows of the sessions; the detached ones lose their parent."""

    async def forget_deleted_words(self) -> None:
        """To be awaited before messages come back under ids that they had when they were deleted."""

    async def fitting(self, table: Table, rows: Sequence[Row]) -> tuple[list[dict[str, Any]], Set[str]]:
        """Encoded rows as they can be inserted, and names of what they hold that the store has no place for."""

    async def insert_rows(self, table: Table, rows: Sequence[Cells]) -> None:
        """Decoded rows, in their order. Raises UNSUPPORTED_STORE where a rule of the store forbids one."""

    async def relink(self, links: Sequence[Link], restored_ids: Sequence[str]) -> None:
        """Sets these links where both ends are there. Of the restored sessions, those whose link was sound and leads
        nowhere by now lose it."""

    async def exact_rows(self, table: Table, session_ids: Sequence[str], after: int) -> RowPage: ...

    async def count_messages(self, session_id: str) -> int: ...

    async def present_ids(self, session_ids: Sequence[str]) -> set[str]: ...

    async def are_free(self, message_ids: Sequence[int]) -> bool: ...

    async def change_row(self, table: Table, id: str | int, cells: Row) -> None:
        """Encoded cells into one row of `sessions` or `messages`."""

    async def delete_usage(self, session_id: str) -> None: ...

    async def set_savepoint(self) -> None: ...

    async def back_to_savepoint(self) -> None: ...

    async def release_savepoint(self) -> None: ...


class StoreRows(SessionRows, MessageRows, MovingRows, Protocol):
    """All of them, and the bin as it is reached from the same transaction."""

    @property
    def bin(self) -> Bin: ...


class NewEntry(Protocol):
    """A bin entry being filled."""

    @property
    def bin_id(self) -> str: ...

    async def add_rows(self, table: str, cells: Sequence[str]) -> None: ...

    async def add_links(self, links: Sequence[Link]) -> None: ...


class Bin(Protocol):
    """What was deleted from one store, until it is restored or its time is over."""

    @property
    def days(self) -> int:
        """How long entries are kept; 0 keeps none."""

    @property
    def is_in_store(self) -> bool:
        """Whether it is reached by the transaction that changes the store, so that both are kept or neither is."""

    async def until_free(self) -> None:
        """To be awaited before the store is locked: others may take seconds to write to the bin. Raises STORE_BUSY."""

    def new_entry(
        self, title: str | None, session_ids: Sequence[str], size_bytes: int
    ) -> AbstractAsyncContextManager[NewEntry]:
        """An entry that is there once the block has ended without an error."""

    def deleting(self, bin_id: str | None, session_ids: Sequence[str]) -> AbstractAsyncContextManager[None]:
        """The store deletes in the block. Where it fails, nothing is gone and the entry must not say so."""

    def kept_open(self) -> AbstractAsyncContextManager[None]:
        """For many questions of one task, one after the other: what they are asked through is opened once."""

    async def was_deleted(self, session_id: str) -> bool: ...

    async def deleted_among(self, session_ids: Sequence[str]) -> set[str]:
        """Those that were deleted here before."""

    async def holds(self, session_id: str) -> bool:
        """Whether it can still be restored."""

    async def entries(self, limit: int, bin_id: str | None = None) -> list[BinEntry]:
        """Newest first, without those whose time is over."""

    async def count_messages(self, bin_id: str, session_ids: Sequence[str]) -> int:
        """How many messages of an entry belong to these sessions."""

    async def sizes(self, bin_id: str, table: str) -> list[tuple[int, int]]:
        """(number, bytes) of the rows of one table of an entry."""

    async def rows(self, bin_id: str, table: str, numbers: Sequence[int]) -> list[str]:
        """Cells of the rows with these numbers."""

    async def links(self, bin_id: str) -> list[Link]: ...

    async def forget(self, bin_id: str | None, restored_ids: Sequence[str]) -> None:
        """The entry is gone, and the restored ids are no longer known as deleted."""
