"""What fails though nothing was wrong with the question: it is masked, logged, and says what was done all the same."""

from __future__ import annotations

import logging
from itertools import count

import pytest

from hermes_sessions.api.context import Context, StoreView
from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.stores.postgres.store import PostgresStore
from hermes_sessions.stores.sqlite.store import SqliteStore
from tests.api.serving import Api, Refusal, Server
from tests.api.test_errors import SECRET, assert_nothing_leaks, shown
from tests.builders import StoreBuilder, T, plan_chain


def with_a_failing_trigger(store: StoreBuilder) -> None:
    """A store whose every rename fails in a way that nobody expects."""
    store.session("s", title=SECRET, start=T)
    store.sql(
        f"""CREATE TRIGGER {SECRET} BEFORE UPDATE ON sessions
            BEGIN SELECT abs(-9223372036854775807 - 1); END"""
    )


def assert_masked(refusal: Refusal, server: Server, caplog: pytest.LogCaptureFixture) -> None:
    assert refusal.code == "INTERNAL"
    assert_nothing_leaks(shown(refusal), server.home)
    request = refusal.details["requestId"]
    assert request in refusal.message
    assert any(request in record.getMessage() and record.levelno == logging.ERROR for record in caplog.records)


@pytest.mark.sqlite
def test_an_unexpected_failure_of_a_change_is_masked_and_logged(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    api = server.profile(with_a_failing_trigger)
    rename = 'mutation { renameSession(input: {id: "s", title: "new"}) { userErrors { message } } }'
    assert_masked(api.refusal(rename), server, caplog)
    assert api.ask('{ session(id: "s") { title } }')["session"]["title"] == SECRET


def test_a_change_that_was_made_and_cannot_be_read_back_says_that_it_was_made(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = server.profile(plan_chain)
    view, asked = Context.view, count(1)

    async def lost_after_the_first(self: Context, profile: str | None) -> StoreView:
        if next(asked) > 1:
            raise HermesSessionsError(ErrorCode.STORE_UNREACHABLE, "It is gone.")
        return await view(self, profile)

    with monkeypatch.context() as patched:
        patched.setattr(Context, "view", lost_after_the_first)
        refusal = api.refusal('mutation { renameSession(input: {id: "d3", title: "Made"}) { userErrors { message } } }')
    assert refusal.code == "STORE_UNREACHABLE"
    assert refusal.message == "The change was made, and could not be read back. It is gone."
    assert api.ask('{ session(id: "d3") { title } }')["session"]["title"] == "Made"


def test_an_unexpected_failure_of_a_question_is_masked_and_costs_one_field(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError(f"{SECRET} in {server.home}")

    api: Api = server.profile(plan_chain)
    for store in (SqliteStore, PostgresStore):
        monkeypatch.setattr(store, "details", broken)
    refusal = api.refusal('{ session(id: "d1") { id title modelConfig } }')
    assert_masked(refusal, server, caplog)
    assert refusal.data == {"session": {"id": "d1", "title": "Plan", "modelConfig": None}}
