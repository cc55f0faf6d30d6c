"""A document that asks for too much is refused before anything is executed, with the number and the limit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from graphql import get_introspection_query

from tests.api.serving import Json, Refusal, Server
from tests.builders import plan_chain

Refused = Callable[..., Refusal]
Ask = Callable[..., Json]


@pytest.fixture(scope="module")
def refused(server: Server) -> Refused:
    return server.profile(plan_chain).refusal


@pytest.fixture(scope="module")
def ask(server: Server) -> Ask:
    return server.profile(plan_chain).ask


def assert_too_expensive(refusal: Refusal, allowed: int) -> None:
    assert refusal.code == "QUERY_TOO_EXPENSIVE"
    assert refusal.data is None
    assert refusal.details["allowed"] == allowed
    assert refusal.details["computed"] > allowed


def nested(levels: int) -> str:
    return '{ session(id: "d3") ' + "{ parent " * levels + "{ id }" + " }" * levels + " }"


def reports(number: int) -> str:
    report = "usage(by: [DAY]) { rows { day usage { totalTokens } cost { usd } bookedBy { spent } } }"
    return "{ " + " ".join(f"r{n}: {report}" for n in range(number)) + " }"


def test_usage_reports_weigh_as_much_as_long_lists(refused: Refused, ask: Ask) -> None:
    assert len(ask(reports(20))) == 20
    assert_too_expensive(refused(reports(30)), 100_000)


def test_depth(refused: Refused, ask: Ask) -> None:
    assert ask(nested(13)) is not None
    refusal = refused(nested(14))
    assert_too_expensive(refusal, 15)
    assert refusal.details["computed"] == 16


def test_depth_through_fragments(refused: Refused) -> None:
    fragments = " ".join(f"fragment F{n} on Session {{ parent {{ ...F{n + 1} }} }}" for n in range(30))
    query = f'{{ session(id: "d3") {{ ...F0 }} }} {fragments} fragment F30 on Session {{ id }}'
    assert_too_expensive(refused(query), 15)


def test_depth_through_inline_fragments(refused: Refused) -> None:
    levels = 20
    query = '{ session(id: "d3") { ' + "... on Session { parent { " * levels + "id" + " } }" * levels + " } }"
    assert_too_expensive(refused(query), 15)


def test_depth_behind_a_skipped_field_counts(refused: Refused) -> None:
    assert_too_expensive(refused(nested(14).replace("parent", "parent @include(if: false)", 1)), 15)


def test_wrappers_of_a_list_are_no_levels(ask: Ask) -> None:
    levels = 12
    below = "children(first: 1) { edges { node { " * levels + "id" + " } } }" * levels
    assert ask(f'{{ session(id: "d1") {{ {below} }} }}')["session"]["children"]["edges"]


def test_aliases(refused: Refused, ask: Ask) -> None:
    def document(count: int) -> str:
        return "{ " + " ".join(f"a{n}: server {{ version }}" for n in range(count)) + " }"

    assert len(ask(document(50))) == 50
    refusal = refused(document(51))
    assert_too_expensive(refusal, 50)
    assert refusal.details["computed"] == 51


@pytest.mark.parametrize("field", ["version ", "... on Server { version } ", "... { version } "])
def test_repeated_fields_count_as_aliases_do(refused: Refused, ask: Ask, field: str) -> None:
    def document(repeated: int) -> str:
        return "{ server { " + field * (1 + repeated) + "} }"

    assert ask(document(50))["server"]["version"]
    refusal = refused(document(51))
    assert_too_expensive(refusal, 50)
    assert refusal.details["computed"] == 51


def test_the_same_field_in_different_places_is_not_repeated(ask: Ask) -> None:
    fragments = " ".join(f"fragment F{n} on Session {{ id parent {{ id }} }}" for n in range(60))
    spreads = " ".join(f"...F{n}" for n in range(60))
    assert ask(f'{{ session(id: "d2") {{ {spreads} }} }} {fragments}')["session"]["id"] == "d2"


def test_a_document_with_many_faults_names_a_few(refused: Refused) -> None:
    errors = refused("{ " + " ".join(f"nothing{n}" for n in range(500)) + " }").errors
    assert len(errors) == 6
    assert errors[-1]["message"].startswith("Too many validation errors")


def test_aliases_through_fragments_count_for_each_use(refused: Refused) -> None:
    inner = " ".join(f"a{n}: version" for n in range(40))
    uses = " ".join(f"s{n}: server {{ ...F }}" for n in range(40))
    assert_too_expensive(refused(f"{{ {uses} }} fragment F on Server {{ {inner} }}"), 50)


def test_directives(refused: Refused, ask: Ask) -> None:
    def document(count: int) -> str:
        return "{ server { " + " ".join("version @include(if: true)" for _ in range(count)) + " } }"

    assert ask(document(20)) is not None
    refusal = refused(document(21))
    assert_too_expensive(refusal, 20)
    assert refusal.details["computed"] == 21


def test_tokens(refused: Refused) -> None:
    assert_too_expensive(refused("{ server { " + "version " * 2500 + "} }"), 2000)


def test_cost_of_nested_pages(refused: Refused) -> None:
    query = """query ($n: Int) { conversations(first: $n) { nodes { messages(first: $n) { nodes { id
               toolCalls { result { id } } } } } } }"""
    assert_too_expensive(refused(query, n=500), 100_000)


def test_cost_is_that_of_the_sizes_of_this_very_request(refused: Refused, ask: Ask) -> None:
    query = (
        "query ($n: Int) { conversations(first: $n) { nodes { messages(first: $n) { nodes { session { id } } } } } }"
    )
    ask(query, n=1)
    assert_too_expensive(refused(query, n=500), 100_000)
    ask(query, n=1)


def test_cost_is_that_of_the_operation_that_is_asked_for(server: Server) -> None:
    document = """query Small { sessions(first: 1) { nodes { id } } }
                  query Large { conversations(first: 500) { nodes { messages(first: 500) { nodes { id } } } } }"""
    answers = [
        server.served.post({"query": document, "operationName": name}).json for name in ("Small", "Large", "Small")
    ]
    codes = [answer["errors"][0]["extensions"]["code"] if "errors" in answer else None for answer in answers]
    assert codes == [None, "QUERY_TOO_EXPENSIVE", None]


def test_cost_counts_pages_without_a_size_at_their_default(refused: Refused) -> None:
    query = "{ conversations { nodes { messages { nodes { session { children { nodes { id } } } } } } } }"
    assert_too_expensive(refused(query), 100_000)


def test_cost_takes_the_default_of_a_variable(refused: Refused) -> None:
    query = """query ($n: Int = 500) { conversations(first: $n) { nodes { messages(first: $n) { nodes { session { id }
               } } } } }"""
    assert_too_expensive(refused(query), 100_000)


@pytest.mark.parametrize(
    "spread", ["...F", "... on Conversation { messages(first: 500) { nodes { session { id } } } }"]
)
def test_cost_through_fragments(refused: Refused, spread: str) -> None:
    fragment = "fragment F on Conversation { messages(first: 500) { nodes { session { id } } } }"
    query = f"{{ conversations(first: 500) {{ nodes {{ {spread} }} }} }}" + (fragment if spread == "...F" else "")
    assert_too_expensive(refused(query), 100_000)


def test_cost_of_many_lineages(refused: Refused) -> None:
    query = "{ conversations(first: 500) { nodes { lineage { nodes { session { id displayTitle } } } } } }"
    assert_too_expensive(refused(query), 100_000)


def test_the_page_of_the_dashboard_is_allowed(ask: Ask) -> None:
    assert ask(
        """{ conversations(first: 100) { nodes { id displayTitle profile { name } segments { id } cost { usd }
             usage { totalTokens } } facets { sources { value count } } } }"""
    )


def test_the_introspection_of_graphiql_passes(ask: Ask) -> None:
    query = get_introspection_query(
        descriptions=True,
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
    )
    kinds = {kind["name"] for kind in ask(query)["__schema"]["types"]}
    assert {"Session", "Conversation", "Lineage", "Message"} <= kinds


def test_a_deep_introspection_is_refused(refused: Refused) -> None:
    levels = 20
    query = "{ __schema { types { " + "fields { type { " * levels + "name" + " } }" * levels + " } } }"
    assert refused(query).errors[0]["extensions"]["code"] in ("GRAPHQL_VALIDATION_FAILED", "QUERY_TOO_EXPENSIVE")


def test_fragments_that_spread_themselves_are_invalid(refused: Refused) -> None:
    circle = "{ server { ...A } } fragment A on Server { version ...B } fragment B on Server { version ...A }"
    assert refused(circle).errors[0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    itself = "{ server { ...A } } fragment A on Server { ...A }"
    assert refused(itself).errors[0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
