"""Tiny real pictures for the demo, drawn here so that no binary file is kept in the project."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import cache

Colour = tuple[int, int, int]

WIDTH, HEIGHT = 64, 40
PAPER: Colour = (250, 248, 243)
INK: Colour = (38, 70, 83)
ACCENT: Colour = (231, 111, 81)


def png(pixel: Callable[[int, int], Colour]) -> bytes:
    """A picture of WIDTH by HEIGHT as PNG; `pixel(x, y)` is the colour at a place."""
    rows = (b"\x00" + bytes(part for x in range(WIDTH) for part in pixel(x, y)) for y in range(HEIGHT))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bars(heights: Sequence[int], marked: int) -> Callable[[int, int], Colour]:
    """A bar chart; the bar number `marked` stands out."""

    def pixel(x: int, y: int) -> Colour:
        bar, within = divmod(x, WIDTH // len(heights))
        is_bar = bar < len(heights) and within > 1 and HEIGHT - y <= heights[bar]
        return (ACCENT if bar == marked else INK) if is_bar else PAPER

    return pixel


def leaf(x: int, y: int) -> Colour:
    """A green leaf with a pale spot."""
    inside = ((x - 32) / 26) ** 2 + ((y - 20) / 14) ** 2 < 1
    spot = (x - 40) ** 2 + (y - 16) ** 2 < 30
    return (214, 200, 120) if spot else (72, 133 + x // 2, 76) if inside else PAPER


def form(x: int, y: int) -> Colour:
    """A web form with a red line under one field."""
    if y in (9, 10, 17, 18) and 6 < x < 58:
        return INK
    if y in (25, 26) and 6 < x < 58:
        return ACCENT
    return (42, 157, 143) if 31 < y < 37 and 6 < x < 24 else PAPER


def map_of_coast(x: int, y: int) -> Colour:
    """Sea on the left, land on the right, a route along the shore."""
    shore = 26 + (y * 7 % 11) - y // 5
    if abs(x - shore - 6) < 1:
        return ACCENT
    return (168, 208, 219) if x < shore else (222, 214, 184)


PICTURES: dict[str, Callable[[int, int], Colour]] = {
    "latency": bars((8, 9, 8, 10, 9, 34, 31, 12), marked=5),
    "budget": bars((30, 22, 26, 18, 35, 12), marked=4),
    "leaf": leaf,
    "form": form,
    "map": map_of_coast,
}


@cache
def data_url(name: str) -> str:
    return "data:image/png;base64," + base64.b64encode(png(PICTURES[name])).decode("ascii")


def with_text(name: str, text: str) -> str:
    """A message's content as Hermes stores it: NUL, `json:` and a list of a text part (if any) and the picture."""
    parts = [{"type": "text", "text": text}] if text else []
    return "\x00json:" + json.dumps([*parts, {"type": "image_url", "image_url": {"url": data_url(name)}}])
