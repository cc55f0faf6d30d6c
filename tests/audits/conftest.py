"""A server on a demo home of its own, which an audit may change."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Replica, replica


@pytest.fixture(scope="module")
def audited(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replica]:
    folder = tmp_path_factory.mktemp("audited")
    home = shutil.copytree(demo_home, folder / "home")
    with replica(folder / "server", "--home", str(home)) as running:
        yield running
