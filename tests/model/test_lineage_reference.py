"""Trees and conversations of random forests, against a slow reference that says what domain rules say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.model.families import HEADS
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import Session, SessionKind
from tests.model import reference
from tests.model.builders import ids, session
from tests.model.strategies import forests
from tests.model.test_lineage import root_id, walked


@settings(max_examples=200)
@given(forests())
def test_conversations_are_those_of_the_reference(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    found = {id: ids(conversation.segments) for id, conversation in Forest(sessions).conversations.items()}
    assert found == reference.conversations(rows)


@settings(max_examples=200)
@given(forests())
def test_every_session_belongs_to_exactly_one_conversation(sessions: list[Session]) -> None:
    forest = Forest(sessions)
    members = [member.id for conversation in forest.conversations.values() for member in conversation.members]
    assert sorted(members) == sorted(ids(sessions))
    for head_id, conversation in forest.conversations.items():
        assert {forest.head_id(member.id) for member in conversation.members} == {head_id}
        assert forest.conversation_of(conversation.tip.id) is conversation


@settings(max_examples=200)
@given(forests())
def test_conversations_start_at_heads_and_go_on_by_continuations(sessions: list[Session]) -> None:
    forest = Forest(sessions)
    for conversation in forest.conversations.values():
        assert conversation.kind is forest.kind(conversation.id)
        assert (conversation.kind in HEADS) == conversation.is_listed
        for before, after in zip(conversation.segments, conversation.segments[1:], strict=False):
            assert after.parent_id == before.id
            assert forest.kind(after.id) is SessionKind.CONTINUATION


@settings(max_examples=200)
@given(forests())
def test_subagents_of_a_conversation_are_all_those_below_it(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    forest = Forest(sessions)
    for id, conversation in forest.conversations.items():
        found = [each.id for each in conversation.subagents if forest.kind(each.id) is SessionKind.SUBAGENT]
        assert sorted(found) == sorted(reference.subagents_below(rows, id))
        assert not any(forest.kind(each.id) is SessionKind.SUBAGENT for each in conversation.side_rows)


@settings(max_examples=200)
@given(forests())
def test_branches_are_counted_at_the_segments_that_they_leave(sessions: list[Session]) -> None:
    forest = Forest(sessions)
    counted = sum(conversation.branch_count for conversation in forest.conversations.values())
    segments = {each.id for conversation in forest.conversations.values() for each in conversation.segments}
    assert counted == sum(each.parent_id in segments for each in sessions if forest.kind(each.id) is SessionKind.BRANCH)


@settings(max_examples=200)
@given(forests())
def test_roots_and_ancestors_are_those_of_the_reference(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    forest = Forest(sessions)
    for each in sessions:
        assert ids(forest.ancestors(each)) == reference.ancestors(rows, each)
        assert root_id(forest, each.id) == reference.root(rows, each)


@settings(max_examples=200)
@given(forests())
def test_descendants_are_those_of_the_reference_in_depth_first_order(sessions: list[Session]) -> None:
    rows = reference.rows_of(sessions)
    forest = Forest(sessions)
    for each in sessions:
        assert ids(forest.children(each.id)) == ids(reference.children(rows, each.id))
        assert walked(forest, each.id) == reference.descendants(rows, each)


@settings(max_examples=200)
@given(forests())
def test_the_tree_of_the_root_holds_every_session_that_shares_the_root(sessions: list[Session]) -> None:
    forest = Forest(sessions)
    for each in sessions:
        root = forest.root(each)
        shared = [other.id for other in sessions if root_id(forest, other.id) == root.id]
        assert sorted(node.session.id for node in forest.walk(root)) == sorted(shared)
        assert forest.has_cycle(root) == any(forest.in_cycle(id) for id in shared)


@settings(max_examples=200)
@given(forests(), st.booleans(), st.none() | st.integers(0, 4))
def test_each_walk_yields_each_session_once_below_its_parent(
    sessions: list[Session], breadth_first: bool, max_depth: int | None
) -> None:
    forest = Forest(sessions)
    for start in sessions:
        depths: dict[str, int] = {}
        for node in forest.walk(start, breadth_first=breadth_first, max_depth=max_depth):
            assert node.session.id not in depths
            assert node.parent_id == (None if node.session is start else node.session.parent_id)
            assert node.depth == (0 if node.parent_id is None else depths[node.parent_id] + 1)
            depths[node.session.id] = node.depth
        everything = {node.session.id: node.depth for node in forest.walk(start)}
        assert depths == {id: depth for id, depth in everything.items() if max_depth is None or depth <= max_depth}
        assert not breadth_first or list(depths.values()) == sorted(depths.values())


@given(st.lists(st.text(st.sampled_from("ab%_\u00e9\U0010ffff"), max_size=4), unique=True), st.data())
def test_ids_that_start_with_a_prefix_are_found_in_order(names: list[str], data: st.DataObject) -> None:
    prefix = data.draw(st.text(st.sampled_from("ab%_\u00e9\U0010ffff"), min_size=1, max_size=2))
    limit = data.draw(st.integers(0, 4))
    found = Forest(session(name) for name in names).starting_with(prefix, limit)
    assert found == sorted(name for name in names if name.startswith(prefix))[:limit]


def test_a_chain_of_5000_compressions_is_one_conversation() -> None:
    root = session("0", reason="compression")
    chain = [session(str(number), str(number - 1), reason="compression") for number in range(1, 5000)]
    forest = Forest([root, *chain])
    assert len(forest.conversation_of("4999").segments) == 5000
    assert [node.depth for node in forest.walk(root)] == list(range(5000))
