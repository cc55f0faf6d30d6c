"""Values that are computed when they are first read."""

from __future__ import annotations

from hermes_sessions.model.lazy import lazy


class Counted:
    def __init__(self) -> None:
        self.computed = 0

    @lazy
    def answer(self) -> int:
        """What it all comes to."""
        self.computed += 1
        return 42


def test_a_lazy_value_is_computed_once_for_each_object_and_only_when_it_is_read() -> None:
    read, other = Counted(), Counted()
    assert [read.answer, read.answer] == [42, 42]
    assert (read.computed, other.computed) == (1, 0)


def test_of_the_class_it_is_the_description() -> None:
    assert Counted.answer.__doc__ == "What it all comes to."
