"""A write that meets its deadline while it commits: nobody knows whether it was kept, that is said, and it can be
repeated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
import pytest

from tests.api.serving import Json
from tests.postgres.cluster import Cluster, running_cluster
from tests.postgres.listeners import until
from tests.postgres.writers import APPEND, CREATE, NOT_KNOWN
from tests.processes import Replica, replica, run_command

SLOW_COMMIT = """
    CREATE FUNCTION hermes_sessions.wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.content LIKE 'slow%' THEN PERFORM pg_sleep(0.6); END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON hermes_sessions.messages DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION hermes_sessions.wait();
"""
COMMITTING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'hermes-sessions' AND query = 'COMMIT;' AND state = 'active'
"""
STATEMENT_SECONDS = 1.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


@pytest.fixture(scope="module")
def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replica]:
    folder, profile = tmp_path_factory.mktemp("frozen"), f"team={cluster.url()}"
    run_command(folder, "migrate", "--profile", profile)
    on_primary(cluster, SLOW_COMMIT)
    environment = {"HERMES_SESSIONS_STATEMENT_TIMEOUT": str(STATEMENT_SECONDS)}
    with replica(folder / "serving", "--profile", profile, environment=environment) as running:
        assert running.ask(CREATE, id="a")["data"]["createSession"]["userErrors"] == []
        yield running


@pytest.fixture(autouse=True)
def thawed(cluster: Cluster) -> Iterator[None]:
    yield
    cluster.primary.thaw()
    cluster.standby.thaw()


def on_primary(cluster: Cluster, sql: str) -> Any:
    async def ask() -> Any:
        connection = await asyncpg.connect(cluster.primary.url())
        try:
            return (
                await connection.fetchval(sql) if sql.lstrip().startswith("SELECT") else await connection.execute(sql)
            )
        finally:
            await connection.close()

    return asyncio.run(ask())


def append(server: Replica, text: str) -> Json:
    """The whole answer."""
    return server.ask(APPEND, id="a", client=text, text=text)


def appended_while(server: Replica, text: str, interrupt: Callable[[], None]) -> tuple[str, str]:
    """Code and message of the error for a message that was sent when this happened."""
    with ThreadPoolExecutor(1) as thread:
        begun = time.monotonic()
        sent = thread.submit(append, server, text)
        interrupt()
        [error] = sent.result()["errors"]
        assert time.monotonic() - begun < STATEMENT_SECONDS + 6
    return error["extensions"]["code"], error["message"]


def freeze_at_commit(cluster: Cluster) -> None:
    assert until(lambda: on_primary(cluster, COMMITTING) == 1, within=5)
    cluster.primary.freeze()


def repeated(server: Replica, text: str) -> Json:
    """The answer to the same call once there is one."""
    answers: list[Json] = []

    def ask() -> bool:
        answers.append(append(server, text))
        return "errors" not in answers[-1]

    assert until(ask, within=15), answers[-1]
    return dict(answers[-1]["data"]["appendMessages"])


def stored(cluster: Cluster, text: str) -> object:
    return on_primary(cluster, f"SELECT count(*) FROM hermes_sessions.messages WHERE content = '{text}'")


def test_a_primary_that_is_frozen_while_it_commits(cluster: Cluster, server: Replica) -> None:
    code, message = appended_while(server, "slow to commit", lambda: freeze_at_commit(cluster))
    assert code == "TIMEOUT"
    assert NOT_KNOWN in message
    cluster.primary.thaw()
    for _ in range(2):
        assert len(repeated(server, "slow to commit")["messages"]) == 1
    assert stored(cluster, "slow to commit") == 1


def test_a_standby_that_is_frozen_holds_up_a_commit_that_is_kept(cluster: Cluster, server: Replica) -> None:
    cluster.standby.freeze()
    code, message = appended_while(server, "kept", lambda: None)
    assert code == "TIMEOUT"
    assert NOT_KNOWN in message
    cluster.standby.thaw()
    answer = repeated(server, "kept")
    assert (answer["newIds"], len(answer["messages"])) == ([], 1)
    assert stored(cluster, "kept") == 1


def test_a_primary_that_is_frozen_before_a_change_begins_keeps_nothing(cluster: Cluster, server: Replica) -> None:
    cluster.primary.freeze()
    code, message = appended_while(server, "too early", lambda: None)
    assert code in ("TIMEOUT", "STORE_UNREACHABLE")
    assert NOT_KNOWN not in message
    cluster.primary.thaw()
    time.sleep(STATEMENT_SECONDS)
    assert stored(cluster, "too early") == 0
    assert len(repeated(server, "too early")["newIds"]) == 1
    assert stored(cluster, "too early") == 1
