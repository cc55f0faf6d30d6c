"""What commands print: no text of a store, a path or an argument commands the terminal that it is printed on."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hermes_sessions.model.printing import harmless, printable, printable_lines
from tests.builders import StoreBuilder, T, home_with, store_path
from tests.hostile.payloads import CONTROLS, ESC, PAYLOADS, TURNING, commands_in
from tests.hostile.store import TABLE, hostile

ROOT = Path(__file__).parents[2]
EVIL = f"{ESC}]0;title\x07{ESC}[2J\x9b31m\u202e\x7f"
LONELY = f"one\ttwo\n{EVIL} \N{FAMILY} \U0001f468\u200d\U0001f469 caf\u00e9\u00a0!"


def environment(folder: Path) -> Mapping[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("HERMES")}
    return {**kept, "PYTHONPATH": str(ROOT / "backend"), "HERMES_SESSIONS_STATE_DIR": str(folder / "state")}


def said(folder: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    """Exit status, stdout and stderr where both are pipes."""
    command = [sys.executable, "-m", "hermes_sessions", *arguments]
    done = subprocess.run(command, env=environment(folder), capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def shown(folder: Path, *arguments: str) -> str:
    """What stands on the terminal that stdout is."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "hermes_sessions", *arguments]
    with subprocess.Popen(command, env=environment(folder), stdout=theirs, stderr=subprocess.DEVNULL):
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 65_536)
            except OSError:  # as Linux ends a terminal
                break
            if not piece:
                break
            pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a home whose name, ids, titles and texts are hostile."""
    folder = tmp_path_factory.mktemp("terminal")
    home = home_with(folder / EVIL, default=hostile, empty=lambda _: None)
    with StoreBuilder(store_path(home)) as store:
        store.session("plain", title=LONELY)
        store.message("plain", "user", LONELY, at=T)
        store.session(f"{EVIL}a", parent=f"{EVIL}b")
        store.session(f"{EVIL}b", parent=f"{EVIL}a")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("doctor", "--home", f"{{folder}}/{EVIL}"),
        ("doctor", "--home", f"{{folder}}/{EVIL}", "--json"),
        ("doctor", "--home", f"{{folder}}/nowhere{EVIL}"),
        ("doctor", "--home", f"{{folder}}/{EVIL}", "--profile", EVIL),
        ("export", EVIL, "--home", f"{{folder}}/{EVIL}"),
        ("export", "nobody", "--home", f"{{folder}}/{EVIL}"),
        ("export", "", "--home", f"{{folder}}/{EVIL}"),
        ("export", "plain", "--home", f"{{folder}}/{EVIL}", "--output", f"{{folder}}/nowhere{EVIL}/x"),
        ("export", "plain", "--home", f"{{folder}}/{EVIL}", "--output", f"{{folder}}/{EVIL}/state.db"),
        ("export", "plain", "--format", EVIL),
        ("export", "plain", "--home", f"{{folder}}/nowhere{EVIL}"),
        ("copy", "--home", f"{{folder}}/{EVIL}", "--from", "default", "--to", "empty", "--all"),
        ("copy", "--home", f"{{folder}}/{EVIL}", "--from", "default", "--to", "empty", "--ids", EVIL),
        ("import", f"{{folder}}/nowhere{EVIL}", "--home", f"{{folder}}/{EVIL}"),
        ("import", f"{{folder}}/{EVIL}.jsonl", "--home", f"{{folder}}/{EVIL}", "--profile", "empty", "--dry-run"),
        ("migrate", "--profile", f"{EVIL}=postgresql://x"),
        ("migrate", "--profile", f"team=postgresql://{EVIL}@127.0.0.1:1/x"),
        ("serve", "--home", f"{{folder}}/nowhere{EVIL}"),
        ("serve", "--host", EVIL),
        ("serve", f"--{EVIL}"),
        (EVIL,),
        ("demo", f"{{folder}}/{EVIL}"),
        ("bench", "--home", f"{{folder}}/nowhere{EVIL}"),
    ],
    ids=lambda arguments: printable(" ".join(arguments))[:60],
)
def test_a_command_prints_nothing_that_commands_a_terminal(folder: Path, arguments: tuple[str, ...]) -> None:
    lines = [json.dumps({"id": text, "title": text, "messages": [{"role": text}]}) for text in PAYLOADS.values()]
    (folder / f"{EVIL}.jsonl").write_text("\n".join(lines))
    _, out, err = said(folder, *(each.replace("{folder}", str(folder)) for each in arguments))
    assert b"Traceback" not in err
    assert out + err != b""
    assert commands_in((out + err).decode()) == set()


@pytest.mark.parametrize("ending", ["json", "jsonl", "md", "html"])
def test_an_export_is_exact_in_a_pipe_and_harmless_on_a_terminal(folder: Path, ending: str) -> None:
    arguments = ("export", "plain", "--home", str(folder / EVIL), "--format", ending)
    status, exact, _ = said(folder, *arguments)
    assert said(folder, *arguments, "--output", str(folder / f"x.{ending}"), "--force")[0] == status == 0
    written = (folder / f"x.{ending}").read_bytes()
    assert len(exact) == len(written)
    assert ("\x9b" in exact.decode()) == ending.startswith("json")
    document = shown(folder, *arguments)
    assert commands_in(document) == set()
    assert document.count("\n") == exact.count(b"\n")
    assert "caf\u00e9\u00a0!" in document
    assert "\U0001f468\u200d\U0001f469" in document


def test_the_doctor_names_hostile_tables_and_paths(folder: Path) -> None:
    _, out, _ = said(folder, "doctor", "--home", str(folder / EVIL))
    assert printable(TABLE).encode() in out
    assert printable(EVIL).encode() in out


def test_what_a_terminal_obeys_is_replaced_and_nothing_else() -> None:
    assert commands_in(harmless(CONTROLS + TURNING)) == set()
    assert commands_in(printable_lines(CONTROLS + TURNING)) == set()
    kept = "a\tb\nc \u00a0\u200d\u200f\U0001f468\u0301"
    assert harmless(kept) == kept
    assert printable_lines("a\nb") == "a\nb"
    assert printable("a\nb\tc\u200bd") == "a\ufffdb\ufffdc\ufffdd"
