"""What the real Hermes writes is found, and everything that its own search finds is found."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.api.test_search import STRINGS
from tests.hermes.process import HermesProcess
from tests.stores.opened import opened
from tests.stores.search.asking import found

PLAIN = ["lighthouse", "ferry", "Porto", "booking", "今天讨论"]


def test_whatever_hermes_finds_is_found_and_what_it_misses_too(hermes: HermesProcess, tmp_path: Path) -> None:
    path = tmp_path / "home" / "state.db"
    path.parent.mkdir()
    hermes.open(path)
    hermes.create_session("s")
    literal = hermes.append_message("s", "user", " | ".join(STRINGS))
    hermes.append_message("s", "user", "the lighthouse and the ferry")
    hermes.append_message("s", "user", [{"type": "text", "text": "a ferry to the lighthouse, 今天讨论了"}])
    call = {"id": "c1", "type": "function", "function": {"name": "booking", "arguments": '{"to": "Porto\\nferry"}'}}
    hermes.append_message("s", "assistant", None, tool_calls=[call])
    hermes.append_message("s", "tool", '{"booked": "lighthouse"}', tool_call_id="c1", tool_name="booking")
    theirs = {text: {row["id"] for row in hermes.call("search_messages", text)} for text in [*PLAIN, *STRINGS]}

    async def ask() -> dict[str, set[int]]:
        async with opened(path) as store:
            return {text: await found(store, text) for text in theirs}

    ours = asyncio.run(ask())
    assert all(ours[text] for text in theirs)
    assert {text: theirs[text] - ours[text] for text in theirs if theirs[text] - ours[text]} == {}
    assert all(literal in ours[text] for text in STRINGS)
    assert len([text for text in STRINGS if not theirs[text]]) >= 1
    assert len(ours["ferry"]) > len(theirs["ferry"])
