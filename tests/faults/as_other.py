"""`hermes-sessions` as a user who owns no store: python -m tests.faults.as_other COMMAND ...

Python and its packages may lie where this user may not look, so it becomes one when all is read and it begins to serve.
"""

from __future__ import annotations

import contextlib
import encodings
import importlib
import pkgutil
from types import ModuleType
from typing import Any

import anyio
import uvicorn

import hermes_sessions
from hermes_sessions import cli
from tests.stores.as_nobody import become_nobody


def import_all_of(package: ModuleType) -> None:
    """What can be imported here."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(("__main__", "websockets_impl")):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


serve = uvicorn.Server.run


def serve_as_nobody(*args: Any, **options: Any) -> None:
    become_nobody()
    serve(*args, **options)


if __name__ == "__main__":
    for each in (encodings, anyio, uvicorn, hermes_sessions):
        import_all_of(each)
    uvicorn.Server.run = serve_as_nobody  # type: ignore[method-assign]
    cli.main()
