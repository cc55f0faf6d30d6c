"""How a store is, in the schema. What takes long is read only when it is asked for."""

from collections.abc import Awaitable
from typing import Annotated, TypeVar

import strawberry

from hermes_sessions.api import health_parts
from hermes_sessions.api.scalars import BigInt, big_int, moment
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.examination import examine
from hermes_sessions.model.health.facts import SessionFacts
from hermes_sessions.model.health.facts import StoreHealth as Facts
from hermes_sessions.model.health.findings import find
from hermes_sessions.store import Store

MOST_LISTED = 500

T = TypeVar("T")
First = Annotated[int, strawberry.argument(description=f"At most so many, up to {MOST_LISTED}; by id.")]


@strawberry.type(description="How a store is. Nothing is repaired. Null means that it cannot be told.")
class StoreHealth:
    store: strawberry.Private[Store]
    facts: strawberry.Private[Facts]
    sessions: strawberry.Private[SessionFacts]

    @strawberry.field(description="Size of the database file, without its write-ahead log.")
    def file_bytes(self) -> BigInt | None:
        return _size(self.facts.place.file_bytes)

    @strawberry.field(description="Size of the write-ahead log; null where there is none.")
    def wal_bytes(self) -> BigInt | None:
        return _size(self.facts.place.wal_bytes)

    @strawberry.field(description="Size of a page in bytes.")
    def page_bytes(self) -> int | None:
        return self.facts.page_bytes

    @strawberry.field(description="Pages of the store, free ones included.")
    def page_count(self) -> BigInt | None:
        return _size(self.facts.page_count)

    @strawberry.field(description="Pages that hold nothing; new rows fill them before the file grows.")
    def free_pages(self) -> BigInt | None:
        return _size(self.facts.free_pages)

    @strawberry.field(description="As SQLite says it: wal, delete ...")
    def journal_mode(self) -> str | None:
        return self.facts.journal_mode

    @strawberry.field(description="Version of the SQLite library that reads the store.")
    def library(self) -> str | None:
        return self.facts.library

    @strawberry.field(description="Known faults of that library that can harm a store.")
    def library_warnings(self) -> list[str]:
        return list(self.facts.library_warnings)

    @strawberry.field(description="Type of the file system, such as ext4. Null where the system does not tell.")
    def file_system(self) -> str | None:
        return self.facts.place.file_system

    @strawberry.field(description="Two programs on a network file system can damage a store.")
    def is_network_file_system(self) -> bool | None:
        return self.facts.place.is_network

    @strawberry.field(description="The number of the user that the file belongs to. Null on Windows.")
    def owner(self) -> BigInt | None:
        return _size(self.facts.place.owner)

    @strawberry.field(description="Permissions of the file in octal, such as 0600.")
    def mode(self) -> str | None:
        mode = self.facts.place.mode
        return f"{mode:04o}" if mode is not None else None

    @strawberry.field(
        description="Locks of agents, the longest first; at most 100 of each kind, expired ones included."
    )
    def locks(self) -> list[health_parts.StoreLock]:
        return [
            health_parts.StoreLock(
                kind=lock.kind, subject=lock.subject, holder=lock.holder, expires_at=moment(lock.expires_at)
            )
            for lock in self.facts.locks
        ]

    @strawberry.field(description="Columns that an early store lacks; they read as null.")
    def missing_columns(self) -> list[str]:
        return list(self.facts.missing_columns)

    @strawberry.field(description="Columns of a later schema; they are ignored.")
    def unknown_columns(self) -> list[str]:
        return list(self.facts.unknown_columns)

    # What the sessions say about each other

    @strawberry.field(description="Sessions whose parent does not exist.")
    def dangling_parents(self) -> int:
        return len(self.sessions.dangling)

    @strawberry.field(description="The same by name.")
    def dangling(self, first: First = 20) -> list[health_parts.DanglingParent]:
        return [
            health_parts.DanglingParent(id=strawberry.ID(each.id), parent_id=strawberry.ID(each.parent_id))
            for each in self.sessions.dangling[: _limit(first)]
        ]

    @strawberry.field(description="Sessions whose chain of parents comes back to them.")
    def cyclic_sessions(self) -> int:
        return len(self.sessions.cyclic_ids)

    @strawberry.field(description="The same by name.")
    def cyclic_ids(self, first: First = 20) -> list[strawberry.ID]:
        return [strawberry.ID(each) for each in self.sessions.cyclic_ids[: _limit(first)]]

    @strawberry.field(description="Sessions whose stored message_count is less than their live messages.")
    def undercounted_sessions(self) -> int:
        return sum(each.is_undercount for each in self.sessions.miscounts)

    @strawberry.field(description="Sessions whose stored message_count is not the number of their live messages.")
    def miscounts(self, first: First = 20) -> list[health_parts.Miscount]:
        return [
            health_parts.Miscount(
                id=strawberry.ID(each.id),
                counted=big_int(each.counted),
                live=each.live,
                rewound=each.rewound,
                is_explained=each.is_explained,
                is_taken_for_empty=each.is_taken_for_empty,
            )
            for each in self.sessions.miscounts[: _limit(first)]
        ]

    @strawberry.field(description="Sessions with an id that is empty or holds what cannot be printed.")
    def bad_ids(self) -> int:
        return len(self.sessions.bad_ids)

    @strawberry.field(description="Sessions with `warnings`: values that could not be read as stored.")
    def warned_sessions(self) -> int:
        return len(self.sessions.warned_ids)

    @strawberry.field(description="Titles that more than one session has. Hermes means them to be unique.")
    def doubled_titles(self) -> int:
        return len(self.sessions.doubled_titles)

    # What is read when it is asked for

    @strawberry.field(description="Sizes by table and index. Reads the whole store, within the time for a statement.")
    async def sizes(self) -> health_parts.StoreSizes:
        found, reason = await _told(self.store.parts(None))
        if found is None:
            return health_parts.StoreSizes(items=None, reason=reason)
        late = any(part.size_bytes is None for part in found)
        return health_parts.StoreSizes(
            items=[
                health_parts.StorePart(name=part.name, is_index=part.is_index, size_bytes=_size(part.size_bytes))
                for part in found
            ],
            reason="Not all could be measured in time; `hermes-sessions doctor --deep` takes longer." if late else None,
        )

    @strawberry.field(description="Counts rows, and those whose session does not exist.")
    async def row_counts(self) -> health_parts.StoreRowCounts:
        found, reason = await _told(self.store.row_facts())
        if found is None:
            return health_parts.StoreRowCounts(reason=reason)
        return health_parts.StoreRowCounts(
            sessions=found.sessions,
            messages=found.messages,
            usage=found.usage,
            orphan_messages=found.orphan_messages,
            orphan_usage=found.orphan_usage,
            orphan_session_ids=[strawberry.ID(each) for each in found.orphan_session_ids],
            reason=None,
        )

    @strawberry.field(description="State of the full-text indexes.")
    async def search_indexes(self) -> health_parts.SearchIndexes:
        found, reason = await _told(self.store.search_indexes())
        if found is None:
            return health_parts.SearchIndexes(items=None, reason=reason)
        items = [
            health_parts.SearchIndexHealth(
                name=each.name, state=each.state, indexed_rows=each.indexed_rows, expected_rows=each.expected_rows
            )
            for each in found
        ]
        return health_parts.SearchIndexes(items=items, reason=None)

    @strawberry.field(description="Which processes have the store open.")
    async def holders(self) -> health_parts.StoreHolders:
        found = await self.store.holders()
        if found is None:
            return health_parts.StoreHolders(items=None, hidden=0)
        return health_parts.StoreHolders(
            items=[
                health_parts.StoreHolder(
                    pid=each.pid, command=each.command, is_this_server=each.is_this_process, has_lock=each.has_lock
                )
                for each in found.known
            ],
            hidden=found.hidden,
        )

    @strawberry.field(description="Judgement of all of the above, the gravest first; the same as `doctor` prints.")
    async def findings(self) -> list[health_parts.Finding]:
        return [
            health_parts.Finding(
                severity=each.severity,
                area=each.area,
                code=each.code,
                message=each.message,
                advice=each.advice,
                count=each.count,
                ids=list(each.ids),
            )
            for each in find(await examine(self.store))
        ]


def _size(number: int | None) -> BigInt | None:
    return big_int(number) if number is not None else None


def _limit(first: int) -> int:
    return max(0, min(first, MOST_LISTED))


async def _told(question: Awaitable[T]) -> tuple[T | None, str | None]:
    """The answer, or why there is none."""
    try:
        return await question, None
    except HermesSessionsError as error:
        return None, error.message
