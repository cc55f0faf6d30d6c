"""The outline of a transcript: what stands where among all of its messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.serving import Api, Json, Server
from tests.builders import SCHEMA_8, StoreBuilder, T, plan_chain, plan_subagents

OUTLINE = """
    query ($id: ID!, $filter: MessageFilter, $find: String, $fields: [SearchField!], $most: Int) {
      conversation(id: $id) {
        outline(filter: $filter, find: $find, findFields: $fields, maxMarks: $most) {
          messageCount truncated counts { kind count }
          marks { position message kind seam label session timestamp }
        }
        messages(filter: $filter, first: 500) { totalCount nodes { id isError isSummary } edges { seam { kind } } }
      }
    }"""
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 30_000}}


def read(api: Api, id: str = "s", **asked: Any) -> tuple[Json, Json]:
    """The outline and the messages of the same list."""
    found = api.ask(OUTLINE, id=id, **{"most": 5000, **asked})["conversation"]
    return found["outline"], found["messages"]


def marks(api: Api, id: str = "s", **asked: Any) -> list[tuple[int, str, str | None]]:
    outline, messages = read(api, id, **asked)
    ids = [node["id"] for node in messages["nodes"]]
    assert outline["messageCount"] == messages["totalCount"]
    assert [mark["message"] for mark in outline["marks"]] == [ids[mark["position"]] for mark in outline["marks"]]
    return [(mark["position"], mark["kind"], mark["label"]) for mark in outline["marks"]]


def call(id: str, name: str, arguments: str = "{}") -> Json:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def turns(store: StoreBuilder) -> None:
    store.session("s")
    store.message("s", "user", "  please\n\tlook   at " + "this " * 40, at=T + 1)
    store.message("s", "assistant", "looking", tool_calls=[call("c1", "read_file", '{"path": "größe.txt"}')], at=T + 2)
    store.message("s", "tool", '{"error": "no such file"}', tool_call_id="c1", at=T + 3)
    store.message("s", "tool", '{"output": "fine", "exit_code": 0, "error": null}', tool_name="terminal", at=T + 4)
    store.message("s", "tool", "Error: broken", tool_name="terminal", at=T + 5)
    store.message("s", "user", [IMAGE], at=T + 6)


def test_prompts_and_failed_tools_stand_at_their_places(server: Server) -> None:
    assert marks(server.profile(turns)) == [
        (0, "PROMPT", ("please look at " + "this " * 40)[:80].strip()),
        (2, "ERROR", "read_file"),
        (4, "ERROR", "terminal"),
        (5, "PROMPT", "[image]"),
    ]


def test_places_are_those_of_the_same_filter(server: Server) -> None:
    api = server.profile(turns)
    assert [(at, kind) for at, kind, _ in marks(api, filter={"roles": ["tool"]})] == [(0, "ERROR"), (2, "ERROR")]
    assert [(at, kind) for at, kind, _ in marks(api, filter={"errorsOnly": True})] == [(0, "ERROR"), (1, "ERROR")]
    assert marks(api, filter={"roles": ["nobody"]}) == []
    assert marks(api, filter={"states": []}) == []


def test_errors_are_those_of_the_filter_and_of_the_messages(server: Server) -> None:
    contents = (
        '{"exit_code": 1, "output": "' + "x" * 30_000 + '"}',
        '{"output": "' + "x" * 300_000 + '", "error": "too late"}',
        "error " + "日本語 " * 40_000,
        [{"type": "text", "text": '{"success": false}'}],
        [{"type": "text", "text": "fine"}, {"type": "text", "text": "Traceback (most recent call last)"}],
        [{"type": "text", "text": "x" * 700_000}],
        "\x00json:[broken",
        "\x00",
        None,
        "",
        17,
        b"Error \xff\x00 in bytes",
        '{"error": "\x00"}',
        '{"ok": false}',
    )

    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for content in contents:
            store.message("s", "tool", content)
            store.message("s", "assistant", content)
        store.message("s", "tool")
        store.sql("UPDATE messages SET content = CAST(x'4572726f72ff41c328' AS TEXT) WHERE id = last_insert_rowid()")

    api = server.profile(fill)
    outline, messages = read(api)
    said = [node["id"] for node in messages["nodes"] if node["isError"]]
    assert len(said) == 8
    assert [mark["message"] for mark in outline["marks"] if mark["kind"] == "ERROR"] == said
    filtered = read(api, filter={"errorsOnly": True})[1]
    assert [node["id"] for node in filtered["nodes"]] == said


def test_hits_are_in_contents_and_calls_and_not_in_reasoning(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        turns(store)
        store.message("s", "assistant", "no", reasoning="GRÖSSE")
        store.message("s", "assistant", [{"type": "text", "text": "die Grösse"}, IMAGE])

    api = server.profile(fill)
    assert [(at, kind) for at, kind, _ in marks(api, find="GRÖSSE") if kind == "HIT"] == [(1, "HIT"), (7, "HIT")]
    kept = read(api, filter={"text": "GRÖSSE"})[1]["nodes"]
    outline, messages = read(api, find="GRÖSSE")
    ids = [messages["nodes"][mark["position"]]["id"] for mark in outline["marks"] if mark["kind"] == "HIT"]
    assert ids == [node["id"] for node in kept]
    assert not [mark for mark in marks(api, find="") if mark[1] == "HIT"]
    assert not [mark for mark in marks(api, find="%") if mark[1] == "HIT"]


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        (None, [0, 1, 2, 3]),
        (["CONTENT", "TOOL"], [0, 1, 2, 3]),
        (["CONTENT"], [0, 3]),
        (["TOOL"], [1, 2]),
        (["REASONING"], [3, 4, 5, 6]),
        (["CONTENT", "REASONING"], [0, 3, 4, 5, 6]),
        (["CONTENT", "TOOL", "REASONING"], [0, 1, 2, 3, 4, 5, 6]),
        (["ID", "TITLE"], []),
        ([], []),
    ],
)
def test_hits_are_looked_for_where_search_would_look(
    server: Server, fields: list[str] | None, places: list[int]
) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", title="Größe")
        store.message("s", "user", "die Größe")
        store.message("s", "assistant", "ascii", tool_calls=[call("c1", "ls", '{"path": "gr\\u00f6\\u00dfe"}')])
        store.message("s", "tool", "die Größe", tool_call_id="c1")
        store.message("s", "assistant", "die Größe", reasoning="Die GRÖSSE.")
        store.message("s", "assistant", "two", reasoning=b"\xff gr\xc3\xb6sse \x00")
        store.message("s", "assistant", "three", reasoning=" ", reasoning_content="die Größe")
        store.message("s", "assistant", "four", reasoning_details=json.dumps([{"text": "Größe"}]))
        store.message("s", "assistant", "none", reasoning="nothing")

    found = marks(server.profile(fill), find="grösse", fields=fields)
    assert [at for at, kind, _ in found if kind == "HIT"] == places


def test_seams_summaries_and_subagents_of_several_segments(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        plan_chain(store)
        plan_subagents(store)
        store.message("sub2", "user", "count the papers")
        store.message("d1", "user", "one", at=T + 1)
        store.message("d2", "user", "[CONTEXT COMPACTION] of one", at=T + 100)
        store.message("d2", "assistant", "two", at=T + 110)
        store.message("d2", "user", "three", at=T + 130)
        store.message("d3", "assistant", " \n[CONTEXT SUMMARY] of two", at=T + 200)
        store.message("d3", "user", "taken back", at=T + 201, active=0)
        store.message("d3", "user", "four", at=T + 230)

    api = server.profile(fill)
    outline, messages = read(api, "d3")
    assert [(mark["position"], mark["kind"], mark["label"], mark["session"]) for mark in outline["marks"]] == [
        (0, "PROMPT", "one", None),
        (1, "SEAM", "Compressed, and continued in the next session", "d2"),
        (1, "SUMMARY", "[CONTEXT COMPACTION] of one", None),
        (2, "SUBAGENT", "count the papers", "sub2"),
        (3, "PROMPT", "three", None),
        (4, "SEAM", "Compressed, and continued in the next session", "d3"),
        (4, "SUMMARY", "[CONTEXT SUMMARY] of two", None),
        (4, "SUBAGENT", "cli · 2025-06-15 15:10", "sub1"),
        (5, "PROMPT", "four", None),
    ]
    starts = {mark["session"]: mark["timestamp"] for mark in outline["marks"] if mark["session"]}
    assert starts["sub2"] == "2025-06-15T15:08:40.000000Z"
    assert starts["d2"] == "2025-06-15T15:08:20.000000Z"
    assert [node["isSummary"] for node in messages["nodes"]] == [False, True, False, False, True, False]
    assert outline["counts"] == [
        {"kind": "SEAM", "count": 2},
        {"kind": "SUMMARY", "count": 2},
        {"kind": "PROMPT", "count": 3},
        {"kind": "SUBAGENT", "count": 2},
    ]
    alone = api.ask('{ session(id: "d2") { outline { messageCount marks { position kind session } } } }')["session"]
    assert alone["outline"]["messageCount"] == 3
    assert {"position": 1, "kind": "SUBAGENT", "session": "sub2"} in alone["outline"]["marks"]


def test_every_seam_of_the_transcript_is_marked(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", parent="gone")
        store.message("s", content="carried", at=T + 1, active=0, compacted=1)
        store.message("s", content="left", at=T + 2, active=0, compacted=1)
        store.message("s", content="carried", at=T + 1)
        store.message("s", "assistant", "rewound", active=0)
        store.message("s", content="after", at=T + 3)

    api = server.profile(fill)
    for states in (None, ["LIVE"], ["COMPACTED"], ["LIVE", "COMPACTED", "REWOUND"], ["REWOUND"]):
        outline, messages = read(api, filter={"states": states})
        seams = {mark["position"]: mark["seam"] for mark in outline["marks"] if mark["kind"] == "SEAM"}
        shown = {at: edge["seam"]["kind"] for at, edge in enumerate(messages["edges"]) if edge["seam"]}
        assert seams == shown
        assert len(messages["nodes"]) == outline["messageCount"]
        assert shown[0] == "REMOVED"
    assert {1: "COMPACTION"}.items() <= {mark[0]: "COMPACTION" for mark in marks(api) if mark[1] == "SEAM"}.items()


def test_a_summary_is_known_by_its_column_whatever_it_says_and_whoever_says_it(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for role in ("assistant", "user", "tool", "system"):
            store.message("s", role, "so far, so good", _compressed_summary=1)
            store.message("s", role, "so far, so good", _compressed_summary=0)

    outline, messages = read(server.profile(fill, schema30=True))
    said = [node["id"] for node in messages["nodes"] if node["isSummary"]]
    assert len(said) == 4
    assert [mark["message"] for mark in outline["marks"] if mark["kind"] == "SUMMARY"] == said


def test_what_hermes_hides_is_no_prompt(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="said")
        store.message("s", content="hidden", display_kind="Hidden_note")
        store.message("s", content="stands for others", _compressed_summary=1)

    assert marks(server.profile(fill, schema30=True)) == [
        (0, "PROMPT", "said"),
        (2, "SEAM", "Compacted in place"),
        (2, "SUMMARY", "stands for others"),
    ]


def test_cells_that_hermes_would_never_write(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.session("odd", parent="s", delegate_from="s", start="soon", title="\x00\u202e<b>")
        store.message("s", content="\x00json:[broken", at="text")
        store.message("s", content=b"\xff\x00\xc3(", at=5.49e246)
        store.message("s", content=17, at=-1)
        store.message("s", content=None, at=float("inf"))
        store.message("s", "tool", "error", tool_name=b"\xff\x00", tool_call_id=3, tool_calls="not json")
        store.message("s", content=[{"type": "text", "text": "long " * 9_000}, IMAGE])
        store.message("s", content=[IMAGE, {"type": "text", "text": "too late"}])
        store.sql("UPDATE messages SET role = CAST(x'ff41' AS TEXT) WHERE id = (SELECT max(id) FROM messages)")
        store.message("s", content=[IMAGE, {"type": "text", "text": 'quoted \\" and "then" 日本'}])

    api = server.profile(fill)
    outline, _ = read(api, find="json")
    assert outline["messageCount"] == 8
    assert "\x00" not in json.dumps(outline, ensure_ascii=False)
    labels = {mark["position"]: mark["label"] for mark in outline["marks"] if mark["kind"] == "PROMPT"}
    assert labels[2] == "17"
    assert labels[3] is None
    assert labels[5] == ("long " * 16).strip()
    assert labels[7] == "[image]"
    assert {mark["timestamp"] for mark in outline["marks"] if mark["position"] < 4} == {None}
    assert [mark["position"] for mark in outline["marks"] if mark["kind"] == "SUBAGENT"] == [7]
    assert [mark["position"] for mark in outline["marks"] if mark["kind"] == "HIT"] == [0, 4]


def test_stores_without_newer_columns_have_outlines_too(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="hello")
        store.message("s", "tool", "error", tool_name="run")

    api = server.profile(fill, columns=SCHEMA_8)
    assert marks(api) == [(0, "PROMPT", "hello"), (1, "ERROR", "run")]
    assert marks(api, find="hello", fields=["CONTENT", "REASONING"])[1] == (0, "HIT", None)


def test_more_marks_than_asked_for_are_thinned_and_it_is_said(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for number in range(40):
            store.message("s", content=f"prompt {number}")
        store.message("s", "tool", "error")

    api = server.profile(fill)
    outline, _ = read(api, most=5)
    assert outline["truncated"]
    assert [mark["position"] for mark in outline["marks"]] == [0, 13, 26, 39, 40]
    assert outline["counts"] == [{"kind": "PROMPT", "count": 40}, {"kind": "ERROR", "count": 1}]
    assert not read(api, most=41)[0]["truncated"]


@pytest.mark.parametrize("most", [0, -1, 20_001])
def test_the_number_of_marks_has_bounds(server: Server, most: int) -> None:
    api = server.profile(turns)
    assert api.refusal(OUTLINE, id="s", most=most).code == "BAD_USER_INPUT"


def test_outlines_of_a_whole_list_are_refused_as_too_expensive(server: Server) -> None:
    api = server.profile(turns)
    refusal = api.refusal("{ conversations { nodes { outline { marks { position } } } } }")
    assert refusal.code == "QUERY_TOO_EXPENSIVE"
    assert api.ask("{ conversations { nodes { outline(maxMarks: 20) { messageCount } } } }")
