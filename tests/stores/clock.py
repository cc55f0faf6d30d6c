"""A clock that goes on by days, or is set."""

from __future__ import annotations

import time

import pytest

from hermes_sessions.stores import clock


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._time = time.time
        self._at_start = clock._AT_START
        self._gone = 0.0

    def go_on(self, seconds: float) -> None:
        """Time passes; less than none: a server is started anew with a clock that says less."""
        self._gone += seconds
        self._patch.setattr(clock, "_AT_START", self._at_start + self._gone)
        self.set(0)

    def set(self, seconds: float) -> None:
        """The clock says so much more than it should."""
        self._patch.setattr(time, "time", lambda: self._time() + self._gone + seconds)
