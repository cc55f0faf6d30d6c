"""How the stores of a home are opened. Without the API, which takes longer to load than most commands to run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hermes_sessions.errors import bad_input
from hermes_sessions.model.export.rows import Source
from hermes_sessions.profiles import Profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from hermes_sessions.store_values import MessageQuery
from hermes_sessions.stores.bin import FileBin
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.sqlite.store import SqliteStore


def open_profiles(settings: Settings) -> Profiles:
    """The profiles of the home and those by URL. Raises BAD_USER_INPUT for a URL that cannot be used."""
    if settings.home is None and not settings.profile:
        raise bad_input("There is no Hermes home to serve. Name one with --home.")

    async def open_store(profile: str, path: Path) -> Store:
        bin = FileBin(settings.state_dir / "bin.db", path, profile, settings.bin_days, settings.statement_timeout)
        store = SqliteStore(
            profile,
            path,
            bin,
            read_only=settings.read_only,
            limit=settings.statement_timeout,
            lock_limit=settings.lock_timeout,
        )
        await store.open()
        return store

    declared = {name: partial(_open_declared, settings, name, Address.of(name, url)) for name, url in settings.profile}
    return Profiles(settings.home, open_store, declared)


async def _open_declared(settings: Settings, profile: str, address: Address) -> Store:
    from hermes_sessions.stores.postgres.store import PostgresStore  # with a driver that most have no use for

    store = PostgresStore(
        profile,
        address,
        read_only=settings.read_only,
        limit=settings.statement_timeout,
        lock_limit=settings.lock_timeout,
        connections=settings.postgres_connections,
        days=settings.bin_days,
    )
    await store.open()
    return store


def export_source(store: Store) -> Source:
    """The store as exports read it."""

    async def shown(session_id: str) -> frozenset[int]:
        return frozenset((await store.transcript([session_id], MessageQuery())).ids)

    return Source(store.profile, store.exact_rows, shown)
