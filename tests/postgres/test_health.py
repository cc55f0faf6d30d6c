"""How a store is told to be: whether it can be used and why not, its rows, its sizes and its damages."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.examination import examine
from hermes_sessions.model.health.examination import Severity
from hermes_sessions.model.health.facts import IndexState, Place, RowFacts, SearchIndex
from hermes_sessions.model.health.findings import find
from hermes_sessions.model.health.reporting import Report, as_json, as_text
from hermes_sessions.store_values import StoreState, StoreStatus
from hermes_sessions.stores.postgres import status
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.stores.postgres.migrating import Migration, migrations
from hermes_sessions.stores.postgres.store import PostgresStore
from tests.postgres.server import PostgresServer
from tests.postgres.test_change_tracking import connections


@asynccontextmanager
async def store_at(url: str, *, limit: float = 5.0, read_only: bool = False) -> AsyncIterator[PostgresStore]:
    store = PostgresStore("team", Address.of("team", url), limit=limit, read_only=read_only, days=30)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def state_at(url: str, **options: Any) -> StoreState:
    async with store_at(url, **options) as store:
        return await store.state()


async def test_a_store_is_ready_with_sessions_and_without(url: str) -> None:
    async with connections(url) as [one]:
        empty = await state_at(url)
        assert (empty.status, empty.reason) == (StoreStatus.READY, None)
        await one.execute(
            "INSERT INTO messages (session_id, content) SELECT 'a', repeat('x', 3000) FROM generate_series(1, 2000)"
        )
        filled = await state_at(url)
        assert filled.status is StoreStatus.READY
        assert empty.size_bytes is not None
        assert filled.size_bytes is not None
        assert filled.size_bytes > empty.size_bytes > 0


async def test_a_store_that_was_not_migrated_says_how(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await state_at(url) == StoreState(
        StoreStatus.UNSUPPORTED, "The database has no tables for this profile. Run `hermes-sessions migrate`."
    )
    async with connections(url) as [one]:
        assert (await state_at(f"{url}?schema=another")).status is StoreStatus.UNSUPPORTED
        monkeypatch.setattr(status, "migrations", lambda: [*migrations(), Migration(9998, "of_tomorrow", "")])
        behind = await state_at(url)
        assert behind.status is StoreStatus.UNSUPPORTED
        assert behind.reason is not None
        assert "lacks step 9998, of tomorrow. Run `hermes-sessions migrate`." in behind.reason
        await one.execute("INSERT INTO migrations VALUES (9998, 'of_tomorrow'), (9999, 'of_the_day_after')")
        assert (await state_at(url)).status is StoreStatus.READY


async def test_a_store_that_lost_something_says_what(url: str) -> None:
    async with connections(url) as [one]:
        await one.execute("DELETE FROM store")
        lost = await state_at(url)
        assert lost.status is StoreStatus.UNSUPPORTED
        assert "lost its revision" in str(lost.reason)
        await one.execute("DROP TABLE gone, session_model_usage")
        assert "lost its tables gone, session_model_usage." in str((await state_at(url)).reason)


async def test_what_cannot_be_reached_is_said_without_the_url(server: PostgresServer, url: str) -> None:
    for wrong in (
        f"{url}_that_is_not_there",
        "postgresql://u:swordfish@127.0.0.1:1/x",
        "postgresql://u:swordfish@127.0.0.1:port/x",
    ):
        async with store_at(wrong) as store:
            state = await store.state()
            assert (state.status, state.size_bytes) == (StoreStatus.UNREACHABLE, None)
            assert state.reason
            assert not any(word in state.reason for word in ("swordfish", "127.0.0.1", "postgresql://"))
            assert await store.place() == Place()
            with pytest.raises(HermesSessionsError):
                await store.health()


async def test_a_store_that_is_locked_is_busy(url: str) -> None:
    async with connections(url) as [one]:
        async with one.transaction():
            await one.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
            assert (await state_at(url, limit=0.3)).status is StoreStatus.BUSY
        assert (await state_at(url, limit=0.3)).status is StoreStatus.READY


async def test_a_server_that_was_told_to_only_reads(url: str) -> None:
    async with connections(url):
        state = await state_at(url, read_only=True)
        assert (state.status, state.reason) == (StoreStatus.READ_ONLY, "The server runs with --read-only.")
        assert state.size_bytes


async def test_a_database_and_a_user_that_only_read_are_told(url: str) -> None:
    user, name = f"user_{secrets.token_hex(4)}", url.rpartition("/")[2]
    async with connections(url) as [one]:
        await one.execute(f"CREATE ROLE {user} LOGIN")
        reader = url.replace("postgres@", f"{user}@")
        refused = await state_at(reader)
        assert (refused.status, refused.size_bytes) == (StoreStatus.UNREACHABLE, None)
        assert "rights on the profile's schema" in str(refused.reason)
        await one.execute(f"GRANT USAGE ON SCHEMA hermes_sessions TO {user}")
        await one.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA hermes_sessions TO {user}")
        limited = await state_at(reader)
        assert limited.status is StoreStatus.READ_ONLY
        assert "user may only read" in str(limited.reason)
        await one.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        assert "set to only read" in str((await state_at(url)).reason)


async def test_a_standby_only_reads() -> None:
    server = PostgresServer()
    try:
        server.start()
        async with connections(server.url()) as [one]:
            await one.execute("INSERT INTO sessions (id) VALUES ('a')")
        server.stop()
        (server.data / "standby.signal").touch()
        server.start()
        async with store_at(server.url()) as store:
            state = await store.state()
            assert state.status is StoreStatus.READ_ONLY
            assert "is a standby" in str(state.reason)
            assert list((await store.forest()).sessions) == ["a"]
            assert await store.damages() == []
    finally:
        server.close()


async def fill(one: asyncpg.Connection) -> None:
    await one.execute(
        """
        INSERT INTO sessions (id) VALUES ('a'), ('b');
        UPDATE sessions SET message_count = 2 WHERE id = 'a';
        INSERT INTO messages (session_id, role, content, timestamp) VALUES
            ('a', 'user', repeat('long ', 100000), 1750000000), ('a', 'assistant', 'yes', 1750000001);
        INSERT INTO session_model_usage (session_id, model) VALUES ('a', 'm')
        """
    )


async def test_sizes_by_part_are_the_size_of_the_store(url: str) -> None:
    async with connections(url) as [one], store_at(url) as store:
        await fill(one)
        parts = await store.parts(None)
        health, state = await store.health(), await store.state()
        assert sum(part.size_bytes or 0 for part in parts) == state.size_bytes == health.place.file_bytes
        assert [part.size_bytes for part in parts] == sorted((part.size_bytes for part in parts), reverse=True)  # type: ignore[type-var]
        assert {("messages", False), ("messages_pkey", True)} <= {(part.name, part.is_index) for part in parts}
        assert health.schema_version == migrations()[-1].number
        assert (health.page_count or 0) * (health.page_bytes or 0) == state.size_bytes
        assert await store.place() == health.place
        assert await store.holders() is None


async def test_rows_are_counted_and_those_without_a_session_too(url: str) -> None:
    async with connections(url) as [one], store_at(url) as store:
        await fill(one)
        assert await store.row_facts() == RowFacts(2, 2, 1, orphan_session_ids=[])
        await one.execute("INSERT INTO messages (session_id) VALUES ('lost'), ('lost')")
        await one.execute("DELETE FROM sessions WHERE id = 'a'")
        assert await store.row_facts() == RowFacts(1, 4, 1, 4, 1, ["a", "lost"])


async def test_an_index_for_words_is_told(url: str) -> None:
    async with connections(url) as [one], store_at(url) as store:
        before = await store.search_indexes()
        await one.execute("CREATE INDEX words ON messages USING gin (to_tsvector('simple', content))")
        assert set(await store.search_indexes()) == {*before, SearchIndex("words", IndexState.OK)}
        await one.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'words'::regclass")
        assert SearchIndex("words", IndexState.BUILDING) in await store.search_indexes()


DAMAGES = {
    "Sessions that do not have the counts of their messages: a.": [
        "ALTER TABLE sessions DISABLE TRIGGER USER",
        "UPDATE sessions SET live = live + 1 WHERE id = 'a'",
        "ALTER TABLE sessions ENABLE TRIGGER USER",
    ],
    "Sessions of a later revision than the store, whose next changes would go unseen: a, b.": [
        "UPDATE store SET revision = 0"
    ],
    "Ids that several messages have: 1.": ["INSERT INTO messages (id, session_id) VALUES (1, 'b')"],
    "Sessions that do not exist and have messages: c, d, e, f, g and 2 more.": [
        "INSERT INTO messages (session_id) SELECT unnest(ARRAY['c', 'd', 'e', 'f', 'g', 'h', 'i', 'c'])"
    ],
    "Sessions that do not exist and have usage rows: c.": [
        "INSERT INTO session_model_usage (session_id, model) VALUES ('c', 'm'), ('c', 'n')"
    ],
    "Triggers that are switched off, so that changes are not counted: messages.count_gone.": [
        "ALTER TABLE messages DISABLE TRIGGER count_gone"
    ],
}


@pytest.mark.parametrize(("sentence", "steps"), DAMAGES.items())
async def test_damages_are_found(url: str, sentence: str, steps: Sequence[str]) -> None:
    async with connections(url) as [one], store_at(url) as store:
        await fill(one)
        assert await store.damages() == []
        for step in steps:
            await one.execute(step)
        assert await store.damages() == [sentence]


async def test_damages_have_more_time_than_a_statement(url: str) -> None:
    async with connections(url) as [one], store_at(url, limit=0.05) as store:
        await fill(one)
        await one.execute(
            """
            CREATE OR REPLACE VIEW activity AS
            SELECT id AS session_id, row_count, live, compacted, newest, last_id, live_ids
            FROM sessions, (SELECT pg_sleep(0.2)) AS slow
            """
        )
        assert await store.damages() == []


async def test_a_sound_store_gives_nothing_to_find(url: str) -> None:
    async with connections(url) as [one], store_at(url) as store:
        await fill(one)
        look = await examine(store, deep=True)
        findings = find(look)
        assert [finding for finding in findings if finding.severity is not Severity.OK] == []
        report = [Report(look, findings, "team", 0.1)]
        for shown in (as_text(report), as_json(report, 0)):
            assert "postgresql://" not in shown
            assert "127.0.0.1" not in shown


async def test_a_store_without_tables_is_told_by_an_examination(url: str) -> None:
    async with store_at(url) as store:
        look = await examine(store)
        assert look.refusal is not None
        assert look.refusal.code is ErrorCode.UNSUPPORTED_STORE
        assert "Run `hermes-sessions migrate`." in look.refusal.message
