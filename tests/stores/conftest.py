"""Tests of the stores: beside a real Hermes where one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess
from tests.stores.opened import fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a home's store is; there is none yet."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "state.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A store of some conversations that nobody has open, fully checkpointed."""
    with StoreBuilder(path) as store:
        fill(store)
    return path


@pytest.fixture
def hermes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    """A running Hermes without a store; ends with the test."""
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as process:
        yield process
