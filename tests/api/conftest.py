"""A server for each module, with an empty home that cases add profiles to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("api") / "home") as running:
        yield running
