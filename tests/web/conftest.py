"""A real server in a thread, and the tiny application's dashboard files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_sessions.settings import Settings
from tests.web.serving import TOKEN, Served, serving


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a build leaves: pages, hashed files with compressed siblings, and a secret beside it."""
    root = tmp_path_factory.mktemp("built") / "static"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("<!doctype html><title>Dashboard</title>")
    (root / "graphiql.html").write_text("<!doctype html><title>GraphiQL</title>")
    (root / "favicon.svg").write_text("<svg/>")
    (root / "assets" / "main-4f2a.js").write_text("console.log('plain')")
    (root / "assets" / "main-4f2a.js.br").write_bytes(b"brotli bytes")
    (root / "assets" / "main-4f2a.js.gz").write_bytes(b"gzip bytes")
    (root / "assets" / "font-1.woff2").write_bytes(b"font")
    (root / ".hidden").write_text("hidden")
    (root.parent / "secret.txt").write_text("swordfish")
    (root / "assets" / "link.js").symlink_to(root.parent / "secret.txt")
    return root


@pytest.fixture(scope="session")
def served(dashboard: Path) -> Iterator[Served]:
    with serving(Settings(token=TOKEN, home=dashboard, trusted_host=("sessions.example.com",))) as server:
        yield server


@pytest.fixture(scope="session")
def hasty() -> Iterator[Served]:
    """A server with little patience."""
    settings = Settings(token=TOKEN, init_timeout=0.3, heartbeat=0.5, max_operations=3, max_body_bytes=10_000)
    with serving(settings) as server:
        yield server
