"""Other servers on the same home, asked in the same run: so far Hermes' own dashboard, where it is installed."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from hermes_sessions.bench.servers import Client, server

# Started without its command line, which would look for other servers of Hermes and offer to end them.
_SERVE = """
import sys
from hermes_cli.web_server import app
import uvicorn
app.state.auth_required = False
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[-1]), log_level="error", access_log=False)
"""


@contextlib.contextmanager
def hermes_dashboard(python: Path, home: Path) -> Iterator[Client]:
    """Hermes' dashboard by a Python that has `hermes-agent` installed. It opens the home's stores as Hermes does."""
    token = secrets.token_urlsafe(16)
    environment = {"HERMES_HOME": str(home.absolute()), "HERMES_DASHBOARD_SESSION_TOKEN": token}
    with server([str(python), "-c", _SERVE], environment, {"authorization": f"Bearer {token}"}) as client:
        yield client
