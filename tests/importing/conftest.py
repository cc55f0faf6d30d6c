"""One server for the tests of this folder, and an event loop for those that are coroutines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving
from tests.hermes.conftest import hermes
from tests.stores.conftest import path, pytest_pyfunc_call

__all__ = ["hermes", "path", "pytest_pyfunc_call", "server"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("importing") / "home") as running:
        yield running
