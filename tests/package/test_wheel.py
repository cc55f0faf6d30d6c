"""The wheel alone is a working server, with dashboard and GraphiQL inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh virtual environment that has the wheel and nothing of the source tree."""
    venv = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    pip = [str(venv / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", str(ROOT / "requirements.lock"), str(wheel)], check=True)
    return venv / "bin" / "hermes-sessions"


@pytest.fixture
def server(installed: Path, tmp_path: Path) -> Iterator[str]:
    home = tmp_path / "home"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    subprocess.run([str(installed), "demo", str(home), "--sessions", "20"], check=True, cwd=tmp_path, env=environment)
    serve = [str(installed), "serve", "--home", str(home), "--port", "0", "--no-auth", "--no-open"]
    with subprocess.Popen(serve, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline().split()
        assert ready[:1] == ["READY"]
        yield ready[1]
        process.terminate()


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as response:
        return str(response.read().decode())


def test_the_wheel_carries_the_licence_and_nothing_of_the_sources_of_the_dashboard(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith("LICENSE") for name in names)
    assert [name for name in names if name.endswith((".tsx", ".ts"))] == []


def test_an_installed_wheel_serves_dashboard_graphiql_and_api(server: str) -> None:
    assert "<div id=" in get(f"{server}/")
    assert "GraphiQL" in get(f"{server}/graphiql")
    body = json.dumps({"query": "{ server { version } conversations { totalCount } }"}).encode()
    request = urllib.request.Request(f"{server}/graphql", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as response:
        data = json.load(response)["data"]
    assert data["server"]["version"] == "0.1.0"
    assert data["conversations"]["totalCount"] > 0
