"""Fields that have a function for many objects beside the resolver for one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

BATCH = "batch"
"""The key in a field's metadata under which `planner.py` finds that function."""


def batch(many: Callable[..., Awaitable[list[Any]]]) -> dict[str, Any]:
    """Metadata for a field. `many` is given the objects and the field's arguments, and must return what the resolver
    returns for each: a coroutine for each object costs more than what it computes."""
    return {BATCH: many}
