"""What stands in a store's place or beside it, and in the state directory: only plain files are opened, and quickly."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings
from hermes_sessions.stores.own_changes import OwnChanges
from hermes_sessions.stores.sqlite.handle import Handle
from hermes_sessions.stores.sqlite.worker import Worker
from hermes_sessions.web.token import kept_token, with_token
from tests.api.serving import Api, Server, serving
from tests.builders import StoreBuilder, full_plan, home_with, store_path
from tests.doctor.looking import doctor

SECONDS = 5.0
"""Whoever opened a pipe would wait for ever."""
LIST = "{ conversations { nodes { id } } }"
SIDECARS = ("-wal", "-shm", "-journal")

Put = Callable[[Path, Path], object]


def put_link(path: Path, outside: Path) -> None:
    shutil.copy(outside, outside.with_name("target"))
    path.symlink_to(outside.with_name("target"))


def put_dangling_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside.with_name("made-by-us"))


def put_hard_link(path: Path, outside: Path) -> None:
    os.link(outside, path)


def put_socket(path: Path, outside: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{here}/{path.name}")  # paths of sockets are short
    os.close(here)


def put_device(path: Path, outside: Path) -> None:
    """Where only root may make one: a pipe, which is no file either."""
    if os.geteuid() == 0:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero
    else:
        os.mkfifo(path)


THINGS: dict[str, Put] = {
    "link": put_link,
    "dangling link": put_dangling_link,
    "hard link": put_hard_link,
    "pipe": lambda path, _: os.mkfifo(path),
    "socket": put_socket,
    "device": put_device,
    "directory": lambda path, _: path.mkdir(),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("files") / "home") as running:
        yield running


@contextmanager
def in_time() -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < SECONDS


def spoiled(server: Server, suffix: str, put: Put) -> tuple[Api, Path]:
    """A profile of which one file is something else; and a store outside of the home, which nobody may touch."""
    api = server.profile(full_plan)
    outside = server.home.parent / f"{api.profile}-outside" / "state.db"
    with StoreBuilder(outside) as store:
        store.session("secret", title="a secret of somebody else")
    Path(f"{api.path}{suffix}").unlink(missing_ok=True)
    put(Path(f"{api.path}{suffix}"), outside)
    return api, outside


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.parametrize("suffix", ["", *SIDECARS])
@pytest.mark.parametrize("thing", THINGS)
def test_it_is_refused_in_time_and_other_profiles_go_on(server: Server, thing: str, suffix: str) -> None:
    other = server.profile(full_plan)
    api, outside = spoiled(server, suffix, THINGS[thing])
    before = files(outside.parent)
    with in_time():
        refused = api.refusal(LIST)
        assert refused.code == "UNSUPPORTED_STORE"
        assert f"{api.path.name}{suffix}" in refused.message or "The store is" in refused.message
        assert api.ask("{ profile { status } }") == {"profile": {"status": "UNSUPPORTED"}}
        [change] = api.ask('mutation { renameSession(input: {id: "d1", title: "y"}) { userErrors { code } } }').values()
        assert change["userErrors"] == [{"code": "UNSUPPORTED_STORE"}]
        with server.served.client() as client:
            assert client.get(f"/export/{api.profile}/secret.json").status_code == 503
            assert client.get("/readyz").status_code == 200
        assert other.ask(LIST)["conversations"]["nodes"] != []
    assert files(outside.parent) == before


@pytest.mark.parametrize("suffix", ["", "-wal", "-journal"])
@pytest.mark.parametrize("thing", ["link", "hard link", "pipe"])
def test_also_when_it_comes_while_the_store_is_open(server: Server, thing: str, suffix: str) -> None:
    api = server.profile(full_plan)
    assert api.ask(LIST)["conversations"]["nodes"] != []
    outside = server.home.parent / f"{api.profile}-later" / "state.db"
    with StoreBuilder(outside) as store:
        store.session("secret")
    path = Path(f"{api.path}{suffix}")
    path.unlink(missing_ok=True)
    THINGS[thing](path, outside)
    with in_time():
        assert api.refusal(LIST).code == "UNSUPPORTED_STORE"
    path.unlink()


@pytest.mark.parametrize("thing", ["link", "hard link"])
@pytest.mark.parametrize("suffix", ["", "-wal"])
async def test_what_is_put_there_after_the_check_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thing: str, suffix: str
) -> None:
    """The first look finds a plain file; the swap comes before SQLite opens it."""
    path = store_path(home_with(tmp_path / "home", default=full_plan))
    outside = store_path(home_with(tmp_path / "outside", default=full_plan))
    worker = Worker(path, "ro", 1.0, {})
    real = Handle._open
    swapped = Path(f"{path}{suffix}")

    def swap_and_open(self: Handle) -> object:
        swapped.unlink(missing_ok=True)
        THINGS[thing](swapped, outside)
        return real(self)

    monkeypatch.setattr(Handle, "_open", swap_and_open)
    async with asyncio.timeout(SECONDS):
        with pytest.raises(HermesSessionsError) as refused:
            await worker.query("SELECT id FROM sessions", {})
        assert refused.value.code.value in ("UNSUPPORTED_STORE", "STORE_UNREACHABLE")
        await worker.shut_down()


def test_a_home_may_be_reached_through_a_link(tmp_path: Path) -> None:
    home_with(tmp_path / "real", default=full_plan, beta=full_plan)
    (tmp_path / "home").symlink_to(tmp_path / "real", target_is_directory=True)
    with serving(tmp_path / "home") as server:
        for profile in ("default", "beta"):
            assert server.api(profile).ask(LIST)["conversations"]["nodes"] != []


def test_profiles_behind_a_link_are_none(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=full_plan)
    home_with(tmp_path / "elsewhere", beta=full_plan)
    (home / "profiles").symlink_to(tmp_path / "elsewhere" / "profiles", target_is_directory=True)
    with serving(home) as server:
        assert server.api().ask("{ profiles { name } }") == {"profiles": [{"name": "default"}]}
        refusal = server.api("beta").refusal(LIST)
        told = server.api().ask("{ server { warnings } }")["server"]["warnings"]
    assert (refusal.code, told) == ("PROFILE_NOT_FOUND", [refusal.message])
    assert refusal.message.startswith("profiles in the Hermes home is a link")
    assert doctor(home).stderr == f"{refusal.message}\n"


def test_what_was_left_out_for_a_link_is_told_by_its_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home = home_with(tmp_path / "home", default=full_plan, beta=full_plan)
    elsewhere = home_with(tmp_path / "elsewhere", default=full_plan)
    for name in ("linked", "No Profile"):
        (home / "profiles" / name).symlink_to(elsewhere, target_is_directory=True)
    (home / "profiles" / "file").symlink_to(store_path(elsewhere))
    with serving(home) as server:
        refusal = server.api("linked").refusal(LIST)
        told = server.api().ask("{ server { warnings } profiles { name } }")
    assert refusal.code == "PROFILE_NOT_FOUND"
    assert refusal.message.startswith("profiles/linked in the Hermes home is a link")
    assert told == {"server": {"warnings": [refusal.message]}, "profiles": [{"name": "default"}, {"name": "beta"}]}
    assert refusal.message in caplog.messages


# The state directory


@pytest.mark.parametrize("thing", THINGS)
def test_a_bin_that_is_no_plain_file_refuses_deletions_and_nothing_is_lost(tmp_path: Path, thing: str) -> None:
    home = home_with(tmp_path / "home", default=full_plan)
    outside = store_path(home_with(tmp_path / "outside", default=full_plan))
    state = tmp_path / "state"
    state.mkdir(0o700)
    THINGS[thing](state / "bin.db", outside)
    before = files(outside.parent)
    with serving(home, state) as server, in_time():
        api = server.api()
        deleted = api.ask('mutation { deleteSession(input: {id: "br1"}) { deletedIds userErrors { code message } } }')
        [error] = deleted["deleteSession"]["userErrors"]
        assert (error["code"], deleted["deleteSession"]["deletedIds"]) == ("UNSUPPORTED_STORE", [])
        assert error["message"].startswith("bin.db is ")
        assert api.ask('{ session(id: "br1") { id } }') == {"session": {"id": "br1"}}
    assert files(outside.parent) == before


@pytest.mark.parametrize("thing", [name for name in THINGS if name != "directory"])
def test_a_token_that_is_no_plain_file_is_made_anew(tmp_path: Path, thing: str) -> None:
    outside = tmp_path / "outside" / "token"
    known = kept_token(outside)
    state = tmp_path / "state"
    state.mkdir(0o700)
    THINGS[thing](state / "token", outside)
    with in_time():
        token = with_token(Settings(state_dir=state)).token
    assert outside.read_text().strip() == known
    assert stat.S_ISREG((state / "token").lstat().st_mode)
    assert token == known if thing == "hard link" else token != known


def test_a_token_that_is_a_directory_is_said(tmp_path: Path) -> None:
    (tmp_path / "state" / "token").mkdir(parents=True)
    with pytest.raises(HermesSessionsError, match="--state-dir"):
        with_token(Settings(state_dir=tmp_path / "state"))


@pytest.mark.parametrize("thing", THINGS)
def test_the_mark_of_own_changes_touches_nothing_else(tmp_path: Path, thing: str) -> None:
    marks = OwnChanges(tmp_path / "state", tmp_path / "state.db")
    marks.move()
    [path] = (tmp_path / "state").iterdir()
    path.unlink()
    (tmp_path / "outside").mkdir()
    outside = tmp_path / "outside" / "file"
    outside.write_text("x")
    THINGS[thing](path, outside)
    for entry in outside.parent.iterdir():  # the target of a link, too
        os.utime(entry, (1, 1))
    before = marks.mark()
    with in_time():
        marks.move()
    assert marks.mark() != before
    assert [entry.name for entry in outside.parent.iterdir()] in (["file"], ["file", "target"], ["target", "file"])
    assert thing == "hard link" or {entry.stat().st_mtime for entry in outside.parent.iterdir()} == {1}


@pytest.mark.parametrize("command", [("doctor", "--profile", "beta"), ("export", "d1", "--profile", "beta")])
@pytest.mark.parametrize("suffix", ["", "-journal"])
def test_commands_do_not_wait_for_a_pipe(tmp_path: Path, command: tuple[str, ...], suffix: str) -> None:
    home = home_with(tmp_path / "home", beta=full_plan)
    path = Path(f"{store_path(home, 'beta')}{suffix}")
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    environment = os.environ | {"PYTHONPATH": "backend", "HERMES_SESSIONS_STATE_DIR": str(tmp_path / "state")}
    arguments = [sys.executable, "-m", "hermes_sessions", *command, "--home", str(home)]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == (2 if command[0] == "doctor" else 1)
    assert "no regular file" in done.stdout + done.stderr
