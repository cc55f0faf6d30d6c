"""Orders: total, with the unknown below everything known."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.orders import OrderField, sort_key
from hermes_sessions.model.session import Session
from tests.model.builders import T, dollars, messages, plan_chain, session, tokens
from tests.model.strategies import rich_forests


@pytest.mark.parametrize(
    ("field", "lower", "higher"),
    [
        (OrderField.STARTED, session("b"), session("a", start=T + 1)),
        (OrderField.STARTED, session("b", start=None), session("a")),
        (OrderField.LAST_ACTIVE, session("b", start=T + 5), session("a", activity=messages(1, T + 6))),
        (OrderField.MESSAGES, session("b", activity=messages(9)), session("a", activity=messages(8, compacted=2))),
        (OrderField.TOKENS, session("b", usage=tokens(9)), session("a", usage=tokens(2**40))),
        (OrderField.COST, session("b"), session("a", cost=dollars(0.0))),
        (OrderField.TITLE, session("b", title="alpha"), session("a", title="Beta")),
        (OrderField.TITLE, session("b", title=""), session("a", title="a")),
        (OrderField.STARTED, session("a"), session("b")),
    ],
)
def test_what_is_more_or_known_or_has_the_greater_id_comes_later(
    field: OrderField, lower: Session, higher: Session
) -> None:
    assert sort_key(lower, field) < sort_key(higher, field)


@pytest.mark.parametrize("field", OrderField)
def test_the_same_id_in_two_profiles_has_two_places(field: OrderField) -> None:
    assert sort_key(session("a"), field, "default") < sort_key(session("a"), field, "work")


def test_a_conversation_is_ordered_by_what_it_shows() -> None:
    plan = Forest(plan_chain()).conversation_of("d1")
    assert sort_key(plan, OrderField.COST, "default") == (1, 7.0, "d1", "default")
    assert sort_key(plan, OrderField.TITLE, "default") == (1, "plan #3", "d1", "default")


@given(rich_forests())
def test_every_order_is_total(sessions: list[Session]) -> None:
    for field in OrderField:
        keys = [sort_key(each, field) for each in sessions]
        assert all((one < other) != (other < one) for one, other in itertools.combinations(keys, 2))
