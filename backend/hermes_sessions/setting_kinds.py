"""The kinds of values that settings have: which texts are one, and what it becomes."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_TOKEN = re.compile(r"[\x21-\x7e]+")
_FLAG = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Kind:
    """How one text becomes a value.

    `parse` raises ValueError for a wrong text; `allowed` completes the sentence "Use ...".
    `separators` is set for kinds that repeat: several options, or one variable split at this pattern.
    A `secret` text never appears in a message or a `repr`.
    """

    allowed: str
    parse: Callable[[str], Any]
    metavar: str = "TEXT"
    separators: str | None = None
    secret: bool = False
    is_flag: bool = False


def _within(value: Number, low: float, high: float) -> Number:
    if not low <= value <= high:
        raise ValueError
    return value


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text


def whole(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low} to {high}", lambda text: _within(int(text), low, high), "N")


def seconds(low: float, high: float) -> Kind:
    return Kind(f"seconds from {low:g} to {high:g}", lambda text: _within(float(text), low, high), "SECONDS")


def _directory(text: str) -> Path:
    return Path(text).expanduser()


def parse_host(text: str) -> str:
    """A host name or IP address in the one spelling used for comparing, without brackets; else ValueError."""
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return _matching(_HOST_NAME, text.lower())


def _profile(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if "://" not in url or not name.isascii():
        raise ValueError
    return _matching(_PROFILE_NAME, name.strip().lower()), url


def one_of(names: tuple[str, ...]) -> Kind:
    def parse(text: str) -> str:
        if text.lower() not in names:
            raise ValueError
        return text.lower()

    return Kind("one of " + ", ".join(names), parse, "|".join(names))


FLAG = Kind("1 or 0 (or true, false, yes, no, on, off)", lambda text: _FLAG[text.lower()], is_flag=True)
DIRECTORY = Kind("a path of a directory", _directory, "DIR")
HOST = Kind("a host name or an IP address, without a port", parse_host, "HOST")
HOSTS = Kind(HOST.allowed, parse_host, "HOST", separators=r"[\s,]+")
NAMES = Kind("names without spaces", lambda text: text, "NAME", separators=r"[\s,]+")
TOKEN = Kind("visible ASCII characters without spaces", lambda text: _matching(_TOKEN, text), "TOKEN", secret=True)
PROFILES = Kind(
    "NAME=URL, the name of small letters, digits, _ and -", _profile, "NAME=URL", separators=r"\s+", secret=True
)
