"""One run: starts the servers, asks them, and gathers the rows."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from hermes_sessions.bench import peers
from hermes_sessions.bench.comparing import depth_rows, grown_rows, operation_row, prefix_row
from hermes_sessions.bench.engines import measure_engines
from hermes_sessions.bench.load import load_rows
from hermes_sessions.bench.made import TREE_NODES, TREE_ROOT, copy_of, tree_home
from hermes_sessions.bench.operations import OPERATIONS, PREFIX, TREE
from hermes_sessions.bench.report import Report
from hermes_sessions.bench.rows import Row
from hermes_sessions.bench.servers import Api, api, floor
from hermes_sessions.bench.starting import peak_megabytes, start_rows, start_times
from hermes_sessions.bench.subjects import Subjects, subjects_of
from hermes_sessions.bench.workers import worker_row

ROUNDS = 200
ROUNDS_PER_SECOND = 50


@dataclass(frozen=True)
class Order:
    """What to measure. `grow` is a second home, with more sessions; `postgres` and `grow_postgres` are URLs of
    databases that get a copy of each; `hermes`, `agentsview` and `datasette` are Pythons that have these installed."""

    home: Path
    grow: Path | None = None
    postgres: str | None = field(default=None, repr=False)
    grow_postgres: str | None = field(default=None, repr=False)
    rounds: int = ROUNDS
    hermes: Path | None = None
    agentsview: Path | None = None
    datasette: Path | None = None


def run_bench(order: Order, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Measures the default profile of a home, which is only read. `tell` gets a line for each row that comes."""
    report = Report(tell)
    started, load = time.monotonic(), _load()
    with ExitStack() as stack:
        served = stack.enter_context(api(order.home))
        subjects = subjects_of(served.client, order.home / "state.db")
        report.add(start_rows(order.home, subjects.sessions))
        _add_memory(report, "memory", "memory", served, subjects, None)
        _measure_home(order, served, subjects, report)
        if order.grow is not None:
            _measure_growth(order.grow, order, served, subjects, report)
        else:
            report.notes.append("Growth was not measured: name a home with more sessions by `--grow HOME2`.")
    report.add([worker_row(order.home, subjects, order.rounds / ROUNDS_PER_SECOND)])
    _measure_postgres(order, report)
    report.facts = {
        "sessions": subjects.sessions,
        "conversations": subjects.conversations,
        "store MB": round((order.home / "state.db").stat().st_size / 1e6),
        "rounds": order.rounds,
        "Python": platform.python_version(),
        "cores": os.cpu_count(),
        "load before": load,
        "load after": _load(),
        "seconds": round(time.monotonic() - started),
    }
    return report


def _measure_home(order: Order, served: Api, subjects: Subjects, report: Report) -> None:
    with ExitStack() as stack:
        ground = stack.enter_context(floor(order.home / "state.db"))
        others: list[peers.Other] = []
        if order.hermes or order.agentsview or order.datasette:
            copy = stack.enter_context(copy_of(order.home))
            if order.hermes is not None:
                report.add(load_rows(copy, subjects, order.hermes, order.rounds))
            others = _others(order, copy, stack, report)
        if order.hermes is None:
            report.notes.append("The load of a writing agent was not measured: it needs `--hermes PYTHON`.")
        for operation in OPERATIONS:
            if operation.is_possible(subjects):
                row = operation_row(operation, served.client, ground, others, subjects, order.rounds)
                report.add_operation(row)
            else:
                report.notes.append(f"{operation.name}: the store has nothing to look for.")
        report.add_operation(_made_tree(subjects, order.rounds))
        if PREFIX.is_possible(subjects):
            report.add([prefix_row(served.client, subjects, order.rounds)])
        report.add(depth_rows(served.client, subjects, order.rounds))


def _others(order: Order, copy: Path, stack: ExitStack, report: Report) -> list[peers.Other]:
    """Those that are installed, on the copy."""
    found = []
    for python, start in (
        (order.datasette, peers.datasette),
        (order.agentsview, peers.agentsview),
        (order.hermes, peers.hermes),
    ):
        if python is not None:
            began = time.monotonic()
            found.append(stack.enter_context(start(python, copy)))
            report.notes.append(f"{found[-1].name} was ready after {time.monotonic() - began:.0f} s.")
    return found[::-1]


def _made_tree(subjects: Subjects, rounds: int) -> Row:
    """The tree is the same in every run, whatever the home has."""
    with ExitStack() as stack:
        home = stack.enter_context(tree_home())
        served = stack.enter_context(api(home))
        ground = stack.enter_context(floor(home / "state.db"))
        made = replace(TREE, key="made tree", name=f"lineage tree of {TREE_NODES:,} nodes, 10 fields each")
        about = replace(subjects, tree_root=TREE_ROOT, sessions=TREE_NODES)
        return operation_row(made, served.client, ground, [], about, rounds)


def _measure_growth(grow: Path, order: Order, served: Api, subjects: Subjects, report: Report) -> None:
    with api(grow) as grown:
        others = subjects_of(grown.client, grow / "state.db")
        ready, _ = start_times(grow)
        against = f"{subjects.sessions:,} sessions"
        base = next(row.value for row in report.comparisons if row.key == "start")
        name = f"start to READY, {others.sessions:,} sessions"
        report.add([Row("grown start", name, ready, "s", against=against, base=base, sessions=others.sessions)])
        known = next((row.value for row in report.comparisons if row.key == "memory"), None)
        _add_memory(report, "grown memory", f"memory, {others.sessions:,} sessions", grown, others, known)
        report.add(grown_rows(served.client, subjects, grown.client, others, order.rounds))
        lacking = [each.name for each in OPERATIONS if not each.is_possible(others)]
        report.notes += [f"{name}: the greater store has nothing to look for." for name in lacking]


def _measure_postgres(order: Order, report: Report) -> None:
    if order.postgres is None:
        report.notes.append("PostgreSQL was not measured: name an empty database by `--postgres URL`.")
    for home, url in ((order.home, order.postgres), (order.grow, order.grow_postgres)):
        if home is not None and url is not None:
            report.add_engines(measure_engines(home, url, order.rounds))


def _add_memory(report: Report, key: str, name: str, served: Api, subjects: Subjects, smaller: float | None) -> None:
    """The peak of a server that every page of sessions and conversations was asked of."""
    peak = peak_megabytes(served.pid)
    if peak is None:
        report.notes.append(f"{name}: this system does not tell it.")
        return
    against = "the smaller store" if smaller is not None else None
    report.add([Row(key, name, peak, "MB", against=against, base=smaller, sessions=subjects.sessions)])


def _load() -> float | None:
    """Of the machine, over the last minute; None where the system does not tell."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
