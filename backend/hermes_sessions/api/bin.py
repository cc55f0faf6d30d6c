"""The bin in the schema."""

import strawberry

from hermes_sessions.api.scalars import BigInt, Moment, moment
from hermes_sessions.store_values import BinEntry as StoredEntry


@strawberry.type(description="One deletion that restoreSessions can undo.")
class BinEntry:
    bin_id: strawberry.ID
    profile: str
    title: str | None = strawberry.field(description="Of the conversation that was deleted.")
    session_ids: list[strawberry.ID]
    message_count: int
    bytes: BigInt = strawberry.field(description="Size of the text of its messages.")
    deleted_at: Moment
    expires_at: Moment | None = strawberry.field(description="Until when it can be restored.")


def bin_entry_of(entry: StoredEntry) -> BinEntry:
    return BinEntry(
        bin_id=strawberry.ID(entry.bin_id),
        profile=entry.profile,
        title=entry.title,
        session_ids=[strawberry.ID(session_id) for session_id in entry.session_ids],
        message_count=entry.message_count,
        bytes=BigInt(entry.size_bytes),
        deleted_at=Moment(entry.deleted_at),
        expires_at=moment(entry.expires_at),
    )
