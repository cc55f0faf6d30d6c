"""Stored content: decoded to parts, to plain text and to previews."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hermes_sessions.model.values import Warnings, parsed_json, safe_json

STRUCTURED_PREFIX = "\x00json:"
PREVIEW_CHARACTERS = 120
IMAGE_PREVIEW = "[image]"
# How Hermes opens the message that stands for compacted ones, where no column says so.
SUMMARY_PREFIXES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")

_FIRST_TEXT = re.compile(r'"text":\s*"((?:[^"\\]|\\.)*)')
_DATA_URL = re.compile(r"data:([^;,]*)(;[^,]*)?,")


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """`url` is as stored (http, https or data). `size` is the number of bytes of a data URL's payload."""

    media_type: str | None
    url: str | None
    size: int | None


@dataclass(frozen=True, slots=True)
class OtherPart:
    type: str | None
    json: Any


Part = TextPart | ImagePart | OtherPart


def decode_content(stored: str | None, warnings: Warnings) -> list[Part]:
    """The parts of a stored content. What does not decode is one text part, with a warning."""
    if stored is None or stored == "":
        return []
    if not stored.startswith(STRUCTURED_PREFIX):
        return [TextPart(_without_nul(stored))]
    try:
        value = parsed_json(stored[len(STRUCTURED_PREFIX) :])
    except (ValueError, RecursionError):
        warnings.add("content: marked as structured, but the stored text is not JSON; shown raw")
        return [TextPart(_without_nul(stored.removeprefix("\x00")))]
    return [_part(item) for item in _items(value)]


def plain_text(parts: Iterable[Part]) -> str:
    """The text parts, joined by line ends."""
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))


def opening_text(stored: str, limit: int) -> str:
    """The first `limit` characters of the plain text, also of stored content that was cut anywhere. `[image]` where
    what was read has images alone."""
    if not stored.startswith(STRUCTURED_PREFIX):
        return _without_nul(stored[:limit])
    try:
        parts = [_part(item) for item in _items(json.loads(stored[len(STRUCTURED_PREFIX) :]))]
    except (ValueError, RecursionError):
        found = _FIRST_TEXT.search(stored)
        words = _unquoted(found.group(1)) if found else ""
        return _without_nul(words[:limit]) or (IMAGE_PREVIEW if '"image' in stored else "")
    has_image = any(isinstance(part, ImagePart) for part in parts)
    return _encodable(plain_text(parts)[:limit]) or (IMAGE_PREVIEW if has_image else "")


def _unquoted(inside: str) -> str:
    """The text that stands between the quotes of a JSON string."""
    try:
        return _encodable(str(json.loads(f'"{inside}"', strict=False)))
    except ValueError:
        return inside


def _encodable(text: str) -> str:
    return str(safe_json(text))


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def fold(text: str, limit: int = PREVIEW_CHARACTERS) -> str:
    """White space folded to single spaces, cut after `limit` characters."""
    return " ".join(text.split(None, limit)[:limit])[:limit].rstrip()


def is_summary_text(text: str) -> bool:
    return text.lstrip()[:40].startswith(SUMMARY_PREFIXES)


def cut_to_bytes(text: str, limit: int) -> tuple[str, bool]:
    """The longest beginning of at most `limit` bytes of UTF-8, and whether anything was cut."""
    if len(text) * 4 <= limit:
        return text, False
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= limit:
        return text, False
    return raw[:limit].decode("utf-8", "ignore"), True


def tail_after(text: str, head_bytes: int, limit: int) -> str | None:
    """At most `limit` bytes of UTF-8 of the end of what `cut_to_bytes(text, head_bytes)` leaves out; None where that
    is nothing."""
    head, is_cut = cut_to_bytes(text, head_bytes)
    if not is_cut:
        return None
    return last_bytes(text[len(head) :], limit)


def last_bytes(text: str, limit: int) -> str:
    """The longest end of at most `limit` bytes of UTF-8."""
    raw = text.encode("utf-8", "surrogatepass")
    return without_broken_start(raw[max(0, len(raw) - limit) :]).decode("utf-8", "replace")


def without_broken_start(raw: bytes) -> bytes:
    """UTF-8 that was cut out of more, without what is left of a character at its beginning."""
    start = next((at for at, byte in enumerate(raw[:3]) if byte & 0xC0 != 0x80), min(3, len(raw)))
    return raw[start:]


def _part(item: Any) -> Part:
    if isinstance(item, str):
        return TextPart(_without_nul(item))
    if not isinstance(item, dict):
        return OtherPart(None, item)
    kind = item.get("type")
    text = item.get("text")
    if isinstance(text, str) and kind in (None, "text", "input_text", "output_text"):
        return TextPart(_without_nul(text))
    if kind in ("image_url", "input_image", "image"):
        return _image(item)
    return OtherPart(kind if isinstance(kind, str) else None, item)


def _image(item: dict[str, Any]) -> ImagePart:
    holder = item.get("image_url", item.get("source", item.get("url")))
    if isinstance(holder, dict) and isinstance(holder.get("data"), str):
        media_type = holder.get("media_type")
        return _image_from_url(f"data:{media_type};base64,{holder['data']}")
    url = holder.get("url") if isinstance(holder, dict) else holder
    return _image_from_url(url) if isinstance(url, str) else ImagePart(None, None, None)


def _image_from_url(url: str) -> ImagePart:
    match = _DATA_URL.match(url)
    if match is None:
        return ImagePart(None, url, None)
    payload = len(url) - match.end()
    is_base64 = (match.group(2) or "").endswith(";base64")
    size = payload * 3 // 4 - url[-2:].count("=") if is_base64 else payload
    return ImagePart(match.group(1) or None, url, max(size, 0))


def _without_nul(text: str) -> str:
    return text.replace("\x00", "\ufffd") if "\x00" in text else text
