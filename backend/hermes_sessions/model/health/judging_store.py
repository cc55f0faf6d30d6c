"""Judgement of a store's file, schema, locks, indexes and pages."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_sessions.errors import ErrorCode
from hermes_sessions.model.health.examination import (
    MOST_IDS,
    Area,
    Examination,
    Finding,
    Severity,
    amount,
    command,
    damaged,
    many,
)
from hermes_sessions.model.health.facts import IndexState

NOT_LOOKED_AT = "NOT_LOOKED_AT"
LARGE_WAL = 50_000_000
LARGE_FREE_SHARE = 0.25
LARGE_FREE_BYTES = 10_000_000


def store(look: Examination) -> Iterator[Finding]:
    wal = look.health.place.wal_bytes if look.health is not None else None
    if look.is_empty and wal:
        yield Finding(
            Severity.PROBLEM,
            Area.STORE,
            "FILE_LOST",
            f"The store's file is missing or empty, yet its write-ahead log holds {amount(wal)}.",
            "Stop Hermes and keep all files before anything opens the store; restore state.db from a backup.",
        )
    elif look.is_empty:
        yield Finding(
            Severity.NOTE, Area.STORE, "NO_STORE", "There is no store yet; Hermes makes one when it first uses it."
        )
    if look.refusal is not None and look.refusal.code is ErrorCode.STORE_DAMAGED:
        yield damaged(look, look.refusal.message)
    elif look.refusal is not None:
        yield Finding(Severity.PROBLEM, Area.STORE, NOT_LOOKED_AT, look.refusal.message)
    if look.limits is not None:
        yield Finding(Severity.NOTE, Area.STORE, "CHANGES_REFUSED", look.limits)


def failures(look: Examination) -> Iterator[Finding]:
    for area, error in look.failures.items():
        if error.code is ErrorCode.STORE_DAMAGED:
            yield damaged(look, error.message)
        else:
            yield Finding(
                Severity.NOTE, area, "NOT_MEASURED", f"Not looked at: {error.message}", "Look again with --deep."
            )


def file(look: Examination) -> Iterator[Finding]:
    assert look.health is not None
    place, health = look.health.place, look.health
    if (place.wal_bytes or 0) > LARGE_WAL:
        yield Finding(
            Severity.WARNING,
            Area.FILE,
            "WAL_LARGE",
            f"The write-ahead log has grown to {amount(place.wal_bytes or 0)}: something keeps it from being emptied.",
            f"End programs that have the store open for long, then run `{command(look.profile, 'doctor --fix')}`.",
        )
    free = (health.free_pages or 0) * (health.page_bytes or 0)
    if free > LARGE_FREE_BYTES and (health.free_pages or 0) > LARGE_FREE_SHARE * (health.page_count or 0):
        yield Finding(
            Severity.NOTE,
            Area.FILE,
            "FREE_SPACE",
            f"{amount(free)} of the file are free pages.",
            f"`{command(look.profile, 'sessions optimize')}` gives them back.",
        )
    if place.is_network:
        yield Finding(
            Severity.WARNING,
            Area.FILE,
            "NETWORK_FILE_SYSTEM",
            f"The store is on a network file system ({place.file_system}), where two programs can damage it.",
            "Move the Hermes home to a local disk.",
        )
    if place.mode is not None and place.mode & 0o077:
        yield Finding(
            Severity.NOTE,
            Area.FILE,
            "OPEN_TO_OTHERS",
            f"Other users of this machine may open the file (mode {place.mode:04o}); transcripts hold secrets.",
            "chmod 600 the file and its sidecars, or chmod 700 the Hermes home.",
        )
    for warning in health.library_warnings:
        yield Finding(Severity.WARNING, Area.FILE, "LIBRARY", warning)


def schema(look: Examination) -> Iterator[Finding]:
    assert look.health is not None
    for code, columns, words in (
        ("COLUMNS_MISSING", look.health.missing_columns, "an early schema lacks columns, which read as null"),
        ("COLUMNS_UNKNOWN", look.health.unknown_columns, "a later schema has columns that are ignored"),
    ):
        if columns:
            listed = ", ".join(columns[:MOST_IDS])
            yield Finding(
                Severity.NOTE, Area.SCHEMA, code, f"{words[0].upper()}{words[1:]}: {listed}.", count=len(columns)
            )


def locks(look: Examination) -> Iterator[Finding]:
    assert look.health is not None
    held = [lock for lock in look.health.locks if lock.is_held(look.now)]
    left = [lock for lock in look.health.locks if not lock.is_held(look.now)]
    if held:
        yield Finding(
            Severity.NOTE,
            Area.LOCKS,
            "LOCKS_HELD",
            f"Agents are at work in {len(held)} sessions or conversations.",
            count=len(held),
            ids=[lock.subject for lock in held[:MOST_IDS]],
        )
    if left:
        yield Finding(
            Severity.NOTE,
            Area.LOCKS,
            "LOCKS_EXPIRED",
            f"{len(left)} locks have expired and were left behind; they keep nobody away.",
            count=len(left),
            ids=[lock.subject for lock in left[:MOST_IDS]],
        )
    lockless = [str(each.pid) for each in (look.holders.known if look.holders else ()) if each.has_lock is False]
    if lockless and look.health.journal_mode == "wal":
        yield Finding(
            Severity.NOTE,
            Area.LOCKS,
            "OPEN_WITHOUT_LOCK",
            "A process has the store open and holds no lock on it: it has not read yet, or has lost its locks.",
            count=len(lockless),
            ids=lockless[:MOST_IDS],
        )


def search(look: Examination) -> Iterator[Finding]:
    assert look.indexes is not None
    for index in look.indexes:
        if index.state is IndexState.OK:
            continue
        severity, words, advice = _INDEX[index.state]
        if index.state is IndexState.NONE and index.name != "messages_fts":
            severity = Severity.NOTE
        if index.indexed_rows is not None and index.expected_rows not in (None, index.indexed_rows):
            words += f" It holds {index.indexed_rows:,} of {index.expected_rows:,} messages."
        yield Finding(
            severity,
            Area.SEARCH,
            f"INDEX_{index.state.value}",
            f"{index.name} {words}",
            advice.format(repair=command(look.profile, "sessions repair")) if advice else None,
            ids=[index.name],
        )


_REOPEN = "Start Hermes once: it makes its triggers again and fills its indexes."
_INDEX = {
    IndexState.NONE: (Severity.WARNING, "does not exist, so search has to read every message.", _REOPEN),
    IndexState.UNKNOWN_TOKENIZER: (
        Severity.NOTE,
        "needs a tokenizer that this program does not have; messages of this store cannot be changed here.",
        None,
    ),
    IndexState.DAMAGED: (
        Severity.PROBLEM,
        "is damaged: Hermes may fail to write messages.",
        "Stop Hermes and run `{repair}`; it keeps a copy and fills the index from the messages.",
    ),
    IndexState.BUILDING: (Severity.NOTE, "is being filled by Hermes; until then a search finds less.", None),
    IndexState.STALE: (Severity.WARNING, "is not up to date.", "Stop Hermes and run `{repair}`."),
    IndexState.MISSING_TRIGGERS: (
        Severity.WARNING,
        "is not kept up to date: triggers on messages are missing.",
        _REOPEN,
    ),
}


def pages(look: Examination) -> Iterator[Finding]:
    for damage in look.damages or ():
        yield damaged(look, damage)
    unmeasured = [part.name for part in look.parts or () if part.size_bytes is None]
    yield from many(
        Severity.NOTE,
        Area.PAGES,
        "NOT_MEASURED",
        unmeasured,
        "{} tables and indexes were not measured in the time given.",
        "--deep takes all the time that it needs.",
        noun="",
    )
