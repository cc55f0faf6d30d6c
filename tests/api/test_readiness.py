"""Which profiles can be used, as a probe asks: each by itself, and none waits for another."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.api.serving import Server, serving
from tests.builders import home_with, store_path
from tests.web.serving import Answer

PATIENCE = 0.5

pytestmark = pytest.mark.sqlite


def probe(server: Server, address: str) -> Answer:
    with server.served.client() as client:
        response = client.get(address)
    return Answer(response.status_code, response.headers, response.content)


def test_a_sound_profile_an_empty_one_and_a_damaged_one(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=lambda store: store.session("one"), work=lambda store: None)
    (home / "profiles" / "new").mkdir()
    store_path(home, "work").write_bytes(b"no database " * 1000)
    with serving(home) as server:
        everything = probe(server, "/readyz")
        answers = {
            name: probe(server, f"/readyz/{name}") for name in ("default", "new", "work", "nobody", "..%2fx", "New")
        }
    assert {name: answer.status for name, answer in answers.items()} == {
        "default": 200, "new": 200, "work": 503, "nobody": 404, "..%2fx": 404, "New": 200,
    }  # fmt: skip
    assert everything.status == 200
    assert everything.json["profiles"] == [answers[name].json for name in ("default", "new", "work")]
    assert [each["status"] for each in everything.json["profiles"]] == ["READY", "EMPTY", "DAMAGED"]
    assert answers["New"].json == answers["new"].json
    assert answers["nobody"].code == "PROFILE_NOT_FOUND"


def test_a_database_that_does_not_answer_costs_the_others_no_time(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=lambda store: store.session("one"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://hermes:swordfish@127.0.0.1:{silent.getsockname()[1]}/hermes"
        with serving(home, profile=(("team", url),), ready_timeout=PATIENCE) as server:
            everything = probe(server, "/readyz")
            alone = probe(server, "/readyz/team")
            sizes = probe(server, "/metrics").body.decode()
    sound, hanging = everything.json["profiles"]
    assert (everything.status, sound["ready"], hanging["ready"]) == (200, True, False)
    assert (alone.status, alone.json) == (503, hanging)
    assert hanging["reason"] == f"It did not answer within {PATIENCE:g} seconds."
    assert 'hermes_sessions_profile_ready{profile="team"} 0.0' in sizes
    assert f'hermes_sessions_store_bytes{{profile="default"}} {float(store_path(home).stat().st_size)}' in sizes
    assert "swordfish" not in sizes + everything.body.decode()
