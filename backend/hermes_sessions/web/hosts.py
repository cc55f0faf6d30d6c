"""Hosts as people and browsers write them, and what kind of address they are."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import NamedTuple

from hermes_sessions.setting_kinds import parse_host

_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(:(?P<port>[0-9]{1,5}))?")


class Authority(NamedTuple):
    """A host in the spelling of `parse_host`, and the port where one was sent."""

    host: str
    port: int | None


@lru_cache(maxsize=1024)
def parse_authority(text: str) -> Authority | None:
    """`HOST[:PORT]` as a Host header carries it. None for anything else, a trailing dot among it."""
    match = _AUTHORITY.fullmatch(text)
    if match is None:
        return None
    try:
        host = parse_host(match["host"])
    except ValueError:
        return None
    port = int(match["port"]) if match["port"] else None
    return None if port is not None and port > 65535 else Authority(host, port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host; a name other than localhost counts as reachable."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_wildcard(host: str) -> bool:
    """Whether listening on the host means listening on all addresses."""
    address = _address(host)
    return address is not None and address.is_unspecified


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
