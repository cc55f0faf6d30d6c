"""A demo home behind a server in a process of its own, and the examples as a user runs them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_sessions.demo import make_demo
from hermes_sessions.model.lineage import Forest
from tests.api.serving import TOKEN, process_serving
from tests.builders import StoreBuilder, store_path
from tests.stores.opened import opened

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Demo:
    """A served demo home."""

    home: Path
    origin: str

    def run(self, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs an example with the server's address and token in the environment."""
        known = {"HERMES_SESSIONS_URL": f"{self.origin}/graphql", "HERMES_SESSIONS_TOKEN": TOKEN}
        return subprocess.run(
            [sys.executable, str(EXAMPLES / program), *arguments],
            env=os.environ | known | environment, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    def lines(self, program: str, *arguments: str) -> list[str]:
        """What it prints when all goes well."""
        done = self.run(program, *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    def store(self, profile: str = "default") -> StoreBuilder:
        return StoreBuilder(store_path(self.home, profile))

    def forest(self, profile: str = "default") -> Forest:
        async def read() -> Forest:
            async with opened(store_path(self.home, profile)) as store:
                return await store.forest()

        return asyncio.run(read())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    home = tmp_path_factory.mktemp("examples") / "home"
    make_demo(home, sessions=150)
    with process_serving(home) as (client, _):
        yield Demo(home, str(client.base_url).rstrip("/"))
