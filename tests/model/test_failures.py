"""Which results of tools say that they failed."""

from __future__ import annotations

import json

import pytest

from hermes_sessions.model.failures import READ_CHARACTERS, says_failure


@pytest.mark.parametrize(
    "plain",
    [
        '{"error": "no such file"}',
        '  {"output": "", "exit_code": 2, "error": null}',
        '{"returncode": 1}',
        '{"success": false}',
        '{"ok": false}',
        '{"exit_code": NaN}',
        '{"error": "half \\ud800"}',
        "Error: no such file",
        "\n ERROR",
        "{'a': 1} Traceback (most recent call last):\n  File",
        "[1, 2\nTraceback (most recent call last):",
    ],
)
def test_these_say_it(plain: str) -> None:
    assert says_failure(plain)


@pytest.mark.parametrize(
    "plain",
    [
        "",
        "done",
        "no error",
        '{"error": null, "exit_code": 0}',
        '{"error": "", "success": true, "ok": false}',
        '{"exit_code": null}',
        '{"output": {"error": "inside"}}',
        '{"output": "Traceback (most recent call last):", "exit_code": 0}',
        '["error"]',
        '"Traceback (most recent call last):"',
        '{"error": "never closed',
        "{" * 100_000,
        "[" * 100_000,
    ],
)
def test_these_do_not(plain: str) -> None:
    assert not says_failure(plain)


def test_json_that_is_longer_than_what_is_read_is_judged_as_text() -> None:
    long = json.dumps({"output": "x" * READ_CHARACTERS, "error": "too late to be seen"})
    assert not says_failure(long)
    assert says_failure("error " + long)
    assert says_failure(json.dumps({"output": "x" * (READ_CHARACTERS - 100), "error": "seen"}))
