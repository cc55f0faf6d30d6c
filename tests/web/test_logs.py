"""The log as a program reads it, and that no secret gets into it in any spelling."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import httpx
import pytest

from hermes_sessions.settings import Settings, read_settings
from hermes_sessions.web import logs
from tests.web.running import running
from tests.web.serving import BEARER, TOKEN
from tests.web.tiny_app import SECRET_TEXT

AWKWARD = 'pass"word/with%\\'


@pytest.fixture(autouse=True)
def as_it_was() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


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


@pytest.mark.parametrize(("form", "shown"), [("text", "�"), ("json", "\\ud800")])
def test_text_that_is_no_unicode_is_logged(capsys: pytest.CaptureFixture[str], form: str, shown: str) -> None:
    line = written(capsys, Settings(token=TOKEN, log_format=form), "half a pair \ud800 of it")
    assert f"half a pair {shown} of it" in line
