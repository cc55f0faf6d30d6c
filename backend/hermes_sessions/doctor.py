"""The command `doctor`: looks at each profile's store and says what is wrong. It repairs nothing and writes nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.examination import DEEP_SECONDS, examine
from hermes_sessions.home import home_if_any
from hermes_sessions.model.health import reporting
from hermes_sessions.model.health.examination import Examination, Severity
from hermes_sessions.model.health.facts import StoreHealth
from hermes_sessions.model.health.findings import find
from hermes_sessions.model.health.judging_store import NOT_LOOKED_AT
from hermes_sessions.model.health.reporting import Report
from hermes_sessions.model.ids import profile_name
from hermes_sessions.profiles import Profiles
from hermes_sessions.saying import say
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.health.file_facts import place_of
from hermes_sessions.stores.health.still import Witness
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.sqlite.store import SqliteStore

STATEMENT_SECONDS = 15.0
LOOKS = 3


async def run_doctor(settings: Settings, names: Sequence[str], *, as_json: bool, deep: bool) -> tuple[str, int]:
    """What to print, and the exit status. Raises for a home or a profile that does not exist."""
    reports = await diagnose(settings, names, deep=deep)
    status = exit_status(reports)
    return (reporting.as_json(reports, status) if as_json else reporting.as_text(reports)), status


async def diagnose(settings: Settings, names: Sequence[str], *, deep: bool) -> list[Report]:
    """A report of each named profile, or of all."""
    declared = {name: Address.of(name, url) for name, url in settings.profile}
    profiles = Profiles(home_if_any(settings), _unopened, dict.fromkeys(declared, _undeclared))
    for sentence in profiles.left_out():
        say(sentence, err=True)
    reports = []
    for profile in dict.fromkeys(map(profile_name, names) if names else profiles.names()):
        started = time.monotonic()
        if profile in declared:
            look, place = await _look_there(settings, profile, declared[profile], deep=deep), "PostgreSQL"
        else:
            path = profiles.path(profile)
            look, place = await _look(settings, profile, path, deep=deep), str(path)
        reports.append(Report(look, find(look), place, time.monotonic() - started))
    return reports


def exit_status(reports: Sequence[Report]) -> int:
    """2: a store could not be looked at. 1: there is a problem. 0: there is none."""
    findings = [finding for report in reports for finding in report.findings]
    if any(finding.code == NOT_LOOKED_AT for finding in findings):
        return 2
    return int(any(finding.severity is Severity.PROBLEM for finding in findings))


async def _look(settings: Settings, profile: str, path: Path, *, deep: bool) -> Examination:
    """Looks again where somebody wrote during a look that took no locks."""
    refusal = HermesSessionsError(
        ErrorCode.STORE_BUSY, "The store kept changing while it was looked at. Look again later."
    )
    for _ in range(LOOKS):
        witness = Witness.of(path)
        try:
            mode = witness.mode
        except HermesSessionsError as error:
            refusal = error
            break
        bin = FileBin(settings.state_dir / "bin.db", path, profile, settings.bin_days, STATEMENT_SECONDS)
        limit = DEEP_SECONDS if deep else STATEMENT_SECONDS
        store = SqliteStore(profile, path, bin, read_only=False, limit=limit, mode=mode)
        await store.open()
        try:
            look = await examine(store, deep=deep)
        finally:
            await store.close()
        if mode == "ro" or witness.holds():
            return look
    return Examination(profile, time.time(), refusal=refusal, health=StoreHealth(place=place_of(path)))


async def _look_there(settings: Settings, profile: str, address: Address, *, deep: bool) -> Examination:
    from hermes_sessions.stores.postgres.store import PostgresStore  # with a driver that most have no use for

    limit = DEEP_SECONDS if deep else STATEMENT_SECONDS
    store = PostgresStore(profile, address, read_only=False, limit=limit, days=settings.bin_days)
    await store.open()
    try:
        return await examine(store, deep=deep)
    finally:
        await store.close()


async def _undeclared() -> Store:
    raise AssertionError("A declared profile is opened for one look, too.")


async def _unopened(profile: str, path: Path) -> Store:
    raise AssertionError(f"{profile} is opened for one look at a time: {path}")
