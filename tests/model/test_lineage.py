"""Parents, children, roots, walks and the conversations of a forest."""

from __future__ import annotations

from collections import Counter

import pytest

from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.session import SessionKind
from tests.model.builders import T, ids, kinds_of, listed_ids, messages, plan_chain, plan_subagents, session


def walked(forest: Forest, start: str, *, breadth_first: bool = False, max_depth: int | None = None) -> list[str]:
    nodes = forest.walk(forest.sessions[start], breadth_first=breadth_first, max_depth=max_depth)
    return [node.session.id for node in nodes]


def root_id(forest: Forest, id: str) -> str:
    return forest.root(forest.sessions[id]).id


# Cases


def test_L1_chain_with_a_stale_sibling_is_one_conversation() -> None:
    forest = Forest(plan_chain())
    conversation = forest.conversation_of("d3s")
    assert listed_ids(forest) == ["d1"]
    assert ids(conversation.segments) == ["d1", "d2", "d3"]
    assert (conversation.id, conversation.tip.id, conversation.source) == ("d1", "d3", "telegram")
    assert ids(conversation.side_rows) == ["d3s"]


@pytest.mark.parametrize("member", ["d1", "d2", "d3", "d3s", "sub1", "sub2"])
def test_L1_every_member_leads_to_the_conversation(member: str) -> None:
    assert Forest(plan_chain() + plan_subagents()).head_id(member) == "d1"


def test_L2_subagents_are_not_listed_and_stand_under_their_segments() -> None:
    forest = Forest(plan_chain() + plan_subagents())
    assert listed_ids(forest) == ["d1"]
    assert sorted(ids(forest.conversation_of("d1").subagents)) == ["sub1", "sub2"]
    assert ids(forest.children("d3")) == ["sub1"]
    assert ids(forest.children("d2")) == ["sub2", "d3", "d3s"]
    assert walked(forest, "d1") == ["d1", "d2", "sub2", "d3", "sub1", "d3s"]


def test_L3_a_branch_from_a_middle_segment_is_a_conversation_of_its_own() -> None:
    forest = Forest([*plan_chain(), session("br1", "d2", start=T + 150, branched_from="d2")])
    assert listed_ids(forest) == ["br1", "d1"]
    assert ids(forest.conversation_of("br1").segments) == ["br1"]
    assert forest.conversation_of("d1").branch_count == 1
    assert "br1" in ids(forest.children("d2"))


def test_L4_a_compressed_branch_makes_two_conversations() -> None:
    forest = Forest(
        [
            session("bp"),
            session("bb", "bp", end=T + 50, reason="compression", branched_from="bp"),
            session("bc", "bb", start=T + 50, branched_from="bp"),
        ]
    )
    assert listed_ids(forest) == ["bb", "bp"]
    assert ids(forest.conversation_of("bc").segments) == ["bb", "bc"]
    assert forest.conversation_of("bb").kind is SessionKind.BRANCH


def test_L6_an_untagged_early_child_is_reachable_and_never_the_tip() -> None:
    forest = Forest([*plan_chain(), session("leg", "d1", start=T + 50, end=T + 60)])
    assert forest.conversation_of("leg").tip.id == "d3"
    assert "leg" in walked(forest, "d1")


def test_L7_resets_are_conversations_that_name_their_neighbour() -> None:
    forest = Forest(
        [
            session("rp", source="telegram", end=T + 5, reason="session_reset", session_key="K"),
            session("rc", "rp", start=T + 5, session_key="K"),
            session("rm", "rp", start=T + 6, reset_from="rp"),
        ]
    )
    assert listed_ids(forest) == ["rc", "rm", "rp"]
    assert [forest.parent(forest.sessions[id]) for id in ("rc", "rm")] == [forest.get("rp")] * 2


def test_L8_an_orphaned_subagent_is_not_listed() -> None:
    forest = Forest([session("a", delegate_from="__orphaned__"), session("b")])
    assert listed_ids(forest) == ["b"]
    assert forest.conversation_of("a").id == "a"


def test_L9_a_dangling_parent_is_named_and_the_row_is_listed() -> None:
    forest = Forest([session("o1", "ghost", activity=messages(1))])
    o1 = forest.sessions["o1"]
    assert listed_ids(forest) == ["o1"]
    assert (o1.parent_id, forest.parent(o1), forest.root(o1)) == ("ghost", None, o1)
    assert ids(forest.children("ghost")) == ["o1"]


def test_L10_rows_in_cycles_are_listed_once_and_have_one_root() -> None:
    forest = Forest(
        [
            session("c2", "c1", reason="compression"),
            session("c1", "c2", reason="compression"),
            session("self", "self"),
            session("tail", "c2"),
        ]
    )
    assert listed_ids(forest) == ["c1", "c2", "self"]
    assert [root_id(forest, id) for id in ("c1", "c2", "tail", "self")] == ["c1", "c1", "c1", "self"]
    assert all(forest.has_cycle(forest.sessions[id]) for id in ("c1", "self"))
    assert walked(forest, "c1") == ["c1", "c2", "tail"]
    assert ids(forest.ancestors(forest.sessions["tail"])) == ["c1", "c2"]
    assert ids(forest.ancestors(forest.sessions["self"])) == []


def test_L10_a_tree_without_a_cycle_says_so() -> None:
    forest = Forest(plan_chain())
    assert not forest.has_cycle(forest.sessions["d1"])


def test_L12_one_root_with_98_subagents() -> None:
    root = session("root")
    forest = Forest([root, *(session(f"sub{n:02}", "root", delegate_from="root", start=T + n) for n in range(98))])
    assert Counter(node.depth for node in forest.walk(root)) == {0: 1, 1: 98}
    assert len(forest.conversation_of("root").subagents) == 98


def test_L12_a_chain_of_79_branches() -> None:
    chain = [session("b00")]
    for number in range(1, 80):
        chain.append(session(f"b{number:02}", chain[-1].id, branched_from=chain[-1].id))
    forest = Forest(chain)
    assert [node.depth for node in forest.walk(chain[0])] == list(range(80))
    assert len(listed_ids(forest)) == 80
    assert ids(forest.ancestors(chain[-1])) == [each.id for each in chain[:-1]]


def test_L12_a_ternary_tree_of_2000() -> None:
    root = session("n0")
    below = [session(f"n{n}", f"n{(n - 1) // 3}", branched_from=f"n{(n - 1) // 3}") for n in range(1, 2000)]
    forest = Forest([root, *below])
    nodes = list(forest.walk(root))
    assert len({node.session.id for node in nodes}) == len(nodes) == 2000
    assert max(node.depth for node in nodes) == 7


def test_R1_an_id_that_is_also_a_prefix_is_exact_and_a_shared_prefix_names_both() -> None:
    forest = Forest([session("20260201_100000_abc123"), session("20260201_100000_abc1"), session("20260202_1")])
    exact = forest.get("20260201_100000_abc1")
    assert exact is not None
    assert exact.id == "20260201_100000_abc1"
    assert forest.starting_with("20260201_10", 10) == ["20260201_100000_abc1", "20260201_100000_abc123"]
    assert forest.starting_with("20260201_10", 1) == ["20260201_100000_abc1"]


def test_R4_prefixes_are_case_sensitive() -> None:
    assert Forest([session("br1")]).starting_with("BR", 10) == []


@pytest.mark.parametrize("wild", ["%", "_", "b%", "b_"])
def test_percent_and_underscore_are_ordinary_characters_in_a_prefix(wild: str) -> None:
    assert Forest([session("br1"), session("bx")]).starting_with(wild, 10) == []


def test_a_subagents_continuation_belongs_to_the_conversation_of_the_subagents_parent() -> None:
    forest = Forest(
        [
            session("a"),
            session("s1", "a", delegate_from="a", reason="compression"),
            session("s2", "s1", delegate_from="a"),
            session("s3", "s2", delegate_from="s2"),
        ]
    )
    assert listed_ids(forest) == ["a"]
    assert sorted(ids(forest.conversation_of("s3").subagents)) == ["s1", "s2", "s3"]


def test_what_hangs_on_a_branch_belongs_to_the_branch() -> None:
    forest = Forest([session("a"), session("b", "a", branched_from="a"), session("s", "b", delegate_from="b")])
    assert ids(forest.conversation_of("s").segments) == ["b"]
    assert forest.conversation_of("a").subagents == ()


@pytest.mark.parametrize("source", ["tool", "cli"])
def test_tool_and_side_rows_below_a_subagent_are_side_rows_and_no_subagents(source: str) -> None:
    forest = Forest(
        [
            session("a"),
            session("s", "a", delegate_from="a", reason="compression"),
            session("s2", "s", start=T + 9),
            session("below", "s", source=source, start=T + 1, end=T + 2, reason="cli_close"),
        ]
    )
    conversation = forest.conversation_of("a")
    assert kinds_of(*forest.sessions.values())["below"] in ("TOOL", "SIDE")
    assert ids(conversation.side_rows) == ["below"]
    assert sorted(ids(conversation.subagents)) == ["s", "s2"]
