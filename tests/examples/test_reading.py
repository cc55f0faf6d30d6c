"""The examples that read print what the stores hold."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from hermes_sessions.model.lineage import Forest
from tests.examples.conftest import EXAMPLES, Demo

TREE = """
WITH RECURSIVE tree(id, depth) AS (
    SELECT id, 0 FROM sessions WHERE id = ?
    UNION ALL SELECT sessions.id, depth + 1 FROM sessions JOIN tree ON parent_session_id = tree.id
) SELECT id, depth FROM tree
"""


def largest_tree(demo: Demo) -> dict[str, int]:
    """Depth by session of the tree that has most of them."""
    with demo.store() as store:
        roots = [row[0] for row in store.sql("SELECT id FROM sessions WHERE parent_session_id IS NULL")]
        return max((dict(store.sql(TREE, [root])) for root in roots), key=len)


def dollars(forest: Forest, ids: set[str]) -> float:
    return sum(forest.sessions[session_id].cost.usd or 0 for session_id in ids)


def test_the_tree_has_every_session_at_its_depth_and_the_sum_of_costs(demo: Demo) -> None:
    expected = largest_tree(demo)
    assert len(expected) > 5
    deepest = max(expected, key=lambda session_id: expected[session_id])
    *nodes, last = demo.lines("lineage_tree.py", deepest)
    drawn = {}
    for node in nodes:
        found = re.match(r"[ >] ( *)[A-Z]+ (\S+)  ", node)
        assert found
        drawn[found[2]] = len(found[1]) // 2
    assert drawn == expected
    assert [node.split()[2] for node in nodes if node.startswith(">")] == [deepest]
    assert last.startswith(f"{len(expected)} sessions, ${dollars(demo.forest(), set(expected)):.4f}")


def test_a_large_tree_is_cut_and_says_so(demo: Demo) -> None:
    expected = largest_tree(demo)
    lines = demo.lines("lineage_tree.py", next(iter(expected)), "--most", "2")
    assert len(lines) == 3
    assert lines[-1].startswith(f"{len(expected)} sessions, 2 drawn, ")


@pytest.mark.parametrize("page", ["7", "500"])
def test_the_transcript_has_every_message_once_and_in_order(demo: Demo, page: str) -> None:
    with demo.store("work") as store:
        [(session, _)] = store.sql(
            "SELECT session_id, count(*) FROM messages GROUP BY session_id"
            " HAVING min(active) = 1 AND session_id NOT IN (SELECT parent_session_id FROM sessions"
            " WHERE parent_session_id IS NOT NULL)"
            " AND session_id IN (SELECT id FROM sessions WHERE parent_session_id IS NULL) ORDER BY 2 DESC LIMIT 1"
        )
        stored = store.sql("SELECT id, role, content FROM messages WHERE session_id = ? ORDER BY id", [session])
    assert len(stored) > 14
    lines = demo.lines("walk_transcript.py", session, "--profile", "work", "--page", page)
    heads = [found.groups() for line in lines if (found := re.match(r"#(\d+) (\w+)", line))]
    assert heads == [(str(number), role) for number, role, _ in stored]
    assert lines[0].endswith(f": {len(stored)} messages")
    printed = "\n".join(lines)
    at = 0
    for _, _, content in stored:
        if content and not content.startswith("\x00") and content.isprintable():
            at = printed.index(content, at) + len(content)
    assert at > 0


def test_a_conversation_is_walked_over_all_its_segments(demo: Demo) -> None:
    forest = demo.forest("work")
    longest = max(forest.conversations.values(), key=lambda conversation: len(conversation.segments))
    assert len(longest.segments) > 2
    lines = demo.lines("walk_transcript.py", longest.segments[-1].id, "--profile", "work")
    assert lines.count("=== CONTINUATION") == len(longest.segments) - 1


def test_the_cost_report_adds_up_to_what_the_stores_hold(demo: Demo) -> None:
    head, *rows, total = demo.lines("cost_report.py")
    sessions = [each for name in ("default", "work", "research") for each in demo.forest(name).sessions.values()]
    numbers = total.split()
    assert head.split() == ["month", "model", "sessions", "tokens", "USD"]
    assert numbers[1] == str(len(sessions))
    assert numbers[2] == str(sum(each.usage.total_tokens for each in sessions))
    assert float(numbers[3]) == pytest.approx(sum(each.cost.usd or 0 for each in sessions), abs=1e-3)
    unknown = sum(each.cost.unknown_sessions > 0 for each in sessions)
    assert numbers[4:] == ["+", str(unknown), "unknown"]
    assert sum(int(row[54:69]) for row in rows) == int(numbers[2])
    with demo.store() as store:
        models = {row[0] for row in store.sql("SELECT DISTINCT model FROM session_model_usage")}
    assert models <= {row[9:45].strip() for row in rows}


def test_the_cost_report_of_one_profile(demo: Demo) -> None:
    total = demo.lines("cost_report.py", "--profile", "research", "--time-zone", "Asia/Tokyo")[-1].split()
    assert total[1] == str(len(demo.forest("research").sessions))


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (["nobody"], {}, "has no session nobody"),
        (["x"], {"HERMES_SESSIONS_TOKEN": "wrong"}, "The token is missing or wrong."),
        (["x", "--url", "http://127.0.0.1:1/graphql"], {}, "Is `hermes-sessions serve` running?"),
        (["x", "--profile", "nobody"], {}, "There is no profile nobody."),
        (["x\n"], {}, "The id holds control characters"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    demo: Demo, arguments: list[str], environment: dict[str, str], sentence: str
) -> None:
    done = demo.run("lineage_tree.py", *arguments, **environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_an_answer_of_another_server_is_one_sentence_too(demo: Demo) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        thread = threading.Thread(target=other.handle_request)
        thread.start()
        done = demo.run("cost_report.py", "--url", f"http://127.0.0.1:{other.server_port}/graphql")
        thread.join()
    assert done.returncode == 1
    assert "Check --url and --token." in done.stderr
    assert "Traceback" not in done.stderr


def programs() -> list[str]:
    return sorted(path.name for path in EXAMPLES.glob("*.py"))


def test_every_example_is_in_the_list_of_its_readme() -> None:
    readme = (EXAMPLES / "README.md").read_text()
    assert re.findall(r"^\| \[(\w+\.py)\]\(\1\)", readme, re.MULTILINE)
    assert sorted(re.findall(r"^\| \[(\w+\.py)\]\(\1\)", readme, re.MULTILINE)) == programs()


@pytest.mark.parametrize("program", programs())
def test_an_example_is_small_and_explains_itself(demo: Demo, program: str) -> None:
    assert len(Path(EXAMPLES / program).read_text().splitlines()) <= 75
    if program != "connection.py":
        assert "--token" in demo.run(program, "--help").stdout
