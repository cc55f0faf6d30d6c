"""What commands say. Ids, titles, names of files and arguments are other people's text: a terminal must not obey it."""

from __future__ import annotations

import sys
from typing import Protocol

import click

from hermes_sessions.model.printing import harmless, printable_lines


class Target(Protocol):
    """Where an export is written to."""

    def write(self, piece: bytes, /) -> object: ...


class Screen:
    """A terminal, as the target of an export: it is shown without what would command it."""

    def write(self, piece: bytes, /) -> None:
        sys.stdout.buffer.write(harmless(piece.decode()).encode())


def say(text: str, *, err: bool = False) -> None:
    """Lines on stdout, or on stderr."""
    click.echo(printable_lines(text), err=err)


def standard_output() -> Target:
    """Stdout: every byte into a pipe or a file, and nothing that commands it to a terminal."""
    return Screen() if sys.stdout.isatty() else sys.stdout.buffer
