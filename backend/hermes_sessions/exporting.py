"""The command `export`: one export, or every conversation of a profile, into a file, a directory or stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from hermes_sessions.errors import bad_input
from hermes_sessions.model.export.outline import ExportScope, Outline, file_name, outline_of, whole_conversation
from hermes_sessions.model.export.writing import FORMATS, export_text
from hermes_sessions.opening import export_source, open_profiles
from hermes_sessions.saying import Target, say, standard_output
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store

STDOUT = "-"


@dataclass(frozen=True)
class Order:
    """What to export. `session_id` None means every conversation of the profile."""

    session_id: str | None
    profile: str | None
    scope: str
    format: str
    output: str
    force: bool


async def run_export(settings: Settings, order: Order) -> None:
    """Raises what the user got wrong; a file that could not be finished is not left behind."""
    profiles = open_profiles(settings)
    try:
        store = await profiles.get(order.profile)
        outlines = await _outlines(store, order)
        with progress(sum(outline.row_count for outline in outlines)) as advance:
            if order.session_id is None and not _is_one_file(order):
                await _write_directory(store, order, outlines, advance)
            else:
                with _target(order.output, order.force) as target:
                    for outline in outlines:
                        await _write(store, order, outline, target, advance)
    finally:
        await profiles.close()


async def _outlines(store: Store, order: Order) -> list[Outline]:
    forest = await store.forest()
    if order.session_id is not None:
        return [outline_of(store.profile, forest, order.session_id, ExportScope(order.scope))]
    return [whole_conversation(store.profile, forest, each) for _, each in sorted(forest.conversations.items())]


def _is_one_file(order: Order) -> bool:
    """JSON lines of many conversations can follow each other in one file; other formats cannot."""
    if order.format == "jsonl":
        return order.output == STDOUT or order.output.endswith(".jsonl")
    if order.output == STDOUT:
        raise bad_input("Every conversation becomes a file of its own: name a directory with --output.")
    return False


async def _write_directory(store: Store, order: Order, outlines: list[Outline], advance: Callable[[int], None]) -> None:
    directory = _made_directory(order.output)
    taken: set[str] = set()
    for outline in outlines:
        name = _free_name(outline.entries[0].session.id, order.format, taken)
        with _target(str(directory / name), order.force) as target:
            await _write(store, order, outline, target, advance)


def _made_directory(output: str) -> Path:
    directory = Path(output)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise bad_input(f"{directory} cannot be made a directory: {error.strerror}.") from error
    return directory


def _free_name(session_id: str, ending: str, taken: set[str]) -> str:
    """Two ids may have the same safe name, also where a file system does not tell capitals apart."""
    name, number = file_name(session_id, ending), 1
    while name.lower() in taken:
        number += 1
        name = file_name(f"{session_id[:60]}-{number}", ending)
    taken.add(name.lower())
    return name


async def _write(store: Store, order: Order, outline: Outline, target: Target, advance: Callable[[int], None]) -> None:
    left_out: list[str] = []
    text: AsyncIterator[str] = export_text(outline, export_source(store), FORMATS[order.format], advance, left_out)
    async for piece in text:
        target.write(piece.encode("utf-8", "replace"))
    for session_id in left_out:
        say(f"Left out {session_id!r}: it was deleted meanwhile, or its id is not UTF-8.", err=True)


@contextmanager
def _target(output: str, force: bool) -> Iterator[Target]:
    """Stdout, or a file that takes its name when it is whole."""
    if output == STDOUT:
        yield standard_output()
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    if path.exists() and not force:
        raise bad_input(f"{path} is there already. Choose another name, or overwrite it with --force.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        # Its owner's alone: transcripts hold secrets.
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise bad_input(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def progress(rows: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, which is told how many messages more are done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=rows, label="Messages", file=sys.stderr) as bar:
        yield bar.update
