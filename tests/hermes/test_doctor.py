"""Stores that the real Hermes has written have nothing wrong with them."""

from __future__ import annotations

from pathlib import Path

from tests.doctor.looking import report
from tests.hermes.process import HermesProcess


def test_a_store_fresh_from_hermes_has_no_finding_above_a_note(hermes: HermesProcess, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    hermes.open(home / "state.db")
    hermes.create_session("trip", "telegram")
    first = hermes.append_message("trip", "user", "book the ferry")
    hermes.append_message("trip", "assistant", "booked")
    hermes.append_message("trip", "user", "no, wait")
    hermes.call("rewind_to_message", "trip", first + 2)
    hermes.compress("trip", "trip-2")
    hermes.append_message("trip-2", "user", "and back again")

    for state in ("open", "closed"):
        document = report(home, "--deep")
        [found] = document["profiles"]
        assert {each["severity"] for each in found["findings"]} <= {"OK", "NOTE"}, state
        assert document["exitStatus"] == 0
        assert found["facts"]["health"]["schemaVersion"] == 22
        assert {index["state"] for index in found["facts"]["searchIndexes"]} == {"OK"}
        hermes.close() if state == "open" else None


def test_what_taking_back_leaves_is_explained(hermes: HermesProcess, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    hermes.open(tmp_path / "home" / "state.db")
    hermes.create_session("trip", "cli")
    hermes.append_message("trip", "user", "one")
    second = hermes.append_message("trip", "user", "two")
    hermes.call("rewind_to_message", "trip", second)
    [found] = report(tmp_path / "home")["profiles"]
    [miscount] = found["facts"]["sessions"]["miscounts"]
    assert (miscount["counted"], miscount["live"], miscount["rewound"]) == (2, 1, 1)
    assert "COUNTS_OK" in {each["code"] for each in found["findings"]}
