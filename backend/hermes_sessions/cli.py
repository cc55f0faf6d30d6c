"""The command line. Every command says in one sentence what went wrong and what to do.

A command imports what it needs when it runs, so that `--help` answers at once.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from hermes_sessions.errors import HermesSessionsError, bad_input
from hermes_sessions.home import home_if_any
from hermes_sessions.model.printing import printable_lines
from hermes_sessions.saying import say
from hermes_sessions.settings import SETTINGS, Setting, Settings, read_settings

DEMO_SESSIONS = 300

Command = TypeVar("Command", bound=Callable[..., Any])


class _Group(click.Group):
    """Shows our errors as click shows its own: one line, exit status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HermesSessionsError as error:
            raise click.ClickException(printable_lines(error.message)) from error
        except click.ClickException as error:
            raise _harmless(error) from None

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **options)
        except click.ClickException as error:
            raise _harmless(error) from None


def _harmless(error: click.ClickException) -> click.ClickException:
    """Click quotes arguments as they are: the same error in words that a terminal does not obey."""
    words = error.format_message()
    if printable_lines(words) == words:
        return error
    if isinstance(error, click.UsageError):
        return click.UsageError(printable_lines(words), error.ctx)
    return click.ClickException(printable_lines(words))


def _setting_options(command: Command) -> Command:
    """The options of the settings table. Their texts are checked by the table, the same as variables are."""
    for setting in reversed(SETTINGS):
        if setting.is_option:
            command = _option(setting)(command)
    return command


def _option(setting: Setting) -> Callable[[Command], Command]:
    help_text = f"{setting.help.replace('`', '')}  [{setting.variable}; default: {setting.default.replace('`', '')}]"
    if setting.kind.is_flag:
        return click.option(setting.option, setting.name, is_flag=True, help=help_text)
    repeats = setting.kind.separators is not None
    return click.option(setting.option, setting.name, metavar=setting.kind.metavar, multiple=repeats, help=help_text)


def _named_option(name: str) -> Callable[[Command], Command]:
    return _option(next(setting for setting in SETTINGS if setting.name == name))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="hermes-sessions")
def main() -> None:
    """A GraphQL API and a web dashboard on the sessions of Hermes agents."""


@main.command()
@_setting_options
def serve(**options: object) -> None:
    """Serve the API, the dashboard and GraphiQL."""
    settings = with_home(read_settings(options, os.environ))
    gc.disable()  # until all is loaded: looking for circles in what stays is a tenth of the start
    from hermes_sessions.app import create_app
    from hermes_sessions.web.server import run

    run(create_app, settings)


@main.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--sessions", type=click.IntRange(min=1), default=DEMO_SESSIONS, show_default=True)
def demo(directory: Path, sessions: int) -> None:
    """Make a Hermes home in DIR with believable sessions."""
    from hermes_sessions.demo import make_demo

    make_demo(directory, sessions=sessions)
    say(f"Made a Hermes home with {sessions} sessions. Serve it: hermes-sessions serve --home {directory}")


@main.command()
def schema() -> None:
    """Print the GraphQL schema."""
    from hermes_sessions.api.schema import print_sdl

    click.echo(print_sdl().rstrip("\n"))


@main.command()
@click.argument("session_id", metavar="[ID]", required=False)
@click.option("--all", "everything", is_flag=True, help="Every conversation, each with its subagents and side rows.")
@click.option("--profile", help="The profile that the session is in.  [default: default]")
@click.option("--scope", type=click.Choice(["session", "conversation", "lineage"]), default="conversation")
@click.option("--format", "ending", type=click.Choice(["json", "jsonl", "md", "html"]), default="json")
@click.option("--output", default="-", help="A file; with --all a directory, or one .jsonl file; - is stdout.")
@click.option("--force", is_flag=True, help="Overwrite files.")
@click.option("--home", help="The Hermes home.  [default: HERMES_HOME, else ~/.hermes]")
def export(
    session_id: str | None,
    everything: bool,
    profile: str | None,
    scope: str,
    ending: str,
    output: str,
    force: bool,
    home: str | None,
) -> None:
    """Write sessions to a file. ID is a whole id or a unique beginning of one."""
    if everything == (session_id is not None):
        raise bad_input("Name one session by its id, or every conversation with --all.")
    settings = with_home(read_settings({"home": home, "read_only": True}, os.environ))
    from hermes_sessions.exporting import Order, run_export

    asyncio.run(run_export(settings, Order(session_id, profile, scope, ending, output, force)))


@main.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--profile", help="The profile that the sessions go into.  [default: default]")
@click.option("--home", help="The Hermes home.  [default: HERMES_HOME, else ~/.hermes]")
@click.option("--dry-run", is_flag=True, help="Tell what would come in, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on stdout.")
def import_(files: tuple[str, ...], profile: str | None, home: str | None, dry_run: bool, as_json: bool) -> None:
    """Bring sessions from files into a profile: exports as json or jsonl, ours or of Hermes. - is stdin.

    Sessions that are there already are skipped. The exit status is 1 where anything else could not come in.
    """
    settings = with_home(read_settings({"home": home}, os.environ))
    from hermes_sessions.importing import Order, run_import

    if not asyncio.run(run_import(settings, Order(files, profile, dry_run, as_json))):
        sys.exit(1)


@main.command()
@click.option("--from", "source", required=True, metavar="PROFILE", help="Only read, also while an agent writes.")
@click.option("--to", "target", required=True, metavar="PROFILE", help="A store is made where there is none yet.")
@_named_option("profile")
@click.option("--home", help="The Hermes home.  [default: HERMES_HOME, else ~/.hermes]")
@click.option("--to-home", help="The Hermes home of --to.  [default: the same]")
@click.option("--ids", multiple=True, metavar="ID", help="The conversation that this id, or beginning of one, is in.")
@click.option("--all", "everything", is_flag=True, help="Every conversation.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on stdout.")
def copy(
    source: str,
    target: str,
    profile: tuple[str, ...],
    home: str | None,
    to_home: str | None,
    ids: tuple[str, ...],
    everything: bool,
    as_json: bool,
) -> None:
    """Copy conversations from one profile to another, and compare the counts in the end. With --profile NAME=URL
    either may be in PostgreSQL.

    Run it again to go on: what is there is skipped, what has grown gets its new messages. The exit status is 1 where
    the counts differ.
    """
    if everything == bool(ids):
        raise bad_input("Name conversations with --ids, or take every one with --all.")
    settings = with_home(read_settings({"home": home, "profile": profile}, os.environ))
    other = with_home(read_settings({"home": to_home or home, "profile": profile}, os.environ))
    from hermes_sessions.copying import Order, run_copy

    if not asyncio.run(run_copy(settings, other, Order(source, target, ids, as_json))):
        sys.exit(1)


@main.command()
@click.option("--home", help="The Hermes home.  [default: HERMES_HOME, else ~/.hermes]")
@click.option("--profile", "profiles", multiple=True, help="Look at this profile only. Can be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--deep", is_flag=True, help="Read every page of each store, however long it takes.")
def doctor(home: str | None, profiles: tuple[str, ...], as_json: bool, deep: bool) -> None:
    """Say how each profile's store is. Repairs nothing and leaves no file behind.

    Exit status: 0 no problem, 1 problems were found, 2 a store could not be looked at.
    """
    from hermes_sessions.doctor import run_doctor

    try:
        settings = read_settings({"home": home, "read_only": True}, os.environ)
        printed, status = asyncio.run(run_doctor(settings, profiles, as_json=as_json, deep=deep))
    except HermesSessionsError as error:
        say(f"Error: {error.message}", err=True)
        raise SystemExit(2) from error
    click.echo(printed)
    raise SystemExit(status)


@main.command()
@_named_option("profile")
def migrate(**options: object) -> None:
    """Make or renew the tables of profiles in PostgreSQL: those given, else those of the variable.

    Safe to run again, and by several at once. `serve --profile NAME=URL` serves them then.
    """
    settings = read_settings(options, os.environ)
    if not settings.profile:
        raise bad_input("Name a profile in PostgreSQL: --profile NAME=postgresql://user@host/database.")
    from hermes_sessions.migrating import run_migrate

    asyncio.run(run_migrate(settings))


def _peer_option(name: str, packages: str) -> Callable[[Command], Command]:
    return click.option(
        f"--{name}",
        metavar="PYTHON",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        help=f"A Python that has {packages} installed: it is measured in the same run, on a copy of the store.",
    )


@main.command()
@click.option("--home", required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--grow",
    metavar="HOME2",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A home with more sessions: every operation there against the same on --home.",
)
@click.option(
    "--postgres",
    metavar="URL",
    help="A database without a store, as in postgresql://user@host/database: it gets a copy of --home, and every "
    "operation there is measured against the same on --home.",
)
@click.option("--grow-postgres", metavar="URL2", help="The same with a copy of --grow.")
@click.option("--rounds", type=click.IntRange(min=20), default=200, show_default=True, help="Requests per operation.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="Write the figures here, too.")
@_peer_option("hermes", "hermes-agent")
@_peer_option("agentsview", "agentsview")
@_peer_option("datasette", "datasette and datasette-graphql")
def bench(home: Path, output: Path | None, **order: Any) -> None:
    """Measure the API on a Hermes home, which is only read: medians, ratios and targets of one run.

    With --hermes also while Hermes itself commits ten times a second, to the copy.
    """
    from hermes_sessions.bench.run import Order, run_bench

    try:
        report = run_bench(Order(home, **order), partial(click.echo, err=True))
    except RuntimeError as error:
        raise click.ClickException(str(error)) from error
    if output is not None:
        output.write_bytes(report.json())
    click.echo(report.markdown())
    if report.failures:
        raise click.ClickException("\n".join(report.failures))


def with_home(settings: Settings) -> Settings:
    """The settings with a home that exists. Profiles in databases need none."""
    try:
        return replace(settings, home=home_if_any(settings))
    except HermesSessionsError as error:
        if settings.home is not None or settings.demo_home is None:
            raise
        say(f"{error.message} Serving demo sessions from {settings.demo_home} instead.", err=True)
        return replace(settings, home=_demo_home(settings.demo_home))


def _demo_home(directory: Path) -> Path:
    """The demo home of an earlier start, else a new one."""
    if not (directory / "state.db").exists():
        from hermes_sessions.demo import make_demo

        make_demo(directory, sessions=DEMO_SESSIONS)
    return directory
