"""The tables of a store in PostgreSQL: numbered steps, each made once and never undone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from typing import Any

from hermes_sessions.stores.database import LiveDatabase
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.backend import translating

LOCK_KEY = 520_611_438
"""Of the advisory lock that a step holds, together with the schema's name."""
STEP_SECONDS = 3600.0

_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    sql: str


def migrations() -> list[Migration]:
    """Those that this version of the program knows, in their order."""
    folder = resources.files("hermes_sessions.stores.postgres") / "migrations"
    found = [(match, file) for file in folder.iterdir() if (match := _FILE_NAME.fullmatch(file.name))]
    return sorted(
        (Migration(int(match[1]), match[2], file.read_text("utf-8")) for match, file in found),
        key=lambda each: each.number,
    )


async def migrate(database: LiveDatabase, address: Address) -> list[Migration]:
    """Makes the steps that are missing, each in a transaction of its own; those that were made now. Safe to run again,
    and by several at once: they wait for each other, and the later ones find the steps made."""
    made: list[Migration] = []
    async with database.connection() as connection:
        raw: Any = connection.raw_connection
        for step in migrations():
            with translating(STEP_SECONDS):
                async with raw.transaction():
                    await raw.execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", LOCK_KEY, address.schema)
                    await _begin(raw, address.schema)
                    if step.number not in {row["number"] for row in await raw.fetch("SELECT number FROM migrations")}:
                        await raw.execute(step.sql, timeout=STEP_SECONDS)
                        await raw.execute("INSERT INTO migrations VALUES ($1, $2)", step.number, step.name)
                        made.append(step)
    return made


async def _begin(raw: Any, schema: str) -> None:
    """The schema and its list of steps, there and looked into first."""
    await raw.execute(
        f"""
        CREATE SCHEMA IF NOT EXISTS {schema};
        SET LOCAL search_path TO {schema}, public;
        SET LOCAL client_min_messages TO warning;
        CREATE TABLE IF NOT EXISTS migrations (
            number integer PRIMARY KEY, name text NOT NULL, made_at timestamptz NOT NULL DEFAULT now()
        );
        """
    )
