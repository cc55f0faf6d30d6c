"""The media types of a request: what it accepts and what its body is.

Clients send the same few headers again and again, so what they mean is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hermes_sessions.web.answers import JSON


@lru_cache(maxsize=256)
def accepted(header: str | None, offered: tuple[str, ...]) -> str | None:
    """The offered type that an Accept header prefers, the first of equals; None where it wants none of them."""
    if header is None or not header.strip():
        return offered[0]
    ranges = [_weighted(part) for part in header.split(",")]
    best = max(offered, key=lambda offer: _preference(offer, ranges))
    weight, *_ = _preference(best, ranges)
    return best if weight > 0 else None


@lru_cache(maxsize=256)
def encodings(header: str | None) -> frozenset[str]:
    """The content codings that an Accept-Encoding header names and does not refuse."""
    weighted = [_weighted(part) for part in (header or "").split(",")]
    return frozenset(name for name, weight in weighted if weight > 0)


@lru_cache(maxsize=256)
def is_json(content_type: str | None) -> bool:
    """Whether a Content-Type names JSON in UTF-8, which is what no charset means as well."""
    media_type, *parameters = (content_type or "").split(";")
    if media_type.strip().lower() != JSON:
        return False
    charsets = [value for name, value in map(_parameter, parameters) if name == "charset"]
    return all(charset in ("utf-8", "utf8") for charset in charsets)


def _weighted(part: str) -> tuple[str, float]:
    """A name and its weight: 1 where none is given, 0 where it cannot be read."""
    name, *parameters = part.split(";")
    for key, value in map(_parameter, parameters):
        if key == "q":
            try:
                return name.strip().lower(), float(value)
            except ValueError:
                return name.strip().lower(), 0.0
    return name.strip().lower(), 1.0


def _parameter(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip().lower(), value.strip().strip('"').lower()


def _preference(offer: str, ranges: Sequence[tuple[str, float]]) -> tuple[float, int, int]:
    """What orders offers: the weight from the most specific matching range, how specific it is, how early it stands."""
    patterns = (offer, offer.partition("/")[0] + "/*", "*/*")
    for specificity, pattern in zip((2, 1, 0), patterns, strict=True):
        for position, (name, weight) in enumerate(ranges):
            if name == pattern:
                return weight, specificity, -position
    return 0.0, 0, 0
