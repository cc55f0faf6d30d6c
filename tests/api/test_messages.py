"""The cases M1 to M6: what a transcript shows of what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.api.serving import Api, Json, Server
from tests.builders import StoreBuilder, T

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
TRANSCRIPT = """
    query ($filter: MessageFilter) {
      session(id: "s") {
        preview displayTitle lastActiveAt messageCount
        messages(first: 100, filter: $filter) {
          totalCount
          edges {
            seam { kind fromSession { id } toSession { id } }
            node {
              id role state content contentTruncated contentBytes toolCallId toolName timestamp isSummary reasoning raw
              warnings
              parts { __typename ... on TextPart { text } ... on ImagePart { mediaType url bytes }
                      ... on OtherPart { type json } }
              toolCalls { id name arguments argumentsText result { id content } }
            }
          }
        }
      }
    }"""


def call(id: str, name: str, arguments: str = "{}") -> Json:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def read(api: Api, **filter: object) -> Json:
    answer: Json = api.ask(TRANSCRIPT, filter=filter or None)["session"]
    return answer


def nodes(api: Api, **filter: object) -> list[Json]:
    return [edge["node"] for edge in read(api, **filter)["messages"]["edges"]]


def contents(api: Api, **filter: object) -> list[str | None]:
    return [node["content"] for node in nodes(api, **filter)]


def test_M1_structured(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content=[{"type": "text", "text": "look at this"}, IMAGE])

    api = server.profile(fill)
    [message] = nodes(api)
    assert message["content"] == "look at this"
    assert message["parts"] == [
        {"__typename": "TextPart", "text": "look at this"},
        {
            "__typename": "ImagePart",
            "mediaType": "image/png",
            "url": "data:image/png;base64,AAAA",
            "bytes": 3,
        },
    ]
    assert (message["contentBytes"], message["contentTruncated"], message["warnings"]) == (12, False, [])
    assert read(api)["preview"] == "look at this"


def test_M1_structured_content_that_does_not_decode_is_shown_raw(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="\x00json:[broken")

    [message] = nodes(server.profile(fill))
    assert "[broken" in message["content"]
    assert "\x00" not in str(message)
    assert message["warnings"]


def test_M1_a_nul_never_reaches_the_client(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", title="a\x00b")
        store.message("s", content="before\x00after", tool_name="n\x00n", reasoning="r\x00r")
        store.message("s", content=[{"type": "text", "text": "x\x00y"}])

    api = server.profile(fill)
    assert not [text for text in texts(read(api)) if "\x00" in text]
    assert [text.replace("\ufffd", "") for text in contents(api) if text] == ["beforeafter", "xy"]


def texts(value: Any) -> Iterator[str]:
    """All texts of a JSON value, keys included."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from texts(item)
    if isinstance(value, str):
        yield value


def test_M1_a_nul_inside_stored_json_never_reaches_the_client(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", model_config='{"a": "x\\u0000y"}')
        store.message("s", content=[{"type": "text", "text": "x\x00y"}, {"type": "odd", "value": "x\x00y"}])
        store.message("s", "assistant", None, tool_calls=[call("c1", "run", '{"a\\u0000": "x\\u0000y"}')])

    api = server.profile(fill)
    for field in ("content", "parts", "toolCalls", "raw"):
        found = list(texts([node[field] for node in nodes(api)]))
        assert found
        assert not [text for text in found if "\x00" in text], field
    assert "\x00" not in "".join(texts(api.ask('{ session(id: "s") { modelConfig } }')))


def test_M2_image_only_then_text(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content=[IMAGE])
        store.message("s", content="what is\n\n this?")

    assert read(server.profile(fill))["preview"] == "what is this?"


def test_M2_image_only(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content=[IMAGE])

    found = read(server.profile(fill))
    assert (found["preview"], found["displayTitle"]) == ("[image]", "[image]")


def test_M3_the_name_of_a_result_comes_from_the_call(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", "assistant", None, tool_calls=[call("c1", "read_file", '{"path": "a.py"}')])
        store.message("s", "tool", "done", tool_call_id="c1")

    asking, result = nodes(server.profile(fill))
    assert (result["toolCallId"], result["toolName"]) == ("c1", "read_file")
    [made] = asking["toolCalls"]
    assert (made["id"], made["name"], made["arguments"]) == ("c1", "read_file", {"path": "a.py"})
    assert made["result"] == {"id": result["id"], "content": "done"}


def test_M3_tool_calls_that_do_not_parse_are_kept_raw(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", "assistant", "calling", tool_calls="not json")
        store.message("s", "assistant", "again", tool_calls=[call("c2", "run", "not json")])

    broken, half = nodes(server.profile(fill))
    assert (broken["toolCalls"][0]["name"], broken["toolCalls"][0]["argumentsText"]) == (None, "not json")
    assert broken["warnings"]
    assert (half["toolCalls"][0]["name"], half["toolCalls"][0]["argumentsText"]) == ("run", "not json")
    assert half["toolCalls"][0]["arguments"] is None
    assert half["warnings"]


def test_M3_a_result_without_a_call_and_a_call_without_a_result_are_shown(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", "tool", "found on the street", tool_call_id="nobody")
        store.message("s", "assistant", None, tool_calls=[call("c9", "wait")])

    lost, waiting = nodes(server.profile(fill))
    assert (lost["content"], lost["toolCallId"], lost["toolName"]) == ("found on the street", "nobody", None)
    assert (waiting["toolCalls"][0]["name"], waiting["toolCalls"][0]["result"]) == ("wait", None)


def test_M3_an_id_used_again_gets_the_answer_that_follows_it(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        for turn in ("one", "two"):
            store.message("s", "assistant", None, tool_calls=[call("c1", f"tool_{turn}")])
            store.message("s", "tool", f"answer {turn}", tool_call_id="c1")

    first, answer1, second, answer2 = nodes(server.profile(fill))
    assert first["toolCalls"][0]["result"]["content"] == "answer one"
    assert second["toolCalls"][0]["result"]["content"] == "answer two"
    assert (answer1["toolName"], answer2["toolName"]) == ("tool_one", "tool_two")


def test_M4_order_is_by_id(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="first", at=T + 50)
        store.message("s", content="second", at=T + 10)

    api = server.profile(fill)
    assert contents(api) == ["first", "second"]
    assert read(api)["lastActiveAt"] == "2025-06-15T15:07:30.000000Z"


def soft_rows(store: StoreBuilder) -> None:
    store.session("s")
    store.message("s", content="rewound words", active=0, compacted=0)
    store.message("s", content="compacted words", active=0, compacted=1)
    store.message("s", content="live words")


def test_M5_soft_rows(server: Server) -> None:
    api = server.profile(soft_rows)
    assert contents(api) == ["compacted words", "live words"]
    seams = [edge["seam"] for edge in read(api)["messages"]["edges"]]
    assert seams == [None, {"kind": "COMPACTION", "fromSession": {"id": "s"}, "toSession": {"id": "s"}}]
    assert (read(api)["messageCount"], read(api)["preview"]) == (2, "live words")


def test_M5_rewound_rows_come_by_filter_only(server: Server) -> None:
    api = server.profile(soft_rows)
    assert contents(api, states=["REWOUND"]) == ["rewound words"]
    assert contents(api, states=["LIVE", "COMPACTED", "REWOUND"]) == ["rewound words", "compacted words", "live words"]
    assert contents(api, states=["LIVE"]) == ["live words"]
    assert contents(api, text="rewound") == []


def test_M5_a_preview_never_shows_a_rewound_row(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="rewound words", active=0)

    assert read(server.profile(fill))["preview"] is None


def test_M5_a_carried_copy_counts_once(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", content="carried", at=T + 1, active=0, compacted=1)
        store.message("s", content="left", at=T + 2, active=0, compacted=1)
        store.message("s", content="carried", at=T + 1)

    found = read(server.profile(fill))["messages"]
    assert [(edge["node"]["content"], edge["node"]["state"]) for edge in found["edges"]] == [
        ("left", "COMPACTED"),
        ("carried", "LIVE"),
    ]
    assert found["totalCount"] == 2


def test_M6_empty_trap(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("trap", end=T + 10, end_reason="cli_close")
        store.message("trap", content="taken back", active=0)
        store.session("empty", end=T + 10, end_reason="cli_close")

    api = server.profile(fill)
    answer = api.ask("{ conversations(filter: {minMessages: 1}) { totalCount hidden { empty otherFilters } } }")
    assert answer["conversations"] == {"totalCount": 0, "hidden": {"empty": 1, "otherFilters": 1}}


def test_seams_stand_between_the_segments_of_a_conversation(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("a", end=T + 10, end_reason="compression")
        store.session("b", parent="a", start=T + 10)
        for segment in ("a", "b"):
            for number in range(2):
                store.message(segment, content=f"{segment}{number}")

    edges = server.profile(fill).ask(
        """{ conversation(id: "b") { messages { edges {
               node { content session { id } } seam { kind fromSession { id } toSession { id } at }
             } } } }"""
    )["conversation"]["messages"]["edges"]
    assert [edge["node"]["content"] for edge in edges] == ["a0", "a1", "b0", "b1"]
    assert [edge["seam"] for edge in edges] == [
        None,
        None,
        {
            "kind": "CONTINUATION",
            "fromSession": {"id": "a"},
            "toSession": {"id": "b"},
            "at": "2025-06-15T15:06:50.000000Z",
        },
        None,
    ]


def test_reasoning_is_found_wherever_it_is_stored(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s")
        store.message("s", "assistant", "a", reasoning="one", reasoning_content="other")
        store.message("s", "assistant", "b", reasoning_content="two")
        store.message("s", "assistant", "c", reasoning_details='[{"type": "reasoning.text", "text": "three"}]')
        store.message("s", "assistant", "<think>four</think>d")
        store.message("s", "assistant", "e")

    assert [node["reasoning"] for node in nodes(server.profile(fill))] == ["one", "two", "three", "four", None]
