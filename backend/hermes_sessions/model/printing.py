"""Other people's text made fit for a terminal: what is stored, named or sent must not command it."""

from __future__ import annotations

import re

REPLACED = "\N{REPLACEMENT CHARACTER}"

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(words: str) -> str:
    """One line without anything that is not seen, also without what turns the direction of writing."""
    return "".join(letter if letter.isprintable() else REPLACED for letter in words)


def printable_lines(text: str) -> str:
    """The same for several lines."""
    return "\n".join(map(printable, text.split("\n")))


def harmless(text: str) -> str:
    """A whole document without the characters that a terminal obeys; everything else in it stays."""
    return _COMMANDS.sub(REPLACED, text)
