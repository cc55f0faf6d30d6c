"""A server on a demo home of its own, which an audit may change."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Replica, replica


@pytest.fixture(scope="module")
def audited_home(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(demo_home, tmp_path_factory.mktemp("audited") / "home")


@pytest.fixture(scope="module")
def audited(audited_home: Path) -> Iterator[Replica]:
    with replica(audited_home.with_name("server"), "--home", str(audited_home)) as running:
        yield running
