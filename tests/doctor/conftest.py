"""A real Hermes beside the doctor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hermes.process import HermesProcess


@pytest.fixture
def hermes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HermesProcess]:
    """A running Hermes without a store; ends with the test."""
    with HermesProcess(tmp_path_factory.mktemp("hermes")) as process:
        yield process
