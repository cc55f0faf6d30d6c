"""What can be told about a store's file from outside, without opening it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hermes_sessions.store_values import StoreState, StoreStatus

NETWORK_FILE_SYSTEMS = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "davfs"})


def look_at(path: Path, *, read_only: bool, makes_sidecars: bool = True) -> StoreState:
    """READY, or why not, by what the file system says. SQLite's own findings come on top of it."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return StoreState(StoreStatus.EMPTY, "This profile has no store yet; Hermes makes one when it first uses it.")
    except OSError:
        return StoreState(StoreStatus.UNREACHABLE, "The store's directory cannot be read by this user.")
    if not stat.S_ISREG(found.st_mode):
        return StoreState(StoreStatus.UNSUPPORTED, "The store is no regular file; it was not opened.")
    if found.st_nlink > 1:
        return StoreState(
            StoreStatus.UNSUPPORTED, "The store is a hard link that other paths share; it was not opened."
        )
    size = found.st_size
    if size == 0:
        return StoreState(StoreStatus.EMPTY, "The store's file is empty; Hermes fills it when it first uses it.", 0)
    if not os.access(path, os.R_OK):
        return StoreState(StoreStatus.UNREACHABLE, "This user may not read the store; run as the file's owner.", size)
    if makes_sidecars and not os.path.exists(f"{path}-shm") and not os.access(path.parent, os.W_OK):
        return StoreState(
            StoreStatus.UNREACHABLE,
            "The store's -wal and -shm files are missing and this user cannot make them; run as the directory's owner.",
            size,
        )
    return _writability(path, found, read_only)


def _writability(path: Path, found: os.stat_result, read_only: bool) -> StoreState:
    size = found.st_size
    if read_only:
        return StoreState(StoreStatus.READ_ONLY, "The server runs with --read-only.", size)
    if file_system(path) in NETWORK_FILE_SYSTEMS:
        return StoreState(
            StoreStatus.READ_ONLY,
            "The store is on a network file system, where two writers can damage it; changes are refused.",
            size,
        )
    if hasattr(os, "geteuid") and os.geteuid() not in (0, found.st_uid):
        return StoreState(
            StoreStatus.READ_ONLY,
            "The store belongs to another user; a change would leave files that Hermes cannot write.",
            size,
        )
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return StoreState(StoreStatus.READ_ONLY, "This user may not write the store or its directory.", size)
    return StoreState(StoreStatus.READY, None, size)


def room_for_store(directory: Path, *, read_only: bool) -> StoreState:
    """READY where a store can be made that Hermes can use, or why not."""
    try:
        found = os.stat(directory)
    except OSError:
        return StoreState(StoreStatus.UNREACHABLE, "The profile's directory cannot be read by this user.")
    if read_only:
        return StoreState(StoreStatus.READ_ONLY, "The server runs with --read-only.")
    if file_system(directory) in NETWORK_FILE_SYSTEMS:
        return StoreState(StoreStatus.READ_ONLY, "The profile is on a network file system; no store is made there.")
    if hasattr(os, "geteuid") and os.geteuid() not in (0, found.st_uid):
        return StoreState(
            StoreStatus.READ_ONLY,
            "The profile's directory belongs to another user, whose Hermes could not write a store made by this one.",
        )
    if not os.access(directory, os.W_OK | os.X_OK):
        return StoreState(StoreStatus.READ_ONLY, "This user may not write the profile's directory.")
    return StoreState(StoreStatus.READY)


def file_system(path: Path) -> str | None:
    """The type of the file system, where the system tells it (Linux)."""
    try:
        mounts = Path("/proc/self/mounts").read_text(errors="replace").splitlines()
    except OSError:
        return None
    absolute = str(path.absolute())
    best, kind = "", None
    for _, point, name, *_ in (line.split(" ") for line in mounts if line.count(" ") >= 3):
        point = point.replace("\\040", " ")
        below = point == "/" or absolute == point or absolute.startswith(point.rstrip("/") + "/")
        if below and len(point) >= len(best):
            best, kind = point, name
    return kind


def size_of(path: Path) -> int | None:
    """The size in bytes, None where the file does not exist."""
    try:
        return os.stat(path).st_size
    except OSError:
        return None
