"""The command `import`: files of sessions into one profile."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from hermes_sessions.errors import ErrorCode, bad_input
from hermes_sessions.exporting import STDOUT as STDIN
from hermes_sessions.exporting import progress
from hermes_sessions.model.importing.document import Document, DocumentSessions
from hermes_sessions.opening import open_profiles
from hermes_sessions.saying import say
from hermes_sessions.settings import Settings
from hermes_sessions.store_values import Imported, ImportOrder


@dataclass(frozen=True)
class Order:
    """What to import. `-` among the files is stdin."""

    files: Sequence[str]
    profile: str | None
    dry_run: bool
    as_json: bool


async def run_import(settings: Settings, order: Order) -> bool:
    """Whether all of the sessions are in the store now. Raises what the user got wrong."""
    profiles = open_profiles(settings)
    try:
        store = await profiles.get(order.profile)
        with ExitStack() as spools:
            sessions = DocumentSessions([_document(name, spools) for name in order.files])
            with progress(sum(each.messages for each in sessions.incoming)) as advance:
                done = await store.import_sessions(ImportOrder(sessions, order.dry_run, progress=advance))
    finally:
        await profiles.close()
    show(done, "Would import" if order.dry_run else "Imported", as_json=order.as_json)
    return done.failure is None and all(each.code is ErrorCode.ID_TAKEN for each in done.skipped)


def _document(name: str, spools: ExitStack) -> Document:
    """Stdin is kept in a temporary file: a file is read twice."""
    if name != STDIN:
        return Document(Path(name).name, lambda: _opened(Path(name)))
    spool: Any = spools.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed by the stack
    shutil.copyfileobj(sys.stdin.buffer, spool)
    return Document("stdin", lambda: nullcontext(spool))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise bad_input(f"{path} cannot be read: {error.strerror}.") from error


def show(done: Imported, verb: str, *, as_json: bool, more: Mapping[str, Any] | None = None) -> None:
    """What was done, on stdout; what was not, and why, on stderr. With `as_json` all of it is one object on stdout,
    `more` included."""
    if as_json:
        say(json.dumps({**_facts(done), **(more or {})}))
        return
    grown = f" {_count(len(done.grown_ids), 'session')} got what was new." if done.grown_ids else ""
    say(
        f"{verb} {_count(len(done.imported_ids), 'session')}, {_count(done.message_count, 'message')}, "
        f"{_count(done.usage_row_count, 'usage row')}.{grown}"
    )
    there = [each for each in done.skipped if not each.fails]
    if there:
        say(f"Skipped {_count(len(there), 'session')} that {_are(there)} there already.")
    for each in done.skipped:
        if each.fails:
            note(f"Skipped {each.id}: {each.reason}")
    for link in done.cut_links:
        note(f"{link.child_id} lost its parent {link.parent_id}: {link.reason}")
    for warning in done.warnings:
        note(warning)
    if done.failure is not None:
        note(f"Error: {done.failure.message} What was imported before stays; import again to go on.")


def _facts(done: Imported) -> dict[str, Any]:
    """Named as in the payload of `importSessions`."""
    return {
        "importedIds": list(done.imported_ids),
        "grownIds": list(done.grown_ids),
        "skipped": [{"id": each.id, "code": each.code.value, "reason": each.reason} for each in done.skipped],
        "cutLinks": [
            {"childId": link.child_id, "parentId": link.parent_id, "reason": link.reason} for link in done.cut_links
        ],
        "warnings": list(done.warnings),
        "messageCount": done.message_count,
        "usageRowCount": done.usage_row_count,
        "error": done.failure.message if done.failure is not None else None,
    }


def note(text: str) -> None:
    """On stderr."""
    say(text, err=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(things: Sequence[Any]) -> str:
    return "is" if len(things) == 1 else "are"
