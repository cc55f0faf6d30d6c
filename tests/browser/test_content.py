"""What messages hold, in a real browser: hostile text in every column does nothing, tools unfold by their kind."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.test_accessibility import findings
from tests.builders import StoreBuilder

ESC = "\x1b"
HOSTILE = "\n\n".join(
    [
        "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>",
        "<style>*{display:none}</style><iframe srcdoc='<script>alert(4)</script>'></iframe>",
        "[a](javascript:alert(5)) [b](data:text/html,<script>alert(6)</script>) ![c](https://evil.test/pixel.png)",
        "![d](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDcpIi8+)",
        f"{ESC}]8;;https://evil.test{ESC}\\click{ESC}]8;;{ESC}\\ {ESC}[8mhidden{ESC}[0m",
        "turned\u202egpj.exe \u200b\u2066",
        f"{'> ' * 5_000}deep {'*' * 5_000}x",
        "`" * 300 + "{" * 3_000,
    ]
)


def calls(*named: tuple[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{name}-{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(named)
    ]


def write_hostile(store: StoreBuilder) -> None:
    store.session("hostile", title="Hostile", model=HOSTILE[:60])
    for role in ("user", "assistant", "system", "tool", "<img src=x onerror=alert(8)>", "constructor"):
        store.message("hostile", role, HOSTILE, tool_name=HOSTILE, tool_call_id=HOSTILE, finish_reason=HOSTILE)
    store.message("hostile", "assistant", "", reasoning=HOSTILE, reasoning_details=HOSTILE, tool_calls=HOSTILE)
    store.message("hostile", "user", [{"type": HOSTILE, "x": HOSTILE}, {"type": "text", "text": HOSTILE}])
    store.message(
        "hostile",
        "user",
        [{"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDcpIi8+"}}],
    )
    tools = ["terminal", "read_file", "patch", "search_files", "todo", "web_search", "delegate_task", "memory", HOSTILE]
    keys = ("command", "path", "old_string", "new_string", "pattern", "url", "goal", "content", "question", HOSTILE)
    made = calls(*[(tool, dict.fromkeys(keys, HOSTILE)) for tool in tools])
    store.message("hostile", "assistant", HOSTILE, tool_calls=made)
    for call in made:
        fields = ("output", "content", "diff", "matches_text", "summary", "error", HOSTILE)
        answer = dict.fromkeys(fields, HOSTILE) | {
            "todos": [{"content": HOSTILE, "status": HOSTILE}],
            "data": {"web": [{"title": HOSTILE, "url": "javascript:alert(9)", "description": HOSTILE}]},
        }
        store.message("hostile", "tool", json.dumps(answer), tool_call_id=call["id"], tool_name=HOSTILE)


def write_tools(store: StoreBuilder) -> None:
    store.session("tools", title="Tools")
    store.message("tools", "user", "Go on.\n\n```python\ndef due(items):\n    return 1\n```")
    made = calls(
        ("terminal", {"command": "pytest -q"}),
        ("patch", {"mode": "replace", "path": "a.yaml", "old_string": "limit: 3", "new_string": "limit: 5"}),
        ("todo", {"todos": []}),
    )
    store.message("tools", "assistant", "Working.", tool_calls=made, reasoning="I think.")
    todos = [{"id": "1", "content": "Read it", "status": "completed"}, {"id": "2", "content": "Mend it"}]
    answers = [
        {"output": f"{ESC}[31m1 failed{ESC}[0m\n10%\r100%", "exit_code": 1, "error": None},
        {"success": True, "diff": "--- a/a.yaml\n+++ b/a.yaml\n@@ -1 +1 @@\n-limit: 3\n+limit: 5\n"},
        {"todos": todos},
    ]
    for call, answer in zip(made, answers, strict=True):
        store.message("tools", "tool", json.dumps(answer), tool_call_id=call["id"])


@pytest.fixture(scope="module", autouse=True)
def stories(server: Server) -> None:
    with StoreBuilder(server.home / "state.db") as store:
        write_hostile(store)
        write_tools(store)


def open_story(page: Page, server: Server, name: str) -> None:
    page.goto(server.link(f"/p/default/c/{name}"))
    page.get_by_role("feed").wait_for()


def unfold_all(page: Page) -> None:
    """Unfold from the top to the end: what is out of sight is not mounted."""
    feed = page.get_by_role("feed")
    folded = feed.locator("button[aria-expanded=false]:not([aria-haspopup])")
    for _ in range(80):
        if folded.count():
            folded.first.evaluate("button => button.click()")
            continue
        before = feed.evaluate("feed => [feed.scrollTop, feed.scrollTop += feed.clientHeight - 80]")
        page.wait_for_timeout(150)
        if before[0] == feed.evaluate("feed => feed.scrollTop") and not folded.count():
            return


def test_hostile_text_in_every_column_does_nothing(page: Page, server: Server) -> None:
    open_story(page, server, "hostile")
    unfold_all(page)
    feed = page.get_by_role("feed")
    expect(feed).to_be_visible()
    assert feed.locator("script, style, iframe, object, embed, [onerror], [onload]").count() == 0
    assert feed.locator("a[href^='javascript'], a[href^='data'], img").count() == 0


def test_the_stored_row_of_a_message_is_shown_when_asked_for(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    first = page.get_by_role("article").first
    first.hover()
    first.get_by_role("button", name="What to do with this message").click()
    page.get_by_role("menuitem", name="Show the stored row").click()
    expect(first.get_by_text('"session_id"')).to_be_visible()


def test_a_message_is_copied_as_markdown_with_its_tools(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    article = page.get_by_role("article").nth(1)
    article.hover()
    article.get_by_role("button", name="What to do with this message").click()
    page.get_by_role("menuitem", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied as Markdown")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "```sh\npytest -q\n```" in copied
    assert "1 failed\n100%" in copied


def test_code_gets_its_colours_without_moving(page: Page, server: Server) -> None:
    open_story(page, server, "tools")
    code = page.get_by_role("article").first.locator("pre")
    before = code.bounding_box()
    expect(code.locator("[data-look=keyword]").first).to_have_text("def")
    assert code.bounding_box() == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tools_unfold_by_their_kind(page: Page, server: Server, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_story(page, server, "tools")
    unfold_all(page)
    feed = page.get_by_role("feed")
    expect(feed.get_by_text("exit 1")).to_be_visible()
    expect(feed.locator("[data-look=red]")).to_have_text("1 failed")
    expect(feed.locator("[data-change=removed]")).to_contain_text("limit: 3")
    expect(feed.locator("[data-change=added] [data-look~=changed]")).to_have_text("5")
    expect(feed.get_by_role("listitem").filter(has_text="Read it")).to_contain_text("done")
    assert findings(page) == {}
