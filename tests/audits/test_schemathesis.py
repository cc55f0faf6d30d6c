"""Documents that schemathesis makes of the schema, changes among them: whatever is asked, nothing breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from graphql import IntValueNode, StringValueNode, ValueNode
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.serving import Json
from tests.api.test_errors import assert_nothing_leaks
from tests.builders import StoreBuilder, store_path
from tests.processes import ROOT, Replica

SHORT, LONG = 5, 200
"""Documents for each field of the root."""
IDS = 40


def test_no_document_of_the_schema_finds_a_fault(
    audited: Replica, audited_home: Path, is_long: bool, figure: Callable[[str], None]
) -> None:
    before = sessions_of(audited_home)
    choose_values(sorted(before)[:IDS])
    schema: Any = schemathesis.graphql.from_path(ROOT / "schema.graphql")
    operations = [found.ok() for found in schema.get_all_operations()]
    told: Counter[str] = Counter()
    with audited.client() as client:
        for operation in operations:
            told += codes_of_answers(operation, client, audited_home, LONG if is_long else SHORT)
        assert client.post("/graphql", json={"query": "{ server { version } }"}).json()["data"]["server"]["version"]
    changed = len(before.items() ^ sessions_of(audited_home).items())
    assert changed > 0
    assert told["data"] > told.total() / 3
    assert "Traceback" not in audited.log.read_text()
    counted = ", ".join(f"{count} {what}" for what, count in told.most_common())
    figure(
        f"schemathesis: {told.total()} documents over {len(operations)} fields of the root changed {changed} rows of"
        f" sessions; told were {counted}"
    )


def sessions_of(home: Path) -> dict[str, tuple[Any, ...]]:
    """The rows of a whole store by id."""
    with StoreBuilder(store_path(home)) as store:
        assert store.sql("PRAGMA integrity_check") == [("ok",)]
        return {str(row[0]): row for row in store.sql("SELECT id, title, archived, ended_at FROM sessions")}


def choose_values(ids: list[str]) -> None:
    """Arguments that find something in the store as often as not. Of the process: schemathesis keeps them for all."""
    text = st.text(max_size=30)
    of_a_session = st.sampled_from(ids)
    strings = st.sampled_from(["default", "default", "a", "%", "2026-01-01", "Europe/Berlin"]) | text
    moments = st.datetimes().map(lambda at: f"{at.isoformat()}Z")
    values: dict[str, st.SearchStrategy[ValueNode]] = {
        "ID": (of_a_session | of_a_session.map(lambda one: one[:10]) | text).map(string),
        "String": strings.map(string),
        "Int": (st.integers(0, 100) | st.integers(-(2**31), 2**31 - 1)).map(whole),
        "BigInt": st.integers(-(2**70), 2**70).map(whole),
        "DateTime": (moments | text).map(string),
        "JSON": (strings | st.integers().map(str)).map(string),
    }
    for name, strategy in values.items():
        schemathesis.graphql.scalar(name, strategy)


def string(value: str) -> ValueNode:
    return StringValueNode(value=value)


def whole(value: int) -> ValueNode:
    return IntValueNode(value=str(value))


def codes_of_answers(operation: Any, client: httpx.Client, home: Path, examples: int) -> Counter[str]:
    """How often each code was told, and data without an error."""
    told: Counter[str] = Counter()

    @given(case=operation.as_strategy())
    @settings(
        max_examples=examples,
        derandomize=examples == SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        answer = client.post("/graphql", json={"query": case.body})
        assert answer.status_code == 200, answer.text
        errors = list(errors_of(answer.json()))
        for error in errors:
            assert_nothing_leaks(str(error), home)
        codes = {
            error.get("extensions", error).get("code", "a refusal whose code was not asked for") for error in errors
        }
        assert "INTERNAL" not in codes
        told.update(codes or {"data"})

    ask()
    return told


def errors_of(body: Json) -> Iterator[Json]:
    """Those at the top, and those that a change gives as values."""
    yield from body.get("errors", [])
    for value in (body.get("data") or {}).values():
        if isinstance(value, dict):
            yield from value.get("userErrors", [])
