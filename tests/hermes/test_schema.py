"""A store that we make is the store that Hermes makes."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.stores.create import create_store, new_store
from tests.builders import StoreBuilder
from tests.hermes.process import HermesProcess


def shape(path: Path) -> dict[tuple[str, str], Any]:
    """Everything in a store's schema by type and name: columns, keys, index columns, trigger text."""
    with StoreBuilder(path) as store:

        def detail(kind: str, name: str, text: str) -> Any:
            if kind == "table":
                return [store.sql(f"PRAGMA {pragma}({name})") for pragma in ("table_xinfo", "foreign_key_list")]
            if kind == "index":
                return (
                    store.sql(f"PRAGMA index_xinfo({name})"),
                    "UNIQUE" in (text or ""),
                    (text or "").partition("WHERE")[2],
                )
            return "".join(text.split())

        objects = store.sql("SELECT type, name, sql FROM sqlite_schema")
        return {(kind, name): detail(kind, name, text) for kind, name, text in objects}


def test_our_schema_equals_the_one_of_hermes(hermes: HermesProcess, tmp_path: Path) -> None:
    hermes.open(tmp_path / "theirs.db")
    hermes.close()
    create_store(tmp_path / "ours.db")
    assert shape(tmp_path / "ours.db") == shape(tmp_path / "theirs.db")


def test_hermes_opens_our_store_without_changing_anything(hermes: HermesProcess, tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with new_store(path) as store:
        store.insert("sessions", {"id": "s1", "source": "cli", "started_at": 1.0})
        store.insert("messages", {"session_id": "s1", "role": "user", "content": "a lighthouse", "timestamp": 1.0})
    before = path.read_bytes()

    assert hermes.open(path) == 22
    assert hermes.complaints() == []
    assert hermes.sql("SELECT version FROM schema_version") == [[22]]
    assert [hit["session_id"] for hit in hermes.call("search_messages", "lighthouse")] == ["s1"]
    assert hermes.sql("SELECT count(*) FROM messages_fts_trigram('ighthous')") == [[1]]
    hermes.close()
    assert path.read_bytes() == before


def test_a_new_store_is_private_checkpointed_and_in_wal_mode(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "state.db"
    create_store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["state.db"]
    assert path.read_bytes()[18:20] == b"\x02\x02"


def test_an_existing_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_text("mine")
    with pytest.raises(HermesSessionsError, match="exists already"):
        create_store(path)
    assert path.read_text() == "mine"


def test_a_store_that_could_not_be_filled_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(apsw.SQLError), new_store(tmp_path / "state.db") as store:
        store.insert("no_such_table", {"id": "s1"})
    assert list(tmp_path.iterdir()) == []
