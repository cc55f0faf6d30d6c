"""The token is made once, kept private, and asked for wherever others could reach the server."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings
from hermes_sessions.web.hosts import is_loopback
from hermes_sessions.web.token import Credentials, kept_token, with_token


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "state")
    token = with_token(settings).token
    assert token is not None
    assert len(token) == 43
    assert with_token(settings).token == token


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        kept_token(tmp_path / "state" / "token")
    finally:
        os.umask(before)
    assert (mode(tmp_path / "state"), mode(tmp_path / "state" / "token")) == (0o700, 0o600)
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["token"]


@pytest.mark.parametrize("others", [0o640, 0o604, 0o660])
def test_one_that_others_could_read_is_replaced(tmp_path: Path, others: int) -> None:
    path = tmp_path / "token"
    token = kept_token(path)
    path.chmod(others)
    assert kept_token(path) != token
    assert mode(path) == 0o600


@pytest.mark.parametrize("content", ["", "short", "with a space " * 10, "é" * 43])
def test_a_broken_file_is_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "token"
    path.touch(0o600)
    path.write_text(content)
    assert len(kept_token(path)) == 43


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    token = kept_token(theirs)
    (tmp_path / "token").symlink_to(theirs)
    assert kept_token(tmp_path / "token") != token
    assert theirs.read_text().strip() == token


def test_servers_that_start_together_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(kept_token, [tmp_path / "state" / "token"] * 8))
    assert len(tokens) == 1


def test_a_token_that_was_set_wins_and_is_not_written(tmp_path: Path) -> None:
    assert with_token(Settings(token="mine", state_dir=tmp_path / "state")).token == "mine"
    assert not (tmp_path / "state").exists()


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HermesSessionsError, match="--state-dir"):
        with_token(Settings(state_dir=tmp_path / "file" / "state"))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.0.1"])
def test_on_loopback_it_can_be_left_out(host: str) -> None:
    assert is_loopback(host)
    assert with_token(Settings(host=host, no_auth=True)).token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "myhost", "localhost.evil.com", "::ffff:192.168.1.5"])
def test_elsewhere_it_cannot(host: str) -> None:
    with pytest.raises(HermesSessionsError, match="loopback"):
        with_token(Settings(host=host, no_auth=True))


def test_credentials_take_the_same_text_from_headers_and_websockets() -> None:
    credentials = Credentials("secret")
    assert credentials.accept("Bearer secret")
    assert credentials.accept(b"Bearer secret")
    assert not credentials.accept("secret")
    assert not credentials.accept("Bearer sécret")
    assert not credentials.accept(None)
    assert Credentials(None).accept(None)
