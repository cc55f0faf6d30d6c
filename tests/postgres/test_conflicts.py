"""A change that the database takes back because of another one is begun again; what breaks a rule of it is not."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.bulk import ErrorPolicy
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.appending import NewMessage
from hermes_sessions.model.writing.new_session import NewSession
from hermes_sessions.opening import open_profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store_values import BulkArchiving, Fork
from hermes_sessions.stores import conflicts
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.store import PostgresStore
from tests.postgres.test_change_tracking import connections

FAILS = """
    CREATE SEQUENCE tries;
    CREATE SEQUENCE failures;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF nextval('tries') % {of} < 3 THEN
            PERFORM nextval('failures');
            RAISE EXCEPTION 'secret words' USING ERRCODE = '{code}';
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER fail AFTER INSERT OR UPDATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION fail();
"""
PATIENCE = 1.0
SERIALIZATION, DEADLOCK, CHECK = "40001", "40P01", "23514"


@asynccontextmanager
async def store(url: str, *, lock_limit: float = 5.0) -> AsyncIterator[tuple[Any, PostgresStore]]:
    """A connection of any program, and a store with one session."""
    async with connections(url) as [one]:
        address = Address.of("team", url)
        opened = PostgresStore("team", address, read_only=False, limit=5.0, lock_limit=lock_limit, days=30)
        await opened.open()
        try:
            await opened.create(NewSession(id="s", source="cli", title="Before"))
            yield one, opened
        finally:
            await opened.close()


@pytest.mark.parametrize("code", [SERIALIZATION, DEADLOCK])
async def test_every_change_is_begun_again(url: str, code: str) -> None:
    async with store(url) as (one, team):
        await one.execute(FAILS.format(table="sessions", code=code, of=8))
        await team.rename("s", "After", Scope.SESSION)
        await team.archive("s", True, Scope.SESSION)
        assert (await team.archive_many(BulkArchiving(["s"], Scope.SESSION, ErrorPolicy.REJECT_ALL, False))).changed_ids
        appended = await team.append("s", [NewMessage("user", "once")], Scope.SESSION, force=False)
        await team.fork(Fork("s", new_id="f"))
        await team.end("s", "user", Scope.SESSION, force=True)
        assert len(appended.new_ids) == 1
        assert await one.fetchval("SELECT last_value FROM failures") >= 4
        rows = await one.fetch("SELECT content FROM messages WHERE session_id = 's'")
        assert [row["content"] for row in rows] == ["once"]
        session = (await team.forest()).sessions["s"]
        assert (session.title, session.archived, session.end_reason) == ("After", False, "user")


async def test_one_that_never_passes_says_so_in_time_and_changes_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conflicts, "GIVE_UP_SECONDS", 0.5)
    async with store(url) as (one, team):
        await one.execute(FAILS.format(table="sessions", code=SERIALIZATION, of=1))
        started = time.monotonic()
        with pytest.raises(HermesSessionsError) as refused:
            await team.rename("s", "After", Scope.SESSION)
        assert (refused.value.code, time.monotonic() - started < 5) == (ErrorCode.STORE_BUSY, True)
        assert "secret" not in refused.value.message
        assert (await team.forest()).sessions["s"].title == "Before"


async def test_what_breaks_a_rule_is_refused_at_once(url: str) -> None:
    async with store(url) as (one, team):
        await one.execute(FAILS.format(table="messages", code=CHECK, of=1))
        with pytest.raises(HermesSessionsError) as refused:
            await team.append("s", [NewMessage("user", "words")], Scope.SESSION, force=False)
        assert refused.value.code is ErrorCode.UNSUPPORTED_STORE
        assert await one.fetchval("SELECT last_value FROM tries") == 1


async def test_who_waits_too_long_for_another_change_is_told(url: str) -> None:
    async with store(url, lock_limit=0.3) as (one, team):
        held = one.transaction()
        await held.start()
        await one.execute("UPDATE sessions SET title = 'Held' WHERE id = 's'")
        with pytest.raises(HermesSessionsError) as refused:
            await team.rename("s", "After", Scope.SESSION)
        assert refused.value.code is ErrorCode.STORE_BUSY
        assert (await team.forest()).sessions["s"].title == "Before"  # reading waits for nobody
        await held.rollback()
        await team.rename("s", "After", Scope.SESSION)


async def test_a_change_waits_as_long_as_the_settings_say(url: str) -> None:
    async with store(url) as (one, _):
        profiles = open_profiles(Settings(profile=(("team", url),), lock_timeout=PATIENCE))
        team = await profiles.get("team")
        held = one.transaction()
        await held.start()
        await one.execute("UPDATE sessions SET title = 'Held' WHERE id = 's'")
        started = time.monotonic()
        with pytest.raises(HermesSessionsError) as refused:
            await team.rename("s", "After", Scope.SESSION)
        assert (refused.value.code, PATIENCE <= time.monotonic() - started < 5) == (ErrorCode.STORE_BUSY, True)
        await held.rollback()
        await profiles.close()
