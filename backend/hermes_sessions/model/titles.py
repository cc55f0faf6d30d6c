"""Titles of sessions: how they are cleaned, and what stands in for a missing one."""

from __future__ import annotations

import re

from hermes_sessions.errors import ErrorCode, HermesSessionsError

MAX_TITLE_LENGTH = 100

# White space among the control characters is folded to a space, so it must survive the first step.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc"  # zero-width and bidirectional
    "\ud800-\udfff]"  # lone surrogates cannot be stored
)
_WHITE_SPACE = re.compile(r"\s+")


def clean_title(title: str) -> str | None:
    """The title as it is stored; None when nothing visible is left.

    Raises TITLE_TOO_LONG above 100 characters.
    """
    cleaned = _WHITE_SPACE.sub(" ", _INVISIBLE.sub("", title)).strip()
    if len(cleaned) > MAX_TITLE_LENGTH:
        raise HermesSessionsError(
            ErrorCode.TITLE_TOO_LONG,
            f"The title has {len(cleaned)} characters; at most {MAX_TITLE_LENGTH} are allowed. Shorten it.",
        )
    return cleaned or None
