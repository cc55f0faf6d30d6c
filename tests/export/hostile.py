"""A store whose every text tries to break out of the place that it is shown in."""

from __future__ import annotations

from typing import Any

import httpx

from tests.api.serving import Api, Server
from tests.builders import StoreBuilder, T

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
BREAKOUT = f"``````\n{SCRIPT}\n```\n# no title\n![spy](http://evil.test/x.png)\n[x]: javascript:alert(1)\n~~~\n"
BROKEN = "CAST(x'ff41c328' AS TEXT)"


def hostile(store: StoreBuilder) -> None:
    store.session("bad", source=SCRIPT, title=f"\u202e{SCRIPT}", model=SCRIPT, start=T, cost=1.5)
    call = {"id": "c", "type": "function", "function": {"name": SCRIPT, "arguments": BREAKOUT}}
    store.message("bad", "user", BREAKOUT, at=T + 1)
    store.message("bad", SCRIPT, SCRIPT, at=T + 2, tool_calls=[call])
    store.message("bad", "tool", BREAKOUT + "`" * 9, at=T + 3, tool_call_id="c")
    store.message("bad", "user", "a\x00b\x1b[2Jc\u202ed", at=T + 4)
    store.message("bad", "user", [{"type": "image_url", "image_url": {"url": "http://evil.test/x.png"}}], at=T + 5)
    store.message("bad", "user", "to be spoilt", at=T + 6, active=0, compacted=1)
    store.message("bad", "user", "taken back", at=T + 7, active=0)
    last = store.message("bad", "user", "x", at=T + 8)
    store.sql(f"UPDATE messages SET content = {BROKEN}, token_count = 9e999 WHERE id = ?", (last,))
    store.sql("UPDATE sessions SET estimated_cost_usd = -9e999, cwd = x'00ff', input_tokens = 9007199254740995")
    store.usage("bad", task="title", cost=0.5)


def get(server: Server, api: Api, name: str, **options: Any) -> httpx.Response:
    with server.served.client() as client:
        return client.get(f"/export/{api.profile}/{name}", params=options)
