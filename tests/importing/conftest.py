"""One server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving
from tests.hermes.conftest import hermes
from tests.stores.conftest import path

__all__ = ["hermes", "path", "server"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("importing") / "home") as running:
        yield running
