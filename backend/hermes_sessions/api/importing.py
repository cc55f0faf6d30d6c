"""Sessions that come in from a file: the input, the payload, and the way between them."""

import asyncio
import io
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import strawberry

from hermes_sessions.api.bulk import SkippedSession, failure_of, skipped_session
from hermes_sessions.api.errors import UserError
from hermes_sessions.errors import bad_input
from hermes_sessions.model.importing.document import Document, DocumentSessions
from hermes_sessions.store import Store
from hermes_sessions.store_values import Imported, ImportOrder

MUTATION = "importSessions"
"""The one field whose requests may be large."""
MAX_SESSIONS = 50_000
"""Of one request: its answer may name each of them."""


@strawberry.input(description="profile: null = the request's.")
class ImportSessionsInput:
    profile: str | None = None
    document: str = strawberry.field(
        description="The text of a file: `json` or `jsonl` as `/export` and `hermes-sessions export` write it, or JSON "
        "lines of `hermes sessions export`. Given as a variable, the request may have 25 MB (HERMES_SESSIONS_"
        "MAX_IMPORT_BYTES); larger files go through the command `hermes-sessions import`."
    )
    dry_run: bool = strawberry.field(default=False, description="Tell what would come in, and change nothing.")


@strawberry.type(description="A parent link that was not taken over: the child has no parent in this store.")
class CutLink:
    child_id: strawberry.ID
    parent_id: strawberry.ID = strawberry.field(description="As the document names it.")
    reason: str


@strawberry.type(description="What an import did, or would do. All lists are in the order of the document.")
class ImportPayload:
    imported_ids: list[strawberry.ID]
    skipped: list[SkippedSession] = strawberry.field(
        description="ID_TAKEN: a session with this id is there already, and was left as it is. BAD_USER_INPUT: the id "
        "is blank, longer than 256 characters, holds control characters or came before. UNSUPPORTED_STORE: a rule of "
        "the store, such as a column that must not be null, forbids one of its rows."
    )
    cut_links: list[CutLink] = strawberry.field(
        description="Links to parents that are neither in the document nor in the store, and one of each circle. Links "
        "that our own JSON marks as missing or in a circle where they come from stay as they are."
    )
    warnings: list[str] = strawberry.field(
        description="Titles that were taken and got a number, columns that the store does not have, and, not in a dry "
        "run, how many sessions got new ids for their messages because others have them."
    )
    session_count: int = strawberry.field(description="Number of importedIds.")
    message_count: int = strawberry.field(description="Messages of the imported sessions, of every state.")
    usage_row_count: int = strawberry.field(description="Rows of usage by model of the imported sessions.")
    completed: bool = strawberry.field(
        description="False where it did not begin, or a failure ended it half-way: import again, what is there is "
        "skipped."
    )
    dry_run: bool
    user_errors: list[UserError]


async def import_document(store: Store, input: ImportSessionsInput) -> Imported:
    """Raises BAD_USER_INPUT with the line, and what stands in the way of changing the store."""
    text = _Text(input.document)
    try:
        sessions = await asyncio.to_thread(DocumentSessions, [Document("The document", text.open)], text.count)
        return await store.import_sessions(ImportOrder(sessions, dry_run=input.dry_run))
    finally:
        text.is_wanted = False


class _Text:
    """The text of a document. Its readers are let go when nobody wants the answer: no thread can be cancelled."""

    def __init__(self, document: str) -> None:
        self.is_wanted = True
        self._raw = document.encode("utf-8", "surrogatepass")
        self._sessions = 0

    def open(self) -> AbstractContextManager[BinaryIO]:
        return nullcontext(_Wanted(self._raw, self))

    def count(self, _: int) -> None:
        self._sessions += 1
        if self._sessions > MAX_SESSIONS:
            raise bad_input(
                f"The document has more than {MAX_SESSIONS:,} sessions. Split it, or use `hermes-sessions import`."
            )


class _Wanted(io.BytesIO):
    def __init__(self, raw: bytes, text: _Text) -> None:
        super().__init__(raw)
        self._text = text

    def read(self, size: int | None = -1) -> bytes:
        if not self._text.is_wanted:
            raise asyncio.CancelledError
        return super().read(size)


def import_payload(imported: Imported | None, dry_run: bool, errors: Sequence[UserError]) -> ImportPayload:
    """None for an import that did not begin."""
    done = imported or Imported()
    failures = [failure_of(done.failure)] if done.failure is not None else []
    return ImportPayload(
        imported_ids=[strawberry.ID(id) for id in done.imported_ids],
        skipped=[skipped_session(each) for each in done.skipped],
        cut_links=[
            CutLink(child_id=strawberry.ID(link.child_id), parent_id=strawberry.ID(link.parent_id), reason=link.reason)
            for link in done.cut_links
        ],
        warnings=list(done.warnings),
        session_count=len(done.imported_ids),
        message_count=done.message_count,
        usage_row_count=done.usage_row_count,
        completed=imported is not None and done.failure is None,
        dry_run=dry_run,
        user_errors=[*errors, *failures],
    )
