"""How long these tests last."""

from __future__ import annotations

import os

import pytest

SECONDS = "HERMES_SESSIONS_SOAK_SECONDS"
"""The variable that sets the seconds of the soak in its long form."""


@pytest.fixture(scope="session")
def lasting(is_long: bool) -> float:
    """Seconds under load."""
    return float(os.environ.get(SECONDS, "600")) if is_long else 9.0
