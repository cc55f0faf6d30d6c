"""Sessions for what messages hold: hostile text in every column, and a call of each kind of tool with its result."""

from __future__ import annotations

import json
from typing import Any

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
