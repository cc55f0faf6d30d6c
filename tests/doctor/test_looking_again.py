"""A look without locks during which somebody wrote is thrown away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hermes_sessions import doctor
from hermes_sessions.model.health.examination import Examination
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from tests.builders import StoreBuilder, full_plan, home_with


def look_while_somebody_writes(home: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> Examination:
    """A message is added after each of the first looks."""
    examine = doctor.examine
    writes = iter(range(times))

    async def interrupted(store: Store, *, deep: bool) -> Examination:
        look = await examine(store, deep=deep)
        if next(writes, None) is not None:
            with StoreBuilder(home / "state.db") as agent:
                agent.message("d3")
        return look

    monkeypatch.setattr(doctor, "examine", interrupted)
    settings = Settings(home=home, state_dir=home.with_name("state"))
    [report] = asyncio.run(doctor.diagnose(settings, ["default"], deep=False))
    return report.look


@pytest.mark.parametrize("times", [0, 1, 2])
def test_the_answer_is_of_the_first_look_in_peace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    home = home_with(tmp_path / "home", default=full_plan)
    look = look_while_somebody_writes(home, monkeypatch, times)
    assert look.rows is not None
    assert look.rows.messages == 1 + times


def test_a_store_that_keeps_changing_could_not_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_with(tmp_path / "home", default=full_plan)
    look = look_while_somebody_writes(home, monkeypatch, 100)
    assert look.rows is None
    assert look.refusal is not None
    assert "kept changing" in look.refusal.message
