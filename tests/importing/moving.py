"""Exports, imports and copies as people do them: by the command in a process of its own, and through the API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.api.serving import Api, Json
from tests.builders import store_path

ROOT = Path(__file__).parents[2]

IMPORT = """
mutation ($document: String!, $dryRun: Boolean! = false) {
  importSessions(input: {document: $document, dryRun: $dryRun}) {
    importedIds skipped { id code reason } cutLinks { childId parentId reason } warnings
    sessionCount messageCount usageRowCount completed dryRun userErrors { code message path }
  }
}
"""


def command(name: str, *arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "hermes_sessions", name, *arguments],
        env=variables(**environment),
        input=given,
        capture_output=True,
        check=False,
        timeout=120,
    )


def variables(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT / "backend"), "HERMES_SESSIONS_READ_ONLY": "0"} | more


def empty_home(home: Path, *profiles: str) -> Path:
    """A home whose profiles have no store yet."""
    for profile in profiles or ("default",):
        store_path(home, profile).parent.mkdir(parents=True, exist_ok=True)
    return home


def backup(home: Path, target: Path, profile: str = "default") -> dict[str, bytes]:
    """Every conversation of a profile, by file name, without any loss."""
    done = command("export", "--all", "--home", str(home), "--profile", profile, "--output", str(target))
    assert (done.returncode, done.stderr) == (0, b"")
    return {path.name: path.read_bytes() for path in sorted(target.iterdir())}


def bring(home: Path, *arguments: str, status: int = 0, given: bytes = b"") -> Json:
    """`hermes-sessions import` with its answer."""
    done = command("import", "--home", str(home), "--json", *arguments, given=given)
    assert done.returncode == status, done.stderr.decode()
    return dict(json.loads(done.stdout))


def bring_all(home: Path, folder: Path, profile: str = "default", status: int = 0) -> Json:
    return bring(home, "--profile", profile, *map(str, sorted(folder.iterdir())), status=status)


def import_into(api: Api, document: str | bytes | Json | list[Json], **variables: Any) -> Json:
    """`importSessions` of a text, or of values: a list becomes JSON lines."""
    if isinstance(document, bytes):
        document = document.decode()
    if isinstance(document, list):
        document = "\n".join(map(json.dumps, document))
    if isinstance(document, dict):
        document = json.dumps(document)
    return dict(api.ask(IMPORT, document=document, **variables)["importSessions"])


def exact(*sessions: Json) -> Json:
    """A document of our own format."""
    return {"format": "hermes-sessions/1", "profile": "default", "sessions": list(sessions)}


def session(id: str, *messages: Json, **columns: Any) -> Json:
    return {"id": id, "source": "cli", "started_at": 1750000000.0, "messages": list(messages)} | columns


def message(content: Any = "hello", **columns: Any) -> Json:
    return {"role": "user", "content": content, "timestamp": 1750000001.0} | columns
