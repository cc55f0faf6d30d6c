"""The environment of the real Hermes is made once, and a failure says why."""

from __future__ import annotations

import sys

import pytest

from tests.hermes import venv


def test_a_failing_installer_is_told_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="ended with 3:\nno such version"):
        venv.run(sys.executable, "-c", "print('no such version'); raise SystemExit(3)")


def test_an_environment_with_the_same_requirements_is_used_again() -> None:
    python = venv.hermes_python()
    made = venv.STAMP.stat().st_mtime_ns
    assert venv.hermes_python() == python
    assert venv.STAMP.stat().st_mtime_ns == made


def test_every_requirement_is_pinned_and_no_index_is_named() -> None:
    lines = [line for line in venv.REQUIREMENTS.read_text().splitlines() if not line.startswith("#")]
    assert "hermes-agent==0.19.0" in lines
    assert [line for line in lines if "==" not in line.partition(";")[0] or line.startswith("-")] == []
