"""The log as a program reads it, and that no secret gets into it in any spelling."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
from typing import Any

import httpx
import pytest

from hermes_sessions.settings import Settings, read_settings
from hermes_sessions.web import logs
from tests.web.running import ROOT, running
from tests.web.serving import BEARER, TOKEN
from tests.web.tiny_app import SECRET_TEXT

UNCAUGHT = """
import os, threading, warnings
from hermes_sessions.settings import read_settings
from hermes_sessions.web import logs
settings = read_settings({}, os.environ)
logs.configure(settings)

def fail():
    raise RuntimeError(f"in a thread with {settings.token}")

class Lost:
    def __del__(self):
        raise RuntimeError(f"in a destructor with {settings.token}")

def leave():
    raise SystemExit

for target in (fail, leave):
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
Lost()
warnings.warn(f"a warning with {settings.token}")
raise RuntimeError(f"of the process with {settings.token}")
"""
AWKWARD = 'pass"word/with%\\'


@pytest.fixture(autouse=True)
def as_it_was() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield
    root.handlers[:], root.level = handlers, level
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
    logging.captureWarnings(False)


def written(capsys: pytest.CaptureFixture[str], settings: Settings, message: str) -> str:
    """The line that a message becomes."""
    logs.configure(settings)
    logging.getLogger("hermes_sessions.test").warning("%s", message)
    return capsys.readouterr().err


def test_each_line_is_an_object_with_the_facts_of_its_request() -> None:
    with running(log_level="info", log_format="json") as server:
        ask = {"query": "query Greeting { hello }", "operationName": "Greeting"}
        httpx.post(f"{server.url}/graphql", json=ask, headers={**BEARER, "x-request-id": "proxy-0001"})
        httpx.post(
            f"{server.url}/graphql", json={"query": "{ boom }"}, headers={**BEARER, "x-request-id": "proxy-0002"}
        )
        _, log = server.stop()
    lines = [json.loads(line) for line in log.splitlines()]
    good = next(line for line in lines if line.get("request_id") == "proxy-0001")
    assert {"level", "logger", "message", "time", "ms"} < good.keys()
    assert (good["method"], good["path"], good["status"]) == ("POST", "/graphql", 200)
    assert (good["operation"], good["operation_name"]) == ("query", "Greeting")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", good["time"])
    failure, bad = [line for line in lines if line.get("request_id") == "proxy-0002"]
    assert failure["level"] == "ERROR"
    assert SECRET_TEXT in failure["exception"]
    assert (bad["status"], bad["codes"]) == (500, ["INTERNAL"])


def test_a_name_that_is_no_operations_is_left_out() -> None:
    with running(log_level="info", log_format="json") as server:
        ask = {"query": "{ hello }", "operationName": "x\n2026-01-01 forged"}
        httpx.post(f"{server.url}/graphql", json=ask, headers=BEARER)
        _, log = server.stop()
    assert "forged" not in log
    assert [json.loads(line)["status"] for line in log.splitlines()] == [400]


def test_libraries_are_heard_only_where_they_warn(capsys: pytest.CaptureFixture[str]) -> None:
    """`databases` tells of every connection, in colours."""
    logs.configure(Settings(token=TOKEN, log_level="info", log_format="json"))
    for name in ("databases", "uvicorn.error", "asyncio"):
        logging.getLogger(name).info("connected")
        logging.getLogger(name).warning("lost")
    assert [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()] == ["lost"] * 3


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("spelling", [AWKWARD, "pass%22word%2Fwith%25%5C", json.dumps(AWKWARD)[1:-1]])
def test_secrets_are_taken_out_in_every_spelling(capsys: pytest.CaptureFixture[str], form: str, spelling: str) -> None:
    url = "postgresql://hermes:pass%22word%2Fwith%25%5C@db.example/hermes"
    settings = read_settings({"profile": (f"team={url}",), "token": TOKEN, "log_format": form}, {})
    line = written(capsys, settings, f"{TOKEN} and {spelling} were sent to {url}")
    assert line.count("[secret]") == 3
    assert TOKEN not in line
    assert "word" not in line


def test_the_password_of_the_environment_is_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", "swordfish")
    assert "swordfish" not in written(capsys, Settings(token=TOKEN), "sent swordfish")


def test_what_nobody_caught_is_a_record_without_secrets_too() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "backend"), "HERMES_SESSIONS_TOKEN": TOKEN}
    done = subprocess.run(
        [sys.executable, "-c", UNCAUGHT],
        env={**environment, "HERMES_SESSIONS_LOG_FORMAT": "json"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["level"] for line in told] == ["ERROR", "ERROR", "WARNING", "CRITICAL"]
    for line, place in zip(told, ("a thread", "a destructor", "a warning", "the process"), strict=True):
        assert f"{place} with [secret]" in line.get("exception", line["message"])
    assert (done.returncode, TOKEN in done.stderr) == (1, False)


@pytest.mark.parametrize(("form", "shown"), [("text", "�"), ("json", "\\ud800")])
def test_text_that_is_no_unicode_is_logged(capsys: pytest.CaptureFixture[str], form: str, shown: str) -> None:
    line = written(capsys, Settings(token=TOKEN, log_format=form), "half a pair \ud800 of it")
    assert f"half a pair {shown} of it" in line


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_that_cannot_be_made_is_told_of_without_its_secrets(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    logs.configure(Settings(token=TOKEN, log_format=form))
    logging.getLogger("library").error("%d connections", TOKEN)
    told = capsys.readouterr().err
    assert "a line of library is lost: test_logs.py, line " in told
    assert "TypeError" in told
    assert TOKEN not in told
    assert [line for line in told.splitlines() if line[0] not in " {"] == told.splitlines()[: form == "text"]
