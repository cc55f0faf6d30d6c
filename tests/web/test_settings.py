"""Settings come from options and variables; wrong values are refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.home import find_home
from hermes_sessions.settings import SETTINGS, Settings, read_settings, settings_table

PASSWORD_URL = "postgresql://user:swordfish@db/sessions"


def test_an_option_wins_over_its_variable() -> None:
    environment = {"HERMES_SESSIONS_PORT": "9000", "HERMES_SESSIONS_WORKERS": "2"}
    settings = read_settings({"port": "9001", "workers": None}, environment)
    assert (settings.port, settings.workers) == (9001, 2)


def test_an_empty_variable_is_not_set() -> None:
    assert read_settings({}, {"HERMES_SESSIONS_TOKEN": "", "HERMES_SESSIONS_PORT": " "}) == Settings()


@pytest.mark.parametrize(("text", "value"), [("1", True), ("TRUE", True), ("on", True), ("0", False), ("no", False)])
def test_flags_can_be_variables(text: str, value: bool) -> None:
    assert read_settings({"read_only": False}, {"HERMES_SESSIONS_READ_ONLY": text}).read_only is value


def test_repeated_ones_are_repeated_options_or_one_variable() -> None:
    by_options = read_settings({"trusted_host": ("A.example", "b.example"), "profile": (f"team={PASSWORD_URL}",)}, {})
    by_variables = read_settings(
        {},
        {"HERMES_SESSIONS_TRUSTED_HOST": "a.example, b.example", "HERMES_SESSIONS_PROFILE": f"Team={PASSWORD_URL}"},
    )
    assert by_options == by_variables
    assert by_options.trusted_host == ("a.example", "b.example")
    assert by_options.profile == (("team", PASSWORD_URL),)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("port", "http"),
        ("port", "65536"),
        ("port", "-1"),
        ("workers", "0"),
        ("workers", "1.5"),
        ("max_page_size", "0"),
        ("request_timeout", "nan"),
        ("request_timeout", "0"),
        ("max_body_bytes", "1e6"),
        ("log_level", "loud"),
        ("host", "http://localhost"),
        ("host", "localhost:8787"),
        ("trusted_host", "*"),
        ("trusted_host", "*.example.com"),
        ("trusted_host", "example.com:443"),
        ("trusted_host", "example.com."),
        ("read_only", "maybe"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(name: str, text: str) -> None:
    (setting,) = (setting for setting in SETTINGS if setting.name == name)
    with pytest.raises(HermesSessionsError) as caught:
        read_settings({}, {setting.variable: text})
    assert caught.value.message == f'{setting.variable} cannot be "{text}". Use {setting.kind.allowed}.'


def test_an_option_is_named_as_it_was_written() -> None:
    with pytest.raises(HermesSessionsError, match=r'^--port cannot be "x"'):
        read_settings({"port": "x"}, {})


@pytest.mark.parametrize(
    ("name", "text"),
    [("token", "swordfish é"), ("profile", "TEAM!=postgresql://u:swordfish@h/d"), ("profile", "swordfish")],
)
def test_a_wrong_secret_is_not_repeated(name: str, text: str) -> None:
    with pytest.raises(HermesSessionsError) as caught:
        read_settings({name: text if name == "token" else (text,)}, {})
    assert "swordfish" not in caught.value.message
    assert f"--{name}" in caught.value.message


@pytest.mark.parametrize(
    "options",
    [
        {"token": "abc", "no_auth": True},
        {"profile": ("a=sqlite:///x", "A=sqlite:///y")},
    ],
)
def test_contradictions_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(HermesSessionsError):
        read_settings(options, {})


def test_a_page_cannot_be_larger_than_the_largest() -> None:
    with pytest.raises(HermesSessionsError, match="max_page_size"):
        read_settings({}, {"HERMES_SESSIONS_MAX_PAGE_SIZE": "20"})


def test_secrets_stay_out_of_repr() -> None:
    settings = Settings(token="swordfish", profile=(("team", PASSWORD_URL),))
    assert "swordfish" not in repr(settings)


def test_the_table_has_a_row_for_each() -> None:
    lines = settings_table().splitlines()
    assert len(lines) == len(SETTINGS) + 2
    assert "| `--port` | `HERMES_SESSIONS_PORT` | `8787` | Port to listen on; 0 takes a free one. |" in lines


def test_the_named_home_wins(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    environment = {"HERMES_HOME": str(tmp_path / "b")}
    assert find_home(Settings(home=tmp_path / "a"), environment) == tmp_path / "a"
    assert find_home(Settings(), environment) == tmp_path / "b"


def test_the_home_of_the_user_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".hermes").mkdir()
    assert find_home(Settings(), {}) == tmp_path / ".hermes"


def test_a_misspelt_home_never_opens_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".hermes").mkdir()
    for settings, environment in [
        (Settings(home=tmp_path / "none"), {}),
        (Settings(), {"HERMES_HOME": str(tmp_path / "none")}),
    ]:
        with pytest.raises(HermesSessionsError, match="none"):
            find_home(settings, environment)
