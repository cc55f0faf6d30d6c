"""The next title of a family, as Hermes numbers them: "Plan", "Plan #2", "Plan #3"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hermes_sessions.model.titles import MAX_TITLE_LENGTH

UNTITLED_BRANCH = "branch"
_NUMBERED = re.compile(r"(.*?) #(\d+)\Z")
_LAST_NUMBER = re.compile(r".* #(\d+)\Z")


def next_title(title: str | None, taken: Iterable[str]) -> str:
    """One more than the highest number in use, gaps included; the bare name where nobody of the family is left.

    Hermes leaves a branch untitled when its title would pass 100 characters; here the name is shortened instead.
    """
    titles = list(taken)
    numbered = _NUMBERED.match(title or "")
    base = numbered.group(1) if numbered else title or UNTITLED_BRANCH
    family = _family(base, titles)
    if not family:
        return base
    while len(following := f"{base} #{_highest(family) + 1}") > MAX_TITLE_LENGTH:
        base = base[: len(base) - (len(following) - MAX_TITLE_LENGTH)].rstrip()
        family = _family(base, titles)
    return following


def _family(base: str, titles: list[str]) -> list[str]:
    """As SQLite's LIKE compares: the number's part without regard to the case of ASCII letters."""
    start = _ascii_lower(f"{base} #")
    return [title for title in titles if title == base or _ascii_lower(title).startswith(start)]


def _highest(family: list[str]) -> int:
    """The title without a number counts as the first."""
    found = (_LAST_NUMBER.match(title) for title in family)
    return max([1, *(int(match.group(1)) for match in found if match)])


def _ascii_lower(words: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in words)
