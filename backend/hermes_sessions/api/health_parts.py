"""The parts of a store's health in the schema."""

import strawberry

from hermes_sessions.api.scalars import BigInt, Moment
from hermes_sessions.model.health.examination import Area, Severity
from hermes_sessions.model.health.facts import IndexState, LockKind

strawberry.enum(
    Severity,
    name="FindingSeverity",
    description="PROBLEM: data is damaged or in danger. WARNING: something is wrong and shows. NOTE: good to know. "
    "OK: looked at, nothing found.",
)
strawberry.enum(Area, name="FindingArea", description="What a finding is about.")
strawberry.enum(
    IndexState,
    name="SearchIndexState",
    description="NONE: there is no such index. UNKNOWN_TOKENIZER: it needs a tokenizer that only Hermes has. DAMAGED: "
    "a cheap look failed. BUILDING: Hermes is filling it. STALE: it lacks messages, or Hermes has given up keeping "
    "it. MISSING_TRIGGERS: it no longer follows messages. OK: none of these.",
)
strawberry.enum(
    LockKind,
    name="StoreLockKind",
    description="COMPRESSION: a session is being compressed. TURN: an agent is answering in a conversation.",
)


@strawberry.type(description="A row with which an agent keeps others away from a session or a conversation.")
class StoreLock:
    kind: LockKind
    subject: str = strawberry.field(description="The session's id; of a TURN the conversation's.")
    holder: str = strawberry.field(description="Who holds it, in Hermes' words.")
    expires_at: Moment | None = strawberry.field(
        description="A lock that has expired keeps nobody away. Null where the stored value is no moment."
    )


@strawberry.type(description="A session whose parent does not exist.")
class DanglingParent:
    id: strawberry.ID
    parent_id: strawberry.ID


@strawberry.type(description="A session whose stored message_count is not the number of its live messages.")
class Miscount:
    id: strawberry.ID
    counted: BigInt = strawberry.field(description="The stored message_count; 0 where it cannot be read.")
    live: int = strawberry.field(description="Rows that Hermes counts: those that are active.")
    rewound: int = strawberry.field(description="Rows that were taken back; taking back leaves the counter as it is.")
    is_explained: bool = strawberry.field(description="The counter lies between live and live + rewound.")
    is_taken_for_empty: bool = strawberry.field(
        description="Counts 0, has messages, has ended, is not archived: Hermes' deletion of empty sessions takes it."
    )


@strawberry.type(description="A table or an index of the store.")
class StorePart:
    name: str
    is_index: bool
    size_bytes: BigInt | None = strawberry.field(
        description="Bytes of its pages, overflow included. Null where time ran out before it."
    )


@strawberry.type(description="Sizes by table and index.")
class StoreSizes:
    items: list[StorePart] | None = strawberry.field(description="Largest first, unmeasured last; null with a reason.")
    reason: str | None = strawberry.field(description="Why there are no sizes, or not all of them; else null.")


@strawberry.type(description="Counted rows; null, all of them, where `reason` says why.")
class StoreRowCounts:
    sessions: int | None = None
    messages: int | None = strawberry.field(default=None, description="In any state.")
    usage: int | None = strawberry.field(
        default=None, description="Rows of usage by model; 0 where the store keeps none."
    )
    orphan_messages: int | None = strawberry.field(default=None, description="Messages of sessions that do not exist.")
    orphan_usage: int | None = strawberry.field(default=None, description="Usage rows of sessions that do not exist.")
    orphan_session_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="The first 20 ids of sessions that do not exist and have rows."
    )
    reason: str | None = None


@strawberry.type(description="A full-text index.")
class SearchIndexHealth:
    name: str
    state: IndexState
    indexed_rows: int | None = strawberry.field(description="Messages in it. Null where it cannot be read.")
    expected_rows: int | None = strawberry.field(
        description="Messages that should be in it. Null where Hermes leaves some out on purpose."
    )


@strawberry.type(description="The full-text indexes.")
class SearchIndexes:
    items: list[SearchIndexHealth] | None = strawberry.field(
        description="By name; those of Hermes 0.19.0 are always among them. Null with a reason."
    )
    reason: str | None


@strawberry.type(description="A process that has the store or one of its sidecars open.")
class StoreHolder:
    pid: int
    command: str | None = strawberry.field(description="The name of its program.")
    is_this_server: bool = strawberry.field(description="It is the process that answers; other workers are not.")
    has_lock: bool | None = strawberry.field(description="Whether it holds a file lock. Null where that is not told.")


@strawberry.type(description="Who has the store's files open.")
class StoreHolders:
    items: list[StoreHolder] | None = strawberry.field(description="By pid. Null where the system does not tell.")
    hidden: int = strawberry.field(description="Processes, mostly of other users, that could not be asked.")


@strawberry.type(description="What a look at the store found, and what to do.")
class Finding:
    severity: Severity
    area: Area
    code: str = strawberry.field(description="Stable, for programs; more may come.")
    message: str
    advice: str | None = strawberry.field(description="What to do next, often a command of Hermes; null for nothing.")
    count: int | None = strawberry.field(description="How many there are; null where there is nothing to count.")
    ids: list[str] = strawberry.field(description="The first 20 of them: sessions' ids, or names.")
