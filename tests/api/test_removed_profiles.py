"""A store whose profile was removed from the home is closed once that is seen, and not before its users are done."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.app import exported
from hermes_sessions.model.export.outline import ExportScope, outline_of
from hermes_sessions.model.export.writing import FORMATS
from hermes_sessions.opening import open_profiles
from hermes_sessions.profiles import Profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from tests.api.serving import Api, Server, serving
from tests.api.streaming import CHANGES, connected, subscribed
from tests.api.test_leaving import threads
from tests.builders import StoreBuilder, home_with, store_path
from tests.stores.test_replaced import held_files

LIST = "{ conversations { nodes { id title } } }"
NAMES = "{ profiles { name } }"

pytestmark = pytest.mark.sqlite


def one(store: StoreBuilder) -> None:
    store.session("one", title="First")
    store.message("one", content="words")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    with serving(home_with(tmp_path / "home", beta=one)) as started:
        yield started


def beta_of(own: Server) -> Api:
    """The profile, which has been read; the other one has no store."""
    api = own.api("beta")
    assert api.ask(LIST)["conversations"]["nodes"]
    assert held_files(api.path)
    assert threads()
    return api


def until_closed(own: Server) -> None:
    until_nothing_is_open(store_path(own.home, "beta"))


def until_nothing_is_open(path: Path) -> None:
    deadline = time.monotonic() + 10
    while (held_files(path) or threads()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert held_files(path) == []
    assert threads() == 0


SEEN: dict[str, Callable[[Server], Any]] = {
    "the list of profiles": lambda own: own.api().ask(NAMES),
    "a request to it": lambda own: own.api("beta").refusal(LIST),
    "a subscription to it": lambda own: asyncio.run(refused_subscription(own)),
    "an export of it": lambda own: fetch(own, "/export/beta/one.json"),
    "readiness": lambda own: fetch(own, "/readyz"),
    "metrics": lambda own: fetch(own, "/metrics"),
}


async def refused_subscription(own: Server) -> None:
    async with connected(own, own.api("beta")) as session, subscribed(session, CHANGES) as stream:
        assert (await stream.refusal()).code == "PROFILE_NOT_FOUND"


def fetch(own: Server, address: str) -> None:
    with own.served.client() as client:
        client.get(address)


@pytest.mark.parametrize("way", SEEN)
def test_it_is_closed_however_it_is_seen_to_be_gone(own: Server, way: str) -> None:
    beta_of(own)
    fetch(own, "/export/beta/one.json")
    shutil.rmtree(own.home / "profiles" / "beta")
    SEEN[way](own)
    until_closed(own)


def test_one_that_is_made_anew_is_read_and_followed(own: Server) -> None:
    beta_of(own)

    async def follow(sessions: list[str]) -> None:
        async with connected(own, own.api("beta")) as session, subscribed(session, CHANGES) as stream:
            assert (await stream.next())["kind"] == "SYNCED"
            with StoreBuilder(store_path(own.home, "beta")) as agent:
                agent.session(sessions[-1])
            assert (await stream.next())["sessionId"] == sessions[-1]
        assert {each["id"] for each in own.api("beta").ask(LIST)["conversations"]["nodes"]} == set(sessions)

    asyncio.run(follow(["one", "two"]))
    shutil.rmtree(own.home / "profiles" / "beta")
    own.api().ask(NAMES)
    until_closed(own)
    home_with(own.home, beta=lambda store: store.session("another"))
    asyncio.run(follow(["another", "more"]))


async def test_a_subscription_goes_on_when_the_profile_is_put_back_and_it_is_closed_after_the_last(
    own: Server,
) -> None:
    beta = own.home / "profiles" / "beta"
    api = await asyncio.to_thread(beta_of, own)
    async with connected(own, api) as session, subscribed(session, CHANGES) as stream:
        assert (await stream.next())["kind"] == "SYNCED"
        beta.rename(own.home / "away")
        assert await asyncio.to_thread(own.api().ask, NAMES) == {"profiles": [{"name": "default"}]}
        assert (await stream.next())["kind"] == "STORE_REPLACED"
        (own.home / "away").rename(beta)
        with api.store() as agent:
            agent.session("late")
        assert (await stream.next())["kind"] in ("CREATED", "STORE_REPLACED")
        with api.store() as agent:
            agent.session("later")
        while (await stream.next())["sessionId"] != "later":
            pass
        beta.rename(own.home / "away")
        await asyncio.to_thread(own.api().ask, NAMES)
    await asyncio.to_thread(until_closed, own)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Profiles, Path]]:
    """Profiles, and the directory of one of them. Nothing of them is open at the end."""
    home = home_with(folder / "home", beta=one)
    profiles = open_profiles(Settings(home=home, state_dir=folder / "state"))
    try:
        yield profiles, home / "profiles" / "beta"
    finally:
        await profiles.close()
    await asyncio.to_thread(until_nothing_is_open, home)


@contextmanager
def taken_away(profiles: Profiles, directory: Path) -> Iterator[None]:
    """Which is seen, and put back at the end."""
    away = directory.rename(directory.parents[1] / "away")
    assert profiles.names() == ["default"]
    yield
    away.rename(directory)


async def ids(store: Store) -> list[str]:
    return list((await store.forest()).sessions)


async def test_whoever_uses_it_may_finish(tmp_path: Path) -> None:
    async with opened(tmp_path) as (profiles, directory):
        with profiles.lease() as first:
            store = await first.get("beta")
            with profiles.lease() as second:
                assert [await second.get("beta"), await second.get("BETA")] == [store, store]
                with taken_away(profiles, directory):
                    pass
            assert await ids(store) == ["one"]
            with taken_away(profiles, directory):
                first.end()
        another = await profiles.get("beta")
        assert another is not store
        assert await ids(another) == ["one"]


async def test_one_that_was_put_back_stays_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as (profiles, directory):
        with profiles.lease() as lease:
            store = await lease.get("beta")
            with taken_away(profiles, directory):
                pass
            assert await lease.get("beta") is store
        assert await profiles.get("beta") is store
        assert await ids(store) == ["one"]


async def test_an_export_under_way_is_finished_when_the_profile_is_put_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as (profiles, directory):
        with profiles.lease() as lease:
            forest = await (await lease.get("beta")).forest()
        text = exported(profiles, outline_of("beta", forest, "one", ExportScope.SESSION), FORMATS["json"])
        async with aclosing(text):
            begun = await anext(text)
            with taken_away(profiles, directory):
                pass
            assert "words" in begun + "".join([piece async for piece in text])
        with taken_away(profiles, directory):
            await asyncio.to_thread(until_nothing_is_open, directory)


async def test_what_is_asked_for_after_the_end_of_a_lease_is_not_held_by_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as (profiles, directory):
        with profiles.lease() as lease:
            await lease.get("beta")
        assert await ids(await lease.get("beta")) == ["one"]
        with taken_away(profiles, directory):
            await asyncio.to_thread(until_nothing_is_open, directory)


async def test_the_server_ends_after_what_is_being_closed(tmp_path: Path) -> None:
    class Slow:
        is_closed = False

        async def close(self) -> None:
            await asyncio.sleep(0.1)
            self.is_closed = True

    async def open_slow(_: str, path: Path) -> Any:
        return slow

    slow, home = Slow(), home_with(tmp_path / "home", beta=one)
    profiles = Profiles(home, open_slow)
    await profiles.get("beta")
    with taken_away(profiles, home / "profiles" / "beta"):
        await profiles.close()
    assert slow.is_closed


async def test_what_is_not_of_the_home_is_never_closed(tmp_path: Path) -> None:
    async with opened(tmp_path) as (profiles, _):
        declared = Profiles(None, unopened, {"team": lambda: profiles.get("beta")})
        with declared.lease() as lease:
            store = await lease.get("team")
        assert declared.names() == ["team"]
        assert await declared.get("team") is store
        assert await ids(store) == ["one"]


async def unopened(profile: str, path: Path) -> Store:
    raise AssertionError(f"There is no home that {profile} could be in.")
