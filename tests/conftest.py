"""What all tests share: coroutines are tests, and figures that were measured stand at the end of CI's log."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_sessions.demo import make_demo

# Tests start hundreds of processes. Where nothing may be kept compiled, each of them would compile the program again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


LONG = "HERMES_SESSIONS_LONG"
"""The variable that, set to 1, gives tests of endurance the time that their figures need."""


@pytest.fixture(scope="session")
def is_long() -> bool:
    """Whether a test that can go on for long does so, as in `make soak`."""
    return os.environ.get(LONG) == "1"


@pytest.fixture(scope="session")
def seconds(is_long: bool) -> float:
    """How long a test of endurance lasts."""
    return 120.0 if is_long else 10.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with a long form have the mark `long`, by which `make soak` chooses them."""
    for item in items:
        if isinstance(item, pytest.Function) and "is_long" in item.fixturenames:
            item.add_marker("long")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A coroutine runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Tells what was measured; a property of the test, since workers of a parallel run cannot print."""
    return lambda text: record_property("figure", text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    figures = [
        value
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == "figure"
    ]
    if figures:
        terminalreporter.section("Figures")
    for text in figures:
        terminalreporter.write_line(str(text))


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo home, to be read or copied: made once for a worker."""
    home = tmp_path_factory.mktemp("demo") / "home"
    make_demo(home, sessions=150)
    return home
