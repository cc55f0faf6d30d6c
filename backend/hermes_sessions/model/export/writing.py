"""From a source to the text of an export, one page at a time."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes_sessions.model.export.html import HtmlWriter
from hermes_sessions.model.export.jsons import JsonLinesWriter, JsonWriter
from hermes_sessions.model.export.markdown import MarkdownWriter
from hermes_sessions.model.export.outline import Entry, Outline
from hermes_sessions.model.export.rows import BEGINNING, Row, Source, Table, pages_of


class Writer(Protocol):
    """The parts of one export, called in this order; each gives the text that comes next."""

    def start(self, outline: Outline) -> str: ...

    def start_session(self, entry: Entry, row: Row, usage: Sequence[Row]) -> str: ...

    def message(self, row: Row) -> str: ...

    def end_session(self) -> str: ...

    def end(self, left_out: Sequence[str]) -> str:
        """`left_out` are ids of sessions that could not be read."""


@dataclass(frozen=True)
class Format:
    """`is_readable`: for people, so it leaves out what a transcript does not show."""

    media_type: str
    writer: Callable[[], Writer]
    is_readable: bool


FORMATS = {
    "json": Format("application/json", JsonWriter, False),
    "jsonl": Format("application/x-ndjson", JsonLinesWriter, False),
    "md": Format("text/markdown; charset=utf-8", MarkdownWriter, True),
    "html": Format("text/html; charset=utf-8", HtmlWriter, True),
}


def _no_progress(_: int) -> None:
    return


async def export_text(
    outline: Outline,
    source: Source,
    chosen: Format,
    progress: Callable[[int], None] = _no_progress,
    left_out: list[str] | None = None,
) -> AsyncGenerator[str, None]:
    """The export, a page of messages at a time; between two pieces nothing of the store is held.

    A session that is deleted meanwhile is left out, and so is one whose id is not UTF-8, since nothing can ask for it:
    their ids are added to `left_out`. `progress` is told how many rows were read.
    """
    writer = chosen.writer()
    missing = left_out if left_out is not None else []
    yield writer.start(outline)
    for entry in outline.entries:
        ids = [entry.session.id]
        rows = (await source.rows(Table.SESSIONS, ids, BEGINNING)).rows
        if not rows:
            missing.append(entry.session.id)
            continue
        shown = await source.shown(entry.session.id) if chosen.is_readable else None
        yield writer.start_session(entry, rows[0], await _all_usage(source, ids))
        async for rows in pages_of(source.rows, Table.MESSAGES, ids):
            yield "".join(writer.message(row) for row in rows if shown is None or row["id"] in shown)
            progress(len(rows))
        yield writer.end_session()
    yield writer.end(missing)


async def _all_usage(source: Source, ids: Sequence[str]) -> list[Row]:
    return [row async for rows in pages_of(source.rows, Table.USAGE, ids) for row in rows]
