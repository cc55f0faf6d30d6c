"""The time of what is kept for days, which must outlive a system's clock that is set wrong for a while."""

from __future__ import annotations

import time

DAY = 86_400.0

_AT_START = time.time() - time.monotonic()
"""What the clock said when this process began, less what no setting of it changes."""


def earliest() -> float:
    """The earlier one of what the clock says and of what it would say had nobody set it since the start. By this,
    nothing is too old because of a clock that is set ahead."""
    return min(time.time(), _AT_START + time.monotonic())


def latest() -> float:
    """The later one. What is given this moment is not too old once a clock that was set back is right again."""
    return max(time.time(), _AT_START + time.monotonic())
