"""Files of all kinds and what is wrong with them, through the API: nothing is written where a file is not good."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import Api, Server
from tests.builders import StoreBuilder, full_plan
from tests.importing.moving import bring, command, empty_home, exact, import_into, message, session


def refused(api: Api, document: Any) -> str:
    """The sentence; nothing came in."""
    done = import_into(api, document)
    [error] = done["userErrors"]
    assert (error["code"], error["path"]) == ("BAD_USER_INPUT", ["input", "document"])
    assert (done["completed"], done["importedIds"]) == (False, [])
    with api.store() as store:
        assert store.sql("SELECT count(*) FROM sessions") == [(0,)]
    return str(error["message"])


@pytest.mark.parametrize(
    "document",
    [
        exact(session("a", message(id=3))),
        [session("a", message())],
        {"sessions": [session("a", message())]},
        {"format": "hermes-sessions/1", "new": [{"x": "]"}], "sessions": [session("a", message())], "left_out": ["b"]},
    ],
    ids=["ours", "lines", "a body", "unknown keys"],
)
def test_each_form_is_read(server: Server, document: Any) -> None:
    done = import_into(server.profile(), document)
    assert (done["importedIds"], done["messageCount"], done["warnings"]) == (["a"], 1, [])


def test_a_file_that_another_program_has_set_anew_is_the_same(server: Server) -> None:
    document = exact(session("a", message('q"]}\\'), message("\x00json:[]"), usage=[], title="T"), session("b"))
    told: list[tuple[Any, Any]] = []
    for text in (
        json.dumps(document, indent=4),
        json.dumps(document, sort_keys=True, separators=(",", ":")),
        "\ufeff" + json.dumps(document, ensure_ascii=False),
        json.dumps([session("a", message('q"]}\\'), message("\x00json:[]"), title="T"), session("b")]),
    ):
        api = server.profile()
        assert import_into(api, text)["importedIds"] == ["a", "b"]
        with api.store() as store:
            sessions = store.sql("SELECT id, title FROM sessions ORDER BY id")
            told.append((sessions, store.sql("SELECT session_id, content FROM messages ORDER BY id")))
    assert told == [told[0]] * 4


def test_what_hermes_has_decoded_is_stored_as_hermes_stores_it(server: Server) -> None:
    api = server.profile()
    parts, calls = [{"type": "text", "text": "é"}], [{"id": "c", "function": {"name": "f"}}]
    import_into(
        api,
        [
            session(
                "a",
                message(parts, tool_calls=calls, reasoning_details=[{"a": 1}], observed=True, token_count=float("inf")),
                message(None, tool_calls=[]),
                model_config={"k": 1},
                last_active=5,
            )
        ],
    )
    with api.store() as store:
        assert store.sql("SELECT content, tool_calls, reasoning_details, observed, token_count FROM messages") == [
            ("\x00json:" + json.dumps(parts), json.dumps(calls), '[{"a": 1}]', 1, float("inf")),
            (None, None, None, 0, None),
        ]
        assert store.sql("SELECT model_config FROM sessions") == [('{"k": 1}',)]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ('{"format": "hermes-sessions/1", "sessions": [\n{"id": "a", "sou', "line 2: The file ends in the middle"),
        (json.dumps(exact(session("a")))[:-2], "the file ends where"),
        (json.dumps(exact(session("a"))) + "}", "line 1: '}' stands where '{' is needed"),
        ("5", "'5' stands where '{' is needed"),
        ("[5]", "'5' stands where '{' is needed"),
        ('{"id": }', "A value is missing here"),
        ('{"id": nul}', "This is no JSON"),
        ('{"id": "a\nb"}', "This is no JSON"),
        ('{"id": "a" "b"}', "stands where '}' is needed"),
        ('{"format": "hermes-sessions/2", "sessions": []}', "The format must be 'hermes-sessions/1'"),
        ('{"sessions": [], "format": "hermes-sessions/1"}', "The format must be 'hermes-sessions/1'"),
        ('{"profile": "x"}', "The file has no sessions"),
        ('{"id": "a", "id": "b"}', "'id' stands twice"),
        (exact(session("a", message(content=["list"]))), "messages[0]: 'content' must be a text, a number"),
        (exact(session("a", message(content={"blob": "no base64"}))), "messages[0]: 'content' must be"),
        (exact(session("a", message(content={"real": "nan"}))), "messages[0]: 'content' must be"),
        (exact(session("a", message(), message(token_count=2**63))), "messages[1]: 'token_count' is a whole number"),
        (exact(session("a", message("\ud800"))), "messages[0]: 'content' holds half of a surrogate pair"),
        (exact(session("a", message(role=None))), "messages[0]: The message has no 'role'"),
        (exact(session("a", usage=[{"task": ""}])), "The usage has no 'model'"),
        (exact(session("a", usage=[7])), "A usage must be an object"),
        ([session("ok"), {"source": "cli", "started_at": 1}], "line 2: The session has no 'id'"),
        ([session("ok"), session("a", source=None)], "line 2: The session has no 'source'"),
        ([session("a") | {"messages": {}}], "The messages of a session must be a list"),
        ([session("a", "text")], "messages[0]: A message must be an object"),
        ("[" * 1_000_000, "where '{' is needed"),
        ('{"id": "a", "x": ' + "[" * 1_000_000, "nested deeper than 400 levels"),
        ('{"id": "a", "x": ' + '{"a":' * 1_000_000, "nested deeper than 400 levels"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(server: Server, document: Any, words: str) -> None:
    assert words in refused(server.profile(), document)


def test_numbers_that_no_parser_takes_are_refused_too(server: Server) -> None:
    text = json.dumps(exact(session("a", message(token_count=1)))).replace(
        '"token_count": 1', f'"token_count": {"9" * 5000}'
    )
    assert "This is no JSON" in refused(server.profile(), text)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    home = empty_home(tmp_path / "home")
    done = command("import", "--home", str(home), "-", given=b'{"id": "\xff"}')
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"Error: stdin, line 1: The text is not UTF-8.\n"
    assert list(home.iterdir()) == []


def test_odd_ids_are_skipped_and_the_others_come_in(server: Server) -> None:
    ids = ["", " ", "a\u0000b", "esc\u001b[2J", "x" * 257, {"text": "/w=="}, "good", "x" * 256, "good"]
    done = import_into(server.profile(), exact(*(session(id) for id in ids)))
    assert done["importedIds"] == ["good", "x" * 256]
    assert [each["code"] for each in done["skipped"]] == ["BAD_USER_INPUT"] * 7
    assert done["completed"]


def test_several_files_are_one_import_and_one_bad_one_stops_all(tmp_path: Path) -> None:
    child, parent, bad = (tmp_path / name for name in ("1-child.json", "2-parent.jsonl", "3-bad.json"))
    child.write_text(json.dumps(exact(session("child", parent_session_id="parent"))))
    parent.write_text(json.dumps(session("parent")))
    bad.write_text('{"sessions": [')
    home = empty_home(tmp_path / "home")
    failed = command("import", "--home", str(home), *map(str, (child, parent, bad)))
    assert (failed.returncode, failed.stdout) == (1, b"")
    assert failed.stderr.startswith(b"Error: 3-bad.json, line 1: the file ends")
    done = bring(home, str(child), "-", given=parent.read_bytes())
    assert (done["importedIds"], done["cutLinks"]) == (["child", "parent"], [])
    with StoreBuilder(home / "state.db") as store:
        assert store.sql("SELECT parent_session_id FROM sessions WHERE id = 'child'") == [("parent",)]


def test_a_row_that_the_store_forbids_costs_its_session_only(server: Server) -> None:
    twice = {"model": "m", "session_id": "a"}
    done = import_into(server.profile(), exact(session("a", message(), usage=[twice, twice]), session("b", message())))
    assert (done["importedIds"], done["messageCount"]) == (["b"], 1)
    assert [(each["id"], each["code"]) for each in done["skipped"]] == [("a", "UNSUPPORTED_STORE")]


def test_the_command_ends_with_1_where_a_session_could_not_come_in(tmp_path: Path) -> None:
    home = empty_home(tmp_path / "home")
    text = json.dumps(exact(session("bad\u001b"), session("good"))).encode()
    done = bring(home, "-", given=text, status=1)
    assert done["importedIds"] == ["good"]
    said = command("import", "--home", str(home), "-", given=text)
    assert said.returncode == 1
    assert b"\x1b" not in said.stdout + said.stderr
    nowhere = command("import", "--home", str(home), str(tmp_path / "nowhere.json"))
    assert b"nowhere.json cannot be read: No such file or directory." in nowhere.stderr


def test_hangers_on_of_the_file_find_parents_in_the_store(server: Server) -> None:
    api = server.profile(full_plan)
    done = import_into(api, [session("late", parent_session_id="d3"), session("d1")])
    assert (done["importedIds"], done["cutLinks"]) == (["late"], [])
    assert [each["id"] for each in done["skipped"]] == ["d1"]
