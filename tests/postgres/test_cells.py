"""Whatever SQLite holds in a row comes back from PostgreSQL as it was."""

from __future__ import annotations

import asyncio
import math
import sqlite3
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hermes_sessions.model.content import STRUCTURED_PREFIX
from hermes_sessions.stores import hermes_schema
from hermes_sessions.stores.cells import InexactText
from hermes_sessions.stores.database import postgres_database
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.cells import COLUMNS, Kind, all_cells, from_columns, to_columns
from hermes_sessions.stores.postgres.migrating import migrate
from tests.postgres.conftest import new_database
from tests.postgres.server import PostgresServer

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
CELL = st.one_of(
    st.none(),
    TEXT,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.binary(max_size=8),
    st.binary(max_size=6).map(lambda raw: InexactText(b"\xff" + raw)),
)
MESSAGE = st.fixed_dictionaries(
    {"session_id": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)},
    optional={
        "content": CELL | TEXT.map(lambda text: STRUCTURED_PREFIX + text),
        "role": CELL,
        "timestamp": CELL,
        "token_count": CELL,
        "active": CELL,
        "of_a_later_version": CELL,
        "cells": CELL,
    },
)


def same(one: Any, other: Any) -> bool:
    both_nan = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    return both_nan or (type(one) is type(other) and one == other and str(one) == str(other))


def test_a_row_comes_back_as_it_was(server: PostgresServer) -> None:
    async def check(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            values = to_columns("messages", row)
            names, places = list(values), ", ".join(f":{name}" for name in values)
            record = await database.fetch_one(
                f"INSERT INTO {address.schema}.messages ({', '.join(names)}) VALUES ({places}) RETURNING *",
                values,
            )
            assert record is not None
            found = all_cells("messages", record)
            assert all(same(found[name], cell) for name, cell in row.items()), (row, found)
            some = from_columns({name: record[name] for name in ("role", "content", "is_structured", "cells")})
            assert all(same(some[name], row[name]) for name in ("role", "content") if name in row)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(MESSAGE, max_size=10))
    @example([{"session_id": "a", "content": STRUCTURED_PREFIX + "[]\x00"}, {"session_id": "b", "role": "a\x00b"}])
    @example([{"session_id": "a", "timestamp": 1, "token_count": 2.0, "active": "1", "role": 7}])
    def run(rows: list[dict[str, Any]]) -> None:
        runner.run(check(rows))

    with asyncio.Runner() as runner:
        address = Address.of("team", runner.run(new_database(server)))
        database = postgres_database(address, size=1, limit=30)
        runner.run(database.connect())
        runner.run(migrate(database, address))
        run()
        runner.run(database.disconnect())


async def test_the_tables_have_the_columns_that_rows_are_put_into(url: str) -> None:
    address = Address.of("team", url)
    database = postgres_database(address, size=1, limit=30)
    async with database:
        await migrate(database, address)
        rows = await database.fetch_all(
            "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = :schema",
            {"schema": address.schema},
        )
    there = {(row["table_name"], row["column_name"]): row["data_type"] for row in rows}
    for table, kinds in COLUMNS.items():
        assert {name: there.get((table, name)) for name in kinds} == {name: kind.value for name, kind in kinds.items()}


def test_every_column_of_hermes_has_one_of_its_kind() -> None:
    affinities = {"TEXT": Kind.TEXT, "INTEGER": Kind.WHOLE, "REAL": Kind.REAL}
    with sqlite3.connect(":memory:") as connection:
        for sql in (hermes_schema.SESSIONS, hermes_schema.MESSAGES, hermes_schema.SESSION_MODEL_USAGE):
            connection.execute(sql)
        for table, kinds in COLUMNS.items():
            for _, name, affinity, *_ in connection.execute(f"PRAGMA table_info({table})"):
                assert kinds[name] is affinities[affinity], (table, name)
