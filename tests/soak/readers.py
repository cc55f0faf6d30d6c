"""What twenty people and programs ask of a server all day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from tests.soak.home import CHAIN, LONG, WORDS
from tests.soak.programs import Program

READERS = 20
PAUSE = 2.0
"""Seconds between two questions of one reader."""

LIST = """
    query ($after: String, $since: DateTime!) {
      conversations(first: 50, after: $after, filter: {audience: ALL, activeAfter: $since}) {
        totalCount hidden { archived subagents } pageInfo { hasNextPage endCursor }
        nodes { id displayTitle source lastActiveAt messageCount cost { usd } usage { totalTokens } }
      }
    }"""
PAGE = """
    query ($id: ID!, $before: String) {
      conversation(id: $id) {
        messages(last: 50, before: $before) {
          totalCount pageInfo { hasPreviousPage startCursor }
          nodes { id role content toolCalls { name } }
        }
      }
    }"""
LINEAGE = "query ($id: ID!) { conversation(id: $id) { lineage { totalCount nodes { session { id title kind } } } } }"
SEARCH = """
    query ($text: String!) { search(text: $text, first: 20) { totalCount degraded edges { node { snippet } } } }
"""
OUTLINE = (
    "query ($id: ID!, $find: String) { conversation(id: $id) { outline(find: $find) { messageCount truncated } } }"
)
USAGE = "{ usage(by: [MODEL, DAY]) { rows { usage { totalTokens } cost { usd } } } }"


class Reader:
    """Turns from one question to the next; of long lists and transcripts it reads on where it was."""

    def __init__(self) -> None:
        self._after: str | None = None
        self._since = datetime.now(UTC)
        self._before: dict[str, str | None] = {}

    def turn(self, program: Program, number: int) -> None:
        questions: list[Callable[[Program], None]] = [
            self._list,
            partial(self._page, LONG),
            partial(self._page, "foreign-0"),
            self._lineage,
            partial(self._search, WORDS[number % len(WORDS)]),
            self._outline,
            self._usage,
            self._export,
        ]
        questions[number % len(questions)](program)

    def _list(self, program: Program) -> None:
        """Since a moment that is another one each time that the list begins anew."""
        if self._after is None:
            self._since = datetime.now(UTC) - timedelta(days=5000)
        page = program.ask("list", LIST, after=self._after, since=self._since.isoformat())
        assert page["nodes"]
        self._after = page["pageInfo"]["endCursor"] if page["pageInfo"]["hasNextPage"] else None

    def _page(self, id: str, program: Program) -> None:
        page = program.ask("page", PAGE, id=id, before=self._before.get(id))["messages"]
        assert page["nodes"] or self._before.get(id) is None
        self._before[id] = page["pageInfo"]["startCursor"] if page["pageInfo"]["hasPreviousPage"] else None

    def _lineage(self, program: Program) -> None:
        assert program.ask("lineage", LINEAGE, id=CHAIN[0])["lineage"]["totalCount"] == len(CHAIN)

    def _search(self, text: str, program: Program) -> None:
        found = program.ask("search", SEARCH, text=text)
        program.busy["search in part"] += found["degraded"] is not None
        assert found["edges"] or found["degraded"]

    def _outline(self, program: Program) -> None:
        assert program.ask("outline", OUTLINE, id=LONG, find="much")["outline"]["messageCount"] > 0

    def _usage(self, program: Program) -> None:
        assert program.ask("usage", USAGE)["rows"]

    def _export(self, program: Program) -> None:
        assert CHAIN[0].encode() in program.download("export", f"/export/default/{CHAIN[0]}.json")


def readers(ports: list[int]) -> list[Program]:
    """All of them, evenly over the ports; each begins with another question."""
    return [Program(ports[number % len(ports)], PAUSE, shifted(Reader(), number)) for number in range(READERS)]


def shifted(reader: Reader, by: int) -> Callable[[Program, int], None]:
    return lambda program, number: reader.turn(program, number + by)
