"""Where a store's file is kept and who has it open, told without opening it: by `stat`, and by /proc on Linux."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hermes_sessions.model.health.facts import Holder, Holders, Place
from hermes_sessions.stores.sqlite.files import SIDECARS
from hermes_sessions.stores.status import NETWORK_FILE_SYSTEMS, file_system, size_of

_PROC = Path("/proc")


def place_of(path: Path) -> Place:
    """Sizes, owner and permissions; what the system does not tell is None."""
    wal_bytes = size_of(Path(f"{path}-wal"))
    try:
        found = os.stat(path)
    except OSError:
        return Place(wal_bytes=wal_bytes)
    kind = file_system(path)
    return Place(
        file_bytes=found.st_size,
        wal_bytes=wal_bytes,
        file_system=kind,
        is_network=kind in NETWORK_FILE_SYSTEMS if kind is not None else None,
        owner=found.st_uid if hasattr(os, "geteuid") else None,
        mode=stat.S_IMODE(found.st_mode),
    )


def holders_of(path: Path) -> Holders | None:
    """The processes that have the store or one of its sidecars open; None where the system does not tell."""
    if not (_PROC / "self" / "fd").is_dir():
        return None
    wanted = {_identity(Path(f"{path}{suffix}")) for suffix in ("", *SIDECARS)} - {None}
    lockers = _lockers({identity[1] for identity in wanted if identity is not None})
    known: list[Holder] = []
    hidden = 0
    for pid in _processes():
        try:
            holds = _holds(pid, path.name, wanted)
        except PermissionError:
            hidden += 1
            continue
        except OSError:
            continue  # it has ended
        if holds:
            has_lock = pid in lockers if lockers is not None else None
            known.append(Holder(pid, _command(pid), pid == os.getpid(), has_lock))
    return Holders(known, hidden)


def _processes() -> Iterator[int]:
    yield from sorted(int(name) for name in os.listdir(_PROC) if name.isdigit())


def _holds(pid: int, name: str, wanted: set[tuple[int, int] | None]) -> bool:
    """Links are compared by name first: asking for the status of a file elsewhere could hang with its network."""
    directory = _PROC / str(pid) / "fd"
    for entry in os.listdir(directory):
        link = directory / entry
        try:
            named = os.path.basename(os.readlink(link)).startswith(name)
        except OSError:
            continue  # closed meanwhile
        if named and _identity(link) in wanted:
            return True
    return False


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _command(pid: int) -> str | None:
    try:
        return (_PROC / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return None


def _lockers(inodes: set[int]) -> set[int] | None:
    """The processes with a lock on one of these files: `1: POSIX  ADVISORY  READ 4711 fd:01:393222 128 128`."""
    try:
        lines = (_PROC / "locks").read_text(errors="replace").splitlines()
    except OSError:
        return None
    fields = [line.replace("-> ", "").split() for line in lines]
    return {
        int(words[4])
        for words in fields
        if len(words) > 5 and words[4].lstrip("-").isdigit() and words[5].rpartition(":")[2] in map(str, inodes)
    }
