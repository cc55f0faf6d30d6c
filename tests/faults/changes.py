"""One change of every kind, each of a session that is there for it, and all that it could leave behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.api import test_bulk as bulk
from tests.api.dumps import dump
from tests.api.serving import Api, Json
from tests.api.shaping import append, create, fork, mutate
from tests.api.test_actions import archive, delete
from tests.api.test_restoring import BIN, restore
from tests.builders import StoreBuilder, T
from tests.faults.served import NEIGHBOUR, rename
from tests.importing import moving

LONG_TEXT = "a long story " * 10_000
"""Nothing that is as long as this fits into what is left of a disk, or in few pages of a log."""


def _rename(api: Api) -> Json:
    return rename(api, "named", "A better name")


def _archive(api: Api) -> Json:
    return archive(api, "filed")


def _delete(api: Api) -> Json:
    return delete(api, "doomed", exact=True)


def _restore(api: Api) -> Json:
    [entry] = [each["binId"] for each in api.ask(BIN)["bin"] if each["sessionIds"] == ["binned"]]
    return restore(api, entry)


def _prune(api: Api) -> Json:
    return bulk.prune(api, olderThanDays=30, filter={"ids": ["old-1", "old-2"]})


def _create(api: Api) -> Json:
    return create(api, id="made", source="cli", systemPrompt=LONG_TEXT[:30_000])


def _append(api: Api) -> Json:
    return append(api, "spoken", {"role": "user", "content": LONG_TEXT, "clientId": "c1"})


def _fork(api: Api) -> Json:
    return fork(api, "told", newId="branch")


def _use(api: Api) -> Json:
    return mutate(api, "recordUsage", id="used", model="m", inputTokens=7)


def _end(api: Api) -> Json:
    return mutate(api, "endSession", id="open")


def _import(api: Api) -> Json:
    return moving.import_into(api, json.dumps(moving.exact(moving.session("brought", moving.message(LONG_TEXT)))))


CHANGES: Mapping[str, Callable[[Api], Json]] = {
    "rename": _rename,
    "archive": _archive,
    "delete": _delete,
    "restore": _restore,
    "prune": _prune,
    "create": _create,
    "append": _append,
    "fork": _fork,
    "recordUsage": _use,
    "endSession": _end,
    "import": _import,
}
OF_BIN = ("delete", "prune")
"""Those that write to the bin before they write to the store."""


def ready_for_changes(store: StoreBuilder) -> None:
    for id in ("named", "filed", "doomed", "binned", "old-1", "old-2", "used"):
        store.session(id, start=T, end=T + 60, end_reason="cli_close", title=f"Title of {id}")
        store.message(id, content=f"words of {id}", at=T + 1)
    for id in ("spoken", "told", "open"):
        store.session(id, start=T)
    for id in ("doomed", "binned", "old-1", "told"):
        store.message(id, content=LONG_TEXT, at=T + 2)
        store.usage(id, cost=0.1)


def prepared(api: Api) -> None:
    """Something is in the bin, so that it can be restored."""
    assert delete(api, "binned", exact=True)["userErrors"] == []


def steady(store: StoreBuilder) -> None:
    store.session("steady", start=T, end=T + 60, end_reason="cli_close")
    store.message("steady", content="steady words", at=T + 1)


PROFILES = {NEIGHBOUR: steady}


def everything(api: Api, path: Path) -> object:
    """All that a change could have left: rows of the store, and what the bin lists. The log is empty after it, so that
    every change needs space."""
    with StoreBuilder(path) as store:
        assert store.sql("PRAGMA quick_check") == [("ok",)]
        store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return dump(store), api.ask(BIN)["bin"]
