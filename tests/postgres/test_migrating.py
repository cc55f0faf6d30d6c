"""Steps of the tables: each once, whoever makes them, and none by half."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.database import LiveDatabase, postgres_database
from hermes_sessions.stores.postgres import migrating
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import Migration, migrate, migrations
from tests.postgres.server import PostgresServer

STEPS = "".join(f"team: made step {step.number}, {step.name}.\n" for step in migrations())
BROKEN = Migration(9999, "broken", "CREATE TABLE half (id int); SELECT no_such_function()")


def database(address: Address) -> LiveDatabase:
    return postgres_database(address, size=2, limit=5.0)


async def made_by(address: Address) -> list[int]:
    own = database(address)
    async with own:
        return [step.number for step in await migrate(own, address)]


async def tables(address: Address) -> set[str]:
    async with database(address) as own:
        rows = await own.fetch_all(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = :schema", {"schema": address.schema}
        )
        return {row["table_name"] for row in rows}


def test_steps_are_numbered_without_a_gap() -> None:
    assert [step.number for step in migrations()] == list(range(1, len(migrations()) + 1))


async def test_every_step_is_made_once(url: str) -> None:
    address = Address.of("team", url)
    assert await made_by(address) == [step.number for step in migrations()]
    assert await made_by(address) == []
    assert {"store", "sessions", "messages", "session_model_usage", "gone"} <= await tables(address)


async def test_several_at_once_make_each_step_once_between_them(url: str) -> None:
    address = Address.of("team", url)
    made = await asyncio.gather(*(made_by(address) for _ in range(6)))
    assert sorted(number for each in made for number in each) == [step.number for step in migrations()]


async def test_profiles_of_one_database_have_schemas_of_their_own(url: str) -> None:
    ours, theirs = Address.of("ours", f"{url}?schema=ours"), Address.of("theirs", f"{url}?schema=theirs")
    await made_by(ours)
    async with database(ours) as own:
        await own.execute("INSERT INTO ours.sessions (id) VALUES ('one')")
    assert await made_by(theirs) == [step.number for step in migrations()]
    async with database(theirs) as own:
        assert await own.fetch_val("SELECT count(*) FROM theirs.sessions") == 0
        assert await own.fetch_val("SELECT revision FROM theirs.store") == 0


async def test_a_step_that_fails_leaves_nothing_and_those_before_it_stay(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = Address.of("team", url)
    known = migrations()
    monkeypatch.setattr(migrating, "migrations", lambda: [*known, BROKEN])
    with pytest.raises(HermesSessionsError) as caught:
        await made_by(address)
    assert caught.value.code is ErrorCode.INTERNAL
    assert "half" not in await tables(address)
    monkeypatch.undo()
    assert await made_by(address) == []


def test_the_command_says_what_it_made(url: str) -> None:
    first = CliRunner().invoke(main, ["migrate", "--profile", f"team={url}"])
    assert (first.exit_code, first.output) == (0, STEPS)
    second = CliRunner().invoke(main, ["migrate"], env={"HERMES_SESSIONS_PROFILE": f"team={url} twin={url}"})
    assert (second.exit_code, second.output) == (0, "team: nothing to do.\ntwin: nothing to do.\n")


def test_user_and_password_come_from_the_environment_of_every_program_of_postgresql() -> None:
    server = PostgresServer(password="swordfish")
    try:
        server.start()
        bare = server.url().replace("postgres@", "")
        done = migrated_by_a_process(bare, PGUSER="postgres", PGPASSWORD="swordfish")
        assert (done.returncode, done.stdout) == (0, STEPS)
        refused = migrated_by_a_process(bare, PGUSER="postgres", PGPASSWORD="catfish")
        assert refused.returncode == 1
        assert "refused this user" in refused.stderr
        assert "catfish" not in refused.stderr
    finally:
        server.close()


def migrated_by_a_process(url: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "backend"), **variables}
    command = [sys.executable, "-m", "hermes_sessions", "migrate", "--profile", f"team={url}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("team=mysql://root:swordfish@localhost/x", "only PostgreSQL is served by URL"),
        ("team=postgresql://u:swordfish@localhost/x?schema=Robert'); DROP", "`schema` must be of small letters"),
        ("team=postgresql://u:swordfish@localhost/x?pgbouncer=maybe", "`pgbouncer` is true or false"),
        ("team=postgresql://u:swordfish@[::1/x", "its URL cannot be read"),
        ("team=postgresql://u:swordfish@127.0.0.1:1/x", "cannot be reached"),
        ("team=postgresql://u:swordfish@127.0.0.1:port/x", "URL cannot be used"),
        ("team=postgresql://u:swordfish@127.0.0.1/x?sslmode=perhaps", "URL cannot be used"),
    ],
)
def test_what_cannot_be_migrated_is_said_without_the_password(profile: str, words: str) -> None:
    done = CliRunner().invoke(main, ["migrate", "--profile", profile])
    assert done.exit_code == 1
    assert words in done.output
    assert "swordfish" not in done.output


def test_without_a_profile_the_command_says_how_to_name_one() -> None:
    done = CliRunner().invoke(main, ["migrate"])
    assert done.exit_code == 1
    assert "--profile NAME=postgresql://" in done.output


async def test_a_missing_database_is_told_from_a_missing_server(url: str) -> None:
    with pytest.raises(HermesSessionsError) as caught:
        await made_by(Address.of("team", f"{url}_that_is_not_there"))
    assert caught.value.code is ErrorCode.STORE_UNREACHABLE
    assert "has no such database" in caught.value.message
