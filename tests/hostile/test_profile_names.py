"""Names of profiles that try to be paths, devices or other names: refused wherever one is given, and no file made."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from hermes_sessions.cli import main
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.ids import profile_name
from hermes_sessions.profile_directories import is_device
from hermes_sessions.settings import read_settings
from hermes_sessions.store_values import StoreStatus
from tests.api.serving import Server, serving
from tests.builders import StoreBuilder, full_plan, home_with, store_path
from tests.web.serving import BEARER

REFUSED = {
    "parent": "..",
    "here": ".",
    "parents": "../../outside",
    "sibling": "beta/../../outside",
    "inside": "beta/../beta",
    "absolute": "/etc/passwd",
    "backslash": "..\\..\\outside",
    "drive": "c:\\outside",
    "drive alone": "c:",
    "share": "\\\\host\\share",
    "encoded": "%2e%2e%2foutside",
    "encoded twice": "%252e%252e",
    "overlong utf-8": "\u00c0\u00ae\u00c0\u00ae",
    "nul": "beta\x00",
    "newline within": "be\nta",
    "escape": "beta\x1b[2J",
    "long": "a" * 65,
    "very long": "a" * 10_000,
    "full width": "\uff42eta",
    "cyrillic": "b\u0435ta",
    "kelvin": "\u212aelvin",
    "dotless": "b\u0131ta",
    "slash look-alike": "..\u2215outside",
    "bidi": "\u202ebeta",
    "zero width": "be\u200bta",
    "combining": "be\u0301ta",
    "no-break space": "\u00a0beta",
    "trailing dot": "beta.",
    "hidden": ".hidden",
    "stream": "beta::$DATA",
    "home": "~",
    "glob": "*",
    "option": "-beta",
    "blank": "   ",
    "surrogate": "\udc80",
}
SENDABLE = {name: text for name, text in REFUSED.items() if name != "surrogate"}
DEVICES = ["con", "prn", "aux", "nul", "com1", "com9", "lpt1", "CON", "Nul"]
LIST = "{ conversations { nodes { id } } }"
LIST_OF = "query ($name: String!) { sessions(first: 1, profile: $name) { nodes { id } } }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("names")
    home = home_with(folder / "home", default=full_plan, beta=full_plan)
    home_with(folder / "outside", default=full_plan)
    for name in ("Upper", ".hidden", "beta.", "\uff42eta", "\u212aelvin", "c:"):
        with StoreBuilder(home / "profiles" / name / "state.db") as store:
            full_plan(store)
    with serving(home) as running:
        yield running


def entries(server: Server) -> set[str]:
    found = map(str, server.home.parent.rglob("*"))
    return {path for path in found if "-state" not in path and not path.endswith(("-wal", "-shm"))}


def code_of(server: Server, name: str, where: str) -> str:
    """The code with which the server refuses a name that is given there."""
    query = {"query": LIST}
    with server.served.client() as client:
        match where:
            case "query string":
                answer = client.post("/graphql", params={"profile": name}, json=query)
            case "argument":
                query = {"query": LIST_OF, "variables": {"name": name}}
                answer = client.post("/graphql", json=query)
            case "readiness":
                headers = [("host", "localhost"), *BEARER.items()]
                return server.served.raw("GET", f"/readyz/{quote(name, safe='')}", headers).code
            case "export":
                headers = [("host", "localhost"), *BEARER.items()]
                return server.served.raw("GET", f"/export/{quote(name, safe='')}/d1.json", headers).code
            case "import":
                text = 'mutation ($name: String!) { importSessions(input: {profile: $name, document: "[]"})'
                body = {"query": f"{text} {{ userErrors {{ code }} }} }}", "variables": {"name": name}}
                return str(client.post("/graphql", json=body).json()["data"]["importSessions"]["userErrors"][0]["code"])
            case "websocket":
                return over_websocket(server, name)
    return str(answer.json()["errors"][0]["extensions"]["code"])


def over_websocket(server: Server, name: str) -> str:
    address = server.served.url.replace("http", "ws", 1)
    with connect(f"{address}/graphql", subprotocols=[Subprotocol("graphql-transport-ws")]) as talk:
        payload = {"Authorization": BEARER["authorization"], "X-Hermes-Profile": name}
        talk.send(json.dumps({"type": "connection_init", "payload": payload}))
        assert json.loads(talk.recv())["type"] == "connection_ack"
        talk.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": LIST}}))
        said = json.loads(talk.recv())
    errors = said["payload"] if said["type"] == "error" else said["payload"]["errors"]
    return str(errors[0]["extensions"]["code"])


@pytest.mark.parametrize("where", ["query string", "argument", "readiness", "export", "import", "websocket"])
@pytest.mark.parametrize("name", SENDABLE)
def test_it_is_refused_wherever_a_request_can_name_it(server: Server, name: str, where: str) -> None:
    before = entries(server)
    code = code_of(server, REFUSED[name], where)
    # An address whose name holds a slash or a line break is no address of an export or of a profile.
    others = {"NOT_FOUND", "PROFILE_NOT_FOUND"} if where in ("export", "readiness") else set()
    assert code in {"BAD_USER_INPUT"} | others
    assert entries(server) == before


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_no_name_of_a_profile(name: str) -> None:
    with pytest.raises(HermesSessionsError, match="A profile's name"):
        profile_name(REFUSED[name])
    with pytest.raises(HermesSessionsError, match="--profile cannot be this value"):
        read_settings({"profile": (f"{REFUSED[name]}=postgresql://a@b/c",)}, {})


def run(server: Server, *arguments: str) -> Result:
    state = str(server.home.parent / "cli-state")
    variables = {"HERMES_SESSIONS_STATE_DIR": state, "HERMES_SESSIONS_PROFILE": None, "HERMES_HOME": None}
    return CliRunner().invoke(main, [*arguments, "--home", str(server.home)], env=variables)


@pytest.mark.parametrize("name", SENDABLE)
def test_it_is_refused_by_every_command_that_takes_one(server: Server, name: str) -> None:
    file = server.home.parent / "file.jsonl"
    file.write_text('{"id": "x", "started_at": 1, "messages": []}\n')
    before = entries(server)
    given = f"--profile={REFUSED[name]}"
    for arguments in (
        ("export", "d1", given),
        ("import", str(file), given),
        ("doctor", given),
        ("copy", f"--from={REFUSED[name]}", "--to=beta", "--all"),
        ("copy", "--from=beta", f"--to={REFUSED[name]}", "--all"),
    ):
        done = run(server, *arguments)
        assert done.exit_code in (1, 2), arguments
        assert "A profile's name is 1 to 64 letters" in done.output, done.output
    assert entries(server) == before


def test_directories_with_such_names_are_no_profiles(server: Server) -> None:
    listed = server.api().ask("{ profiles { name status } }")["profiles"]
    assert [each["name"] for each in listed] == ["default", "beta"]
    assert {each["status"] for each in listed} == {StoreStatus.READY.name}


def test_a_directory_named_default_is_not_the_default_profile(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=full_plan)
    with StoreBuilder(home / "profiles" / "default" / "state.db") as store:
        store.session("hidden-behind")
    with serving(home) as running:
        assert running.api().ask("{ profiles { name } }") == {"profiles": [{"name": "default"}]}
        assert running.api().ask('{ session(id: "hidden-behind") { id } }') == {"session": None}


@pytest.mark.parametrize("name", DEVICES)
def test_a_name_of_a_device_is_a_profile_where_there_are_no_devices(server: Server, name: str) -> None:
    assert is_device(name.lower(), "nt")
    assert not is_device(name.lower(), "posix")
    assert server.api(name).refusal(LIST).code == "PROFILE_NOT_FOUND"
    assert run(server, "export", "d1", "--profile", name).exit_code == 1
    assert not os.path.lexists(store_path(server.home, name.lower()))


def test_only_whole_names_are_devices() -> None:
    assert not any(is_device(name, "nt") for name in ("console", "com", "com10", "null", "aux1", "beta"))
