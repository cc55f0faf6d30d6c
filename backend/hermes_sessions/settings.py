"""Every setting of the program: one table of name, kind, default and help; typed; wrong values refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from hermes_sessions.errors import bad_input
from hermes_sessions.setting_kinds import (
    DIRECTORY,
    FLAG,
    HOST,
    HOSTS,
    NAMES,
    PROFILES,
    TOKEN,
    Kind,
    one_of,
    seconds,
    whole,
)

ENVIRONMENT_PREFIX = "HERMES_SESSIONS_"
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table."""

    name: str
    kind: Kind
    default: str
    help: str
    is_option: bool

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return ENVIRONMENT_PREFIX + self.name.upper()


def _user_state_dir() -> Path:
    return platformdirs.user_state_path("hermes-sessions", appauthor=False)


def _setting(kind: Kind, help: str, default: Any = MISSING, *, option: bool = False, shown: str | None = None) -> Any:
    """A field of Settings with its row; `shown` is how the table writes a default that is not a plain value."""
    metadata = {"kind": kind, "help": help, "option": option, "shown": shown}
    if callable(default):
        return field(default_factory=default, metadata=metadata, repr=not kind.secret)
    return field(default=default, metadata=metadata, repr=not kind.secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The values in force. Durations are seconds, sizes bytes."""

    home: Path | None = _setting(  # noqa: RUF009 - a dataclass field
        DIRECTORY, "The Hermes home to serve.", None, option=True, shown="`HERMES_HOME`, else `~/.hermes`"
    )
    demo_home: Path | None = _setting(  # noqa: RUF009 - a dataclass field
        DIRECTORY, "Where no Hermes home is found: make one with demo sessions here and serve it.", None, option=True
    )
    host: str = _setting(HOST, "Address to listen on.", "127.0.0.1", option=True)
    port: int = _setting(whole(0, 65535), "Port to listen on; 0 takes a free one.", 8787, option=True)
    token: str | None = _setting(
        TOKEN,
        "The token that clients must send. The variable keeps it out of lists of processes.",
        None,
        option=True,
        shown="made once, kept in the state directory",
    )
    no_auth: bool = _setting(FLAG, "Ask for no token. Works on a loopback address only.", False, option=True)
    read_only: bool = _setting(FLAG, "Refuse every change and open no writer.", False, option=True)
    workers: int = _setting(whole(1, 64), "Processes that answer requests.", 1, option=True)
    profile: tuple[tuple[str, str], ...] = _setting(
        PROFILES, "A profile whose sessions are in a database. Can be repeated.", (), option=True
    )
    trusted_host: tuple[str, ...] = _setting(
        HOSTS, "One more name or address that clients may use for this server. Can be repeated.", (), option=True
    )
    no_open: bool = _setting(FLAG, "Do not open the dashboard in a browser.", False, option=True)
    state_dir: Path = _setting(  # noqa: RUF009 - a dataclass field
        DIRECTORY,
        "Where the token and the bin are kept.",
        _user_state_dir,
        option=True,
        shown="the user's state directory, `~/.local/state/hermes-sessions` on Linux",
    )
    log_level: str = _setting(one_of(LOG_LEVELS), "What is logged; `info` adds every request.", "warning", option=True)
    log_format: str = _setting(
        one_of(LOG_FORMATS),
        "How it is logged: `text` for people, `json` for programs, an object a line.",
        "text",
        option=True,
    )
    max_page_size: int = _setting(whole(1, 10_000), "Most entries of one page.", 500)
    default_page_size: int = _setting(whole(1, 10_000), "Entries of a page when the query names no number.", 50)
    statement_timeout: float = _setting(seconds(0.1, 3600), "Time for one SQL statement.", 5.0)
    lock_timeout: float = _setting(seconds(0.1, 3600), "Time that a change waits for the write lock of a store.", 5.0)
    search_timeout: float = _setting(
        seconds(0.1, 3600), "Time for one search in one profile; what was not reached is said in the answer.", 2.0
    )
    request_timeout: float = _setting(seconds(0.1, 3600), "Time for one whole request.", 30.0)
    max_body_bytes: int = _setting(whole(1_000, 1_000_000_000), "Largest request body.", 1_000_000)
    max_import_bytes: int = _setting(
        whole(1_000, 1_000_000_000), "Largest request body of an import. Only one at a time is read.", 25_000_000
    )
    import_timeout: float = _setting(seconds(0.1, 36_000), "Time for one import by request.", 600.0)
    max_document_tokens: int = _setting(whole(10, 1_000_000), "Most tokens of a GraphQL document.", 2_000)
    max_aliases: int = _setting(whole(0, 100_000), "Most aliases and repeated fields of a GraphQL document.", 50)
    max_depth: int = _setting(whole(1, 1_000), "Deepest nesting of a GraphQL document.", 15)
    max_directives: int = _setting(whole(0, 100_000), "Most directives of a GraphQL document.", 20)
    max_cost: int = _setting(
        whole(1, 1_000_000_000), "Most nodes that a document may ask for: its nested page sizes multiplied.", 100_000
    )
    poll_interval: float = _setting(
        seconds(0.01, 60), "Time between two looks for changes, while somebody has subscribed to them.", 0.1
    )
    max_operations: int = _setting(
        whole(1, 10_000), "Most subscriptions and other operations at once on one WebSocket.", 50
    )
    init_timeout: float = _setting(seconds(0.1, 3600), "Time for a new WebSocket to say who it is.", 5.0)
    heartbeat: float = _setting(
        seconds(0.1, 3600), "Silence of a WebSocket after which it is asked for a sign of life, and then closed.", 20.0
    )
    head_timeout: float = _setting(
        seconds(0.1, 3600), "Time for the head of a request to arrive, and for a new connection to send one.", 20.0
    )
    stall_timeout: float = _setting(
        seconds(0.1, 3600), "Time in which a client that has an answer to read must have read some of it.", 120.0
    )
    keep_alive_timeout: int = _setting(whole(1, 3600), "Seconds that a connection may rest between two requests.", 60)
    drain_timeout: int = _setting(
        whole(1, 3600), "Seconds that requests under way get to finish when the server is told to stop.", 10
    )
    ready_timeout: float = _setting(
        seconds(0.1, 60), "Time for a profile to say that it can be read, before `/readyz` says that it cannot.", 3.0
    )
    bin_days: int = _setting(whole(0, 3650), "Days that deleted sessions can be restored; 0 keeps no bin.", 30)
    postgres_connections: int = _setting(
        whole(2, 100), "Most connections of each process to the database of one profile.", 6
    )
    automation_sources: tuple[str, ...] = _setting(
        NAMES, "Sources whose conversations count as automation.", ("cron", "tool", "subagent", "api_server")
    )


def _row(name: str, default: Any, metadata: Mapping[str, Any]) -> Setting:
    return Setting(name, metadata["kind"], metadata["shown"] or _shown(default), metadata["help"], metadata["option"])


def _shown(default: Any) -> str:
    match default:
        case None | ():
            return "none"
        case bool():
            return "on" if default else "off"
        case tuple():
            return f"`{' '.join(default)}`"
        case float():
            return f"`{default:g}`"
        case _:
            return f"`{default}`"


SETTINGS: tuple[Setting, ...] = tuple(_row(each.name, each.default, each.metadata) for each in fields(Settings))


def read_settings(options: Mapping[str, object], environment: Mapping[str, str]) -> Settings:
    """The settings from command-line options (name to text, texts or flag; None where not given) and environment.

    An option wins over its variable; an empty variable counts as not set. A wrong value raises BAD_USER_INPUT.
    """
    values = {}
    for setting in SETTINGS:
        given = options.get(setting.name)
        text = environment.get(setting.variable, "").strip()
        if given not in (None, False, ()):
            values[setting.name] = _from_option(setting, given)
        elif text:
            values[setting.name] = _from_variable(setting, text)
    return _consistent(Settings(**values))


def _from_option(setting: Setting, given: object) -> Any:
    if isinstance(given, bool):
        return given
    if isinstance(given, tuple):
        return tuple(_parse(setting, setting.option, text) for text in given)
    return _parse(setting, setting.option, str(given))


def _from_variable(setting: Setting, text: str) -> Any:
    if setting.kind.separators is None:
        return _parse(setting, setting.variable, text)
    return tuple(_parse(setting, setting.variable, part) for part in re.split(setting.kind.separators, text) if part)


def _parse(setting: Setting, origin: str, text: str) -> Any:
    try:
        return setting.kind.parse(text)
    except (ValueError, KeyError):
        shown = "this value" if setting.kind.secret else f'"{text}"'
        raise bad_input(f"{origin} cannot be {shown}. Use {setting.kind.allowed}.") from None


def _consistent(settings: Settings) -> Settings:
    if settings.token is not None and settings.no_auth:
        raise bad_input("--token and --no-auth exclude each other. Use one of them.")
    if settings.default_page_size > settings.max_page_size:
        raise bad_input(
            f"default_page_size cannot be {settings.default_page_size} while max_page_size is "
            f"{settings.max_page_size}. Use at most {settings.max_page_size}."
        )
    names = [name for name, _ in settings.profile]
    for name in names:
        if names.count(name) > 1:
            raise bad_input(f'--profile names "{name}" twice. Use each name once.')
    return settings


def settings_table() -> str:
    """The table as Markdown, for the README; a setting without an option is set by its variable."""
    head = "| option of `serve` | variable | default | what it does |\n|---|---|---|---|"
    return "\n".join([head, *map(_markdown_row, SETTINGS)])


def _markdown_row(setting: Setting) -> str:
    option = f"`{setting.option}`" if setting.is_option else ""
    return f"| {option} | `{setting.variable}` | {setting.default} | {setting.help} |"
