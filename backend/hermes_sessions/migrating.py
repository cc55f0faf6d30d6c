"""The command `migrate`: the tables of profiles in PostgreSQL."""

from __future__ import annotations

from hermes_sessions.saying import say
from hermes_sessions.settings import Settings
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import STEP_SECONDS, migrate


async def run_migrate(settings: Settings) -> None:
    """Every profile in its turn. Raises what stands in the way of the first that fails; the others are not begun."""
    for profile, url in settings.profile:
        address = Address.of(profile, url)
        database = postgres_database(address, size=1, limit=STEP_SECONDS)
        async with database:
            made = await migrate(database, address)
        for step in made:
            say(f"{profile}: made step {step.number}, {step.name.replace('_', ' ')}.")
        if not made:
            say(f"{profile}: nothing to do.")
