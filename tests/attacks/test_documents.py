"""Documents and bodies made to exhaust the server: each is answered or refused soon, others are answered meanwhile, and
the memory that it took is bounded."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.attacks.doubling import SMALL
from tests.attacks.large import DOCUMENTS, IMPORTS, VARIABLES, Bodies
from tests.attacks.victim import SECONDS, Victim, Watch, attacked

Figure = Callable[[str], None]

CODES = {
    "QUERY_TOO_EXPENSIVE",
    "GRAPHQL_PARSE_FAILED",
    "GRAPHQL_VALIDATION_FAILED",
    "BAD_USER_INPUT",
    "PAYLOAD_TOO_LARGE",
}
EXPENSIVE = {
    "the same field many times",
    "overlapping fragments",
    "directives that are allowed once",
    "fifty times all of the schema",
    "the schema's types fifty times",
}


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("attacked")) as running:
        yield running


def codes_of(victim: Victim, body: bytes) -> set[str]:
    """Of the errors of the answer, also those that a mutation gives as values."""
    begun = time.monotonic()
    answer = victim.post(body)
    assert answer.status_code in (200, 400, 413), answer.text[:500]
    assert time.monotonic() - begun < 6 * SECONDS
    assert len(answer.content) < 1_000_000
    done = answer.json()
    imported = (done.get("data") or {}).get("importSessions") or {}
    errors = [error["extensions"]["code"] for error in done.get("errors", [])]
    codes = {*errors, *(error["code"] for error in imported.get("userErrors", []))}
    assert codes <= CODES
    return codes


def attack(victim: Victim, bodies: Bodies, megabytes: int, figure: Figure, what: str) -> None:
    """All of them, one after the other; none may leave the server with more memory than this above what it had."""
    before = victim.new_peak()
    waits: dict[str, float] = {}
    for name, body in bodies.items():
        content = body()
        with Watch(victim.server.port) as watch:
            codes_of(victim, content)
            victim.is_well()
        waits[name] = watch.longest
        assert victim.peak() - before < megabytes, name
    worst = max(waits, key=waits.__getitem__)
    grown = victim.peak() - before
    figure(f"{len(bodies)} {what}: others waited {waits[worst]:.2f} s at most ({worst}), peak memory +{grown:.0f} MB")


def test_small_documents(victim: Victim, figure: Figure) -> None:
    bodies = {name: lambda query=query: json.dumps({"query": query}).encode() for name, query in SMALL.items()}
    attack(victim, bodies, 150, figure, "small documents")


@pytest.mark.parametrize("name", sorted(EXPENSIVE))
def test_what_costs_too_much_is_called_so(victim: Victim, name: str) -> None:
    assert codes_of(victim, json.dumps({"query": SMALL[name]}).encode()) == {"QUERY_TOO_EXPENSIVE"}


def test_large_documents(victim: Victim, figure: Figure) -> None:
    attack(victim, DOCUMENTS, 250, figure, "documents of 1 to 16 MB")


def test_large_variables(victim: Victim, figure: Figure) -> None:
    attack(victim, VARIABLES, 250, figure, "requests with 1 MB of variables")


def test_large_imports(victim: Victim, figure: Figure, is_long: bool) -> None:
    size = 24_500_000 if is_long else 10_000_000
    bodies = {name: partial(make, size) for name, make in IMPORTS.items() if is_long or name != "messages"}
    attack(victim, bodies, 450, figure, f"imports of {size / 1e6:.1f} MB")


@pytest.mark.parametrize("name", [name for name in IMPORTS if name.startswith("a body")])
def test_a_large_body_may_only_be_so_for_its_document(victim: Victim, name: str) -> None:
    assert codes_of(victim, IMPORTS[name](10_000_000)) == {"PAYLOAD_TOO_LARGE"}


@pytest.mark.parametrize("name", ["a cell of empty lists", "a cell of numbers", "a cell of texts", "sessions"])
def test_a_document_may_not_have_more_parts_than_can_be_held(victim: Victim, name: str) -> None:
    assert codes_of(victim, IMPORTS[name](10_000_000)) == {"BAD_USER_INPUT"}


def test_distinct_documents_do_not_fill_the_memory(tmp_path: Path, figure: Figure, is_long: bool) -> None:
    """Neither long ones nor those of many tokens, of which each takes a megabyte or two while it is kept."""
    texts = " ".join(f'"{each}"' for each in range(1900))
    kinds = {
        "literals": lambda n: f'{{ session(id: "{n}{"a" * 980_000}") {{ id }} }}',
        "mistakes": lambda n: f'{{ session(id: "{n}{"a" * 980_000}")',
        "trees": lambda n: f'{{ sessions(first: 1, filter: {{sources: ["a{n}" {texts}]}}) {{ nodes {{ id }} }} }}',
    }
    numbers = (
        {"literals": 150, "mistakes": 150, "trees": 150} if is_long else {"literals": 6, "mistakes": 6, "trees": 60}
    )
    with attacked(tmp_path) as victim:
        before = victim.new_peak()
        with Watch(victim.server.port) as watch:
            for name, make in kinds.items():
                settled = 0.0
                for each in range(numbers[name]):
                    if each == numbers[name] // 3:
                        settled = victim.peak()
                    codes = codes_of(victim, json.dumps({"query": make(each)}).encode())
                    assert codes == ({"GRAPHQL_PARSE_FAILED"} if name == "mistakes" else set())
                assert victim.peak() - settled < 60, name  # a hundred further ones, in the long form
        grown = victim.peak() - before
    figure(
        f"{sum(numbers.values())} distinct documents of {len(kinds)} kinds: others waited {watch.longest:.2f} s"
        f" at most, peak memory +{grown:.0f} MB"
    )
    assert grown < (250 if is_long else 50)
