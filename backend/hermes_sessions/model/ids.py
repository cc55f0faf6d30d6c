"""Names that people type: profile names, session ids and their prefixes, and opaque node ids."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Literal

from hermes_sessions.errors import bad_input

DEFAULT_PROFILE = "default"
NodeType = Literal["Profile", "Session", "Conversation", "Message"]

_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NODE_TYPES = ("Profile", "Session", "Conversation", "Message")


def profile_name(text: str) -> str:
    """The canonical name (trimmed, lower case). Raises BAD_USER_INPUT before any path could be built from it."""
    trimmed = text.strip(" \t\r\n")
    name = trimmed.lower()
    # Before it is lowered: there are letters outside of ASCII that become ones of it.
    if not trimmed.isascii() or not _PROFILE_NAME.match(name):
        raise bad_input(
            "A profile's name is 1 to 64 letters, digits, '-' or '_' and starts with a letter or digit. "
            "The field `profiles` lists the names."
        )
    return name


def session_id(text: str) -> str:
    """The text of an id or prefix, unchanged. Raises BAD_USER_INPUT when blank or holding control characters."""
    if not text or text.isspace():
        raise bad_input("The id is blank: give a session's id or the first characters of it.")
    if _CONTROL.search(text):
        raise bad_input("The id holds control characters: give a session's id or the first characters of it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise bad_input("The id holds half of a surrogate pair, which no stored id can hold.") from None
    return text


def prefix_end(prefix: str) -> str | None:
    """The least text above every text that starts with `prefix`; None when there is no upper bound.

    Ids that start with p are then exactly those with p <= id < prefix_end(p), by code point, which is
    also SQLite's BINARY order of UTF-8.
    """
    for at in range(len(prefix) - 1, -1, -1):
        point = ord(prefix[at])
        if point < 0x10FFFF:
            following = 0xE000 if 0xD7FF <= point < 0xE000 else point + 1  # surrogates cannot be encoded
            return prefix[:at] + chr(following)
    return None


def encode_node_id(kind: NodeType, *parts: str) -> str:
    """An opaque id that is unique over profiles: base64url of the JSON list [kind, profile, ...]."""
    raw = json.dumps([kind, *parts], separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_node_id(node_id: str) -> tuple[NodeType, list[str]]:
    """The kind and its parts. Raises BAD_USER_INPUT for text that this server did not make."""
    try:
        raw = base64.b64decode(node_id + "=" * (-len(node_id) % 4), altchars=b"-_", validate=True)
        decoded = json.loads(raw.decode("utf-8", "surrogatepass"))
    except (binascii.Error, ValueError, RecursionError):
        decoded = None
    if not isinstance(decoded, list) or not all(isinstance(part, str) for part in decoded):
        decoded = []
    if not decoded or decoded[0] not in _NODE_TYPES:
        raise bad_input("This nodeId was not made by this server: take it from a `nodeId` field.")
    return decoded[0], decoded[1:]
