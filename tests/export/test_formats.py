"""What the four formats hold, of plain stores and of hostile ones."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from hermes_sessions.model.export.markdown import fenced, prose
from tests.api.dumps import KEYS
from tests.api.serving import Server, serving
from tests.builders import StoreBuilder, T, full_plan
from tests.export.hostile import SCRIPT, get, hostile


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("export") / "home") as running:
        yield running


def cell(value: Any) -> tuple[str, Any]:
    """The type and the bytes that an exported cell stands for."""
    if isinstance(value, dict):
        [(kind, written)] = value.items()
        return (kind, float(written)) if kind == "real" else (kind, base64.b64decode(written))
    kinds = {type(None): "null", int: "integer", float: "real", str: "text"}
    return kinds[type(value)], value.encode() if isinstance(value, str) else value


def stored(store: StoreBuilder, table: str) -> list[dict[str, tuple[str, Any]]]:
    names = sorted(store.columns(table))
    picked = ", ".join(
        f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names
    )
    rows = store.sql(f"SELECT {picked} FROM {table} ORDER BY {KEYS[table]}")
    return [{name: (row[2 * at], row[2 * at + 1]) for at, name in enumerate(names)} for row in rows]


def test_json_holds_every_cell_of_every_row_exactly(server: Server) -> None:
    api = server.profile(hostile)
    answer = get(server, api, "bad.json")
    assert answer.headers["content-type"] == "application/json"
    export = answer.json()
    assert (export["format"], export["profile"]) == ("hermes-sessions/1", api.profile)
    [session] = export["sessions"]
    usage, messages = session.pop("usage"), session.pop("messages")
    exported = {"sessions": [session], "session_model_usage": usage, "messages": messages}
    with api.store() as store:
        for table, rows in exported.items():
            assert [{name: cell(value) for name, value in row.items()} for row in rows] == stored(store, table), table
    assert len(messages) == 8


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def test_html_of_a_hostile_store_has_no_tag_that_is_not_ours(server: Server) -> None:
    answer = get(server, server.profile(hostile), "bad.html")
    page = Page(answer.text)
    assert not page.tags & {"script", "img", "a", "iframe", "link", "object", "svg"}
    assert {name for name, _ in page.attributes} <= {"lang", "charset", "http-equiv", "content", "name", "dir", "class"}
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", answer.text)
    assert SCRIPT.replace("<", "&lt;").replace(">", "&gt;") in answer.text


def test_html_allows_nothing_but_its_own_style_and_pictures_in_the_file(server: Server) -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="

    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for url in (picture, "data:image/svg+xml;base64,PHN2Zz4="):
            store.message("s", "user", [{"type": "image_url", "image_url": {"url": url}}])

    answer = get(server, server.profile(fill), "s.html")
    [style] = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:")
    assert ("content", policy) in Page(answer.text).attributes
    assert [value for name, value in Page(answer.text).attributes if name == "src"] == [picture]


def outside_fences(markdown: str) -> str:
    """What a reader of Markdown takes for text, by the rule for fences of CommonMark."""
    kept: list[str] = []
    fence: str | None = None
    for line in markdown.splitlines():
        run = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence is None and run:
            fence = run[1]
        elif fence is None:
            kept.append(line)
        elif run and run[1].startswith(fence) and line.strip() == run[1]:
            fence = None
    assert fence is None
    return "\n".join(kept)


def test_markdown_of_a_hostile_store_stays_in_its_places(server: Server) -> None:
    answer = get(server, server.profile(hostile), "bad.md")
    text = outside_fences(answer.text)
    assert "<" not in text
    assert "](" not in text
    assert "]:" not in text
    assert "no title" not in [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    assert text.count("\n### ") == 7, "one heading a shown message: the rewound one is not shown"


@pytest.mark.parametrize("code", ["", "```", "a\n``````\nb", "`" * 40])
def test_a_fence_is_longer_than_what_it_holds(code: str) -> None:
    assert outside_fences(fenced(code) + "after").strip() == "after"


@pytest.mark.parametrize("words", ["```py\n<b>\n```\nafter", "```\nopen <b>", "> ```\n> <b>", "~~~\n<b>\n~~~"])
def test_no_html_passes_whatever_fences_a_text_has(words: str) -> None:
    assert "<b>" not in outside_fences(prose(words))


def test_markdown_has_facts_seams_and_both_sides_of_a_call(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        full_plan(store)
        call = {"id": "c1", "type": "function", "function": {"name": "booking", "arguments": '{"to": "Porto"}'}}
        store.message("d1", "assistant", "I book", at=T + 2, tool_calls=[call])
        store.message("d1", "tool", "booked", at=T + 3, tool_call_id="c1")

    text = get(server, server.profile(fill), "d2.md").text
    assert re.findall(r"^## Session (.*)$", text, re.MULTILINE) == ["d1", "d2", "d3"]
    assert text.count("goes on in the next session") == 2
    assert 'Calls booking:\n\n```\n{\n  "to": "Porto"\n}\n```' in text
    assert "```\nbooked\n```" in text
    assert "- Cost: 1.000000 USD" in text


def test_the_scope_decides_which_sessions_are_in(server: Server) -> None:
    api = server.profile(full_plan)

    def ids(scope: str) -> list[str]:
        return [json.loads(line)["id"] for line in get(server, api, "d2.jsonl", scope=scope).text.splitlines()]

    with api.store() as store:
        everything = {row[0] for row in store.sql("SELECT id FROM sessions")}
    assert ids("session") == ["d2"]
    assert ids("conversation") == ["d1", "d2", "d3"]
    assert set(ids("lineage")) <= everything
    assert {"d1", "d2", "d3", "d3s"} < set(ids("lineage"))
