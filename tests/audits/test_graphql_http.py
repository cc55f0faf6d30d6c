"""The audit suite of graphql-http, of the people who write the specification of GraphQL over HTTP."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.processes import ROOT, Replica
from tests.web.serving import TOKEN

PACKAGES = ROOT / "frontend" / "node_modules"
PROGRAM = Path(__file__).with_name("http_audits.mjs")
SECONDS = 60

NO_GET = "GraphQL over GET is off: a link or an image on any page could ask it"
NOT_SO = {"5A70": NO_GET, "D6D5": NO_GET, "6A70": NO_GET}
"""Audits that fail, by id, and why: each is of something that a server MAY do."""
ASKED = 36
"""Audits of a MUST or a SHOULD: fewer would mean that the suite did not run."""


@dataclass(frozen=True)
class Result:
    """What one audit said. `name` begins with MUST, SHOULD or MAY."""

    id: str
    name: str
    status: str
    reason: str | None

    @property
    def is_ok(self) -> bool:
        return self.status == "ok"

    @property
    def level(self) -> str:
        return self.name.partition(" ")[0]

    def __str__(self) -> str:
        return f"{self.id} {self.name}: {self.reason or self.status}"


@pytest.fixture(scope="module")
def results(audited: Replica) -> list[Result]:
    return run_audits(audited.port, PACKAGES)


def run_audits(port: int, packages: Path) -> list[Result]:
    """Fails with what to do where Node or the package is missing."""
    node = shutil.which("node")
    assert node is not None, "The audits of graphql-http need Node 20 or later on the PATH."
    assert (packages / "graphql-http").is_dir(), "The package graphql-http is not here. Run npm ci in frontend/."
    done = subprocess.run(
        [node, str(PROGRAM), f"http://127.0.0.1:{port}/graphql", str(packages)],
        env={**os.environ, "HERMES_SESSIONS_TOKEN": TOKEN},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Result(**result) for result in json.loads(done.stdout)]


def test_every_audit_of_a_must_and_of_a_should_is_passed(results: list[Result]) -> None:
    asked = [result for result in results if result.level in ("MUST", "SHOULD")]
    assert len(asked) >= ASKED
    assert [str(result) for result in asked if not result.is_ok] == []


def test_what_a_server_may_do_is_done_but_for_what_is_listed(
    results: list[Result], figure: Callable[[str], None]
) -> None:
    optional = [result for result in results if result.level == "MAY"]
    not_so = [result for result in optional if not result.is_ok]
    assert {result.id: NOT_SO.get(result.id, str(result)) for result in not_so} == NOT_SO
    figure(
        f"graphql-http: {len(results) - len(not_so)} of {len(results)} audits are ok, all of a MUST or a SHOULD among"
        f" them. Of {len(optional)} that a server MAY pass, it does not pass {', '.join(NOT_SO)}: {NO_GET}."
    )


def test_a_missing_package_fails_and_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="Run npm ci in frontend/"):
        run_audits(0, tmp_path)
