"""The command line: what it takes, and what it says when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hermes_sessions.cli import main, with_home
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import SETTINGS, Settings


def run(*arguments: str, environment: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, arguments, env=environment, prog_name="hermes-sessions")


def test_serve_has_the_options_of_the_table() -> None:
    help_text = run("serve", "--help").output
    for setting in SETTINGS:
        assert (f"{setting.option} " in help_text) is setting.is_option, setting.name


@pytest.mark.parametrize("command", ["serve", "demo", "schema", "doctor"])
def test_every_command_explains_itself(command: str) -> None:
    assert command in run("--help").output
    assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "http"], '--port cannot be "http". Use a whole number from 0 to 65535.'),
        (["--workers", "0"], '--workers cannot be "0".'),
        (["--token", "a b"], "--token cannot be this value."),
        (["--token", "a", "--no-auth"], "--token and --no-auth exclude each other."),
        (["--home", "/nowhere/at/all"], "There is no Hermes home at /nowhere/at/all. Name one with --home DIR."),
    ],
)
def test_a_mistake_is_one_sentence_and_no_traceback(arguments: list[str], sentence: str) -> None:
    result = run("serve", *arguments)
    assert result.exit_code == 1
    assert f"Error: {sentence}" in result.output
    assert "Traceback" not in result.output


def test_without_a_home_serve_says_where_it_looked_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("serve", environment={"HERMES_HOME": str(tmp_path / "none")})
    assert result.exit_code == 1
    assert f"There is no Hermes home at {tmp_path / 'none'}." in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_demo_home_of_an_earlier_start_stands_in_for_a_missing_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "none"))
    (tmp_path / ".demo").mkdir()
    (tmp_path / ".demo" / "state.db").touch()
    assert with_home(Settings(demo_home=tmp_path / ".demo")).home == tmp_path / ".demo"
    assert f"Serving demo sessions from {tmp_path / '.demo'} instead." in capsys.readouterr().err


def test_a_named_home_that_is_missing_is_never_replaced_by_a_demo(tmp_path: Path) -> None:
    with pytest.raises(HermesSessionsError, match="no Hermes home"):
        with_home(Settings(home=tmp_path / "none", demo_home=tmp_path))


def test_profiles_in_databases_need_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "none"))
    assert with_home(Settings(profile=(("team", "postgresql://db/sessions"),))).home is None
