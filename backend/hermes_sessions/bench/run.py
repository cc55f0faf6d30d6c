"""Starts the API, the floor and others on one home, asks them in turn, and gives medians and ratios."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from hermes_sessions.bench.operations import OPERATIONS, Operation, Subjects
from hermes_sessions.bench.peers import hermes_dashboard
from hermes_sessions.bench.servers import Client, api, floor, graphql_body
from hermes_sessions.bench.words import words_to_search

ROUNDS = 200
WARM_UP = 20
BLOCK = 10
"""Requests to Hermes' dashboard come in blocks: it commits at each, and ours would have to read the store anew."""


@dataclass(frozen=True)
class Measure:
    """Medians in milliseconds; `ratio` is API to floor. `count` is the number of items in the API's answer."""

    operation: str
    count: int
    api_ms: float
    api_p95_ms: float
    floor_ms: float | None
    ratio: float | None
    hermes_ms: float | None
    api_bytes: int
    floor_bytes: int | None


@dataclass(frozen=True)
class Servers:
    """`hermes` is Hermes' own dashboard, where it takes part."""

    api: Client
    floor: Client
    hermes: Client | None


def run_bench(home: Path, rounds: int = ROUNDS, output: Path | None = None, hermes: Path | None = None) -> str:
    """Measures every operation on the default profile of a home. Gives a table; writes JSON where asked.

    `hermes`: a Python that has `hermes-agent` installed; its dashboard is then measured in the same run.
    """
    with ExitStack() as stack:
        servers = Servers(
            stack.enter_context(api(home)),
            stack.enter_context(floor(home / "state.db")),
            stack.enter_context(hermes_dashboard(hermes, home)) if hermes is not None else None,
        )
        subjects = _subjects(servers.api, home / "state.db")
        possible = [operation for operation in OPERATIONS if operation.is_possible(subjects)]
        measures = [_measure(operation, subjects, servers, rounds) for operation in possible]
    if output is not None:
        facts = {"python": platform.python_version(), "machine": platform.machine(), "rounds": rounds}
        output.write_text(json.dumps({**facts, "measures": [asdict(measure) for measure in measures]}, indent=2) + "\n")
    return table(measures)


def table(measures: list[Measure]) -> str:
    """A Markdown table, as docs/performance.md holds it."""
    lines = ["| operation | items | API ms | p95 | floor ms | ratio | Hermes ms |", "|---|---|---|---|---|---|---|"]
    for m in measures:
        others = f"{_shown(m.floor_ms, 2)} | {_shown(m.ratio, 1)} | {_shown(m.hermes_ms, 1)}"
        lines.append(f"| {m.operation} | {m.count} | {m.api_ms:.2f} | {m.api_p95_ms:.2f} | {others} |")
    return "\n".join(lines)


def _shown(value: float | None, digits: int) -> str:
    return f"{value:.{digits}f}" if value is not None else "–"


def _measure(operation: Operation, subjects: Subjects, servers: Servers, rounds: int) -> Measure:
    count = operation.count(servers.api.ask(operation.document, operation.variables_of(subjects, 0)))
    floor_path = operation.floor(subjects) if operation.floor is not None else None
    times: dict[str, list[float]] = {"api": [], "floor": [], "hermes": []}
    sizes: dict[str, int] = {}

    def timed(name: str, request: Callable[[], bytes]) -> None:
        started = time.perf_counter()
        sizes[name] = len(request())
        times[name].append((time.perf_counter() - started) * 1000)

    for start in range(0, rounds + WARM_UP, BLOCK):
        turns = range(start, min(start + BLOCK, rounds + WARM_UP))
        for turn in turns:  # in turn, so that noise of the machine meets both alike
            body = graphql_body(operation.document, operation.variables_of(subjects, turn))
            timed("api", partial(servers.api.post, "/graphql", body))
            if floor_path is not None:
                timed("floor", partial(servers.floor.post, floor_path, body))
        for turn in turns:
            hermes_path = operation.hermes_path(subjects, turn)
            if servers.hermes is not None and hermes_path is not None:
                timed("hermes", partial(servers.hermes.get, hermes_path))
    medians = {name: statistics.median(each[WARM_UP:]) for name, each in times.items() if each}
    return Measure(
        operation=operation.name,
        count=count,
        api_ms=round(medians["api"], 3),
        api_p95_ms=round(statistics.quantiles(times["api"][WARM_UP:], n=20)[-1], 3),
        floor_ms=round(medians["floor"], 3) if "floor" in medians else None,
        ratio=round(medians["api"] / medians["floor"], 2) if "floor" in medians else None,
        hermes_ms=round(medians["hermes"], 3) if "hermes" in medians else None,
        api_bytes=sizes["api"],
        floor_bytes=sizes.get("floor"),
    )


def _subjects(api: Client, store: Path) -> Subjects:
    """The session with the most messages, the root of the greatest tree among the newest sessions, a deep cursor."""
    longest = api.ask("{ sessions(first: 1, orderBy: {field: MESSAGES}) { nodes { id } } }", {})
    trees = api.ask("{ sessions(first: 200) { nodes { root { id } lineage(maxNodes: 1) { totalCount } } } }", {})
    widest = max(trees["sessions"]["nodes"], key=lambda node: node["lineage"]["totalCount"])
    cursor: str | None = None
    for _ in range(100):
        page = api.ask(
            "query ($after: String) { conversations(first: 500, after: $after)"
            " { pageInfo { hasNextPage endCursor } } }",
            {"after": cursor},
        )["conversations"]["pageInfo"]
        if not page["hasNextPage"]:
            break
        cursor = page["endCursor"]
    return Subjects(longest["sessions"]["nodes"][0]["id"], widest["root"]["id"], cursor, words_to_search(store))
