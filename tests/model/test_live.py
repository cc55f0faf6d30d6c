"""What changed between two pictures, which changes are still known, and what a cursor says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.live import (
    ChangeKind,
    ChangeLog,
    LogCursors,
    LogPlace,
    Place,
    PlaceCursors,
    chain_from,
    differences,
    first_followed,
)
from tests.model.builders import T, messages, plan_chain, session

CREATED, UPDATED, DELETED = ChangeKind.CREATED, ChangeKind.UPDATED, ChangeKind.DELETED


def log_of(*entries: tuple[ChangeKind, str], size: int = 100) -> ChangeLog:
    log = ChangeLog(size)
    for kind, session_id in entries:
        log.add(kind, session_id)
    return log


def told(log: ChangeLog, after: int = 0) -> list[tuple[int, ChangeKind, str | None]] | None:
    found = log.after(after)
    return None if found is None else [(each.number, each.kind, each.session_id) for each in found]


class TestDifferences:
    def test_a_session_is_created_updated_or_deleted(self) -> None:
        before = Forest([session("gone"), session("same"), session("old", title="A")])
        after = Forest([session("same"), session("old", title="B"), session("new")])
        assert set(differences(before, after)) == {(DELETED, "gone"), (UPDATED, "old"), (CREATED, "new")}

    def test_a_new_message_is_an_update(self) -> None:
        before, after = Forest([session("a")]), Forest([session("a", activity=messages(1))])
        assert list(differences(before, after)) == [(UPDATED, "a")]

    def test_equal_pictures_do_not_differ(self) -> None:
        assert list(differences(Forest(plan_chain()), Forest(plan_chain()))) == []

    def test_a_sibling_that_takes_over_is_an_update_of_both(self) -> None:
        """The row of the one that lost is untouched: only its kind has changed."""
        parent = session("p", end=T, reason="compression")
        one, two = session("one", "p", end=T + 5), session("two", "p", end=T + 6)
        before = Forest([parent, replace(one, activity=messages(1, T + 3)), two])
        after = Forest([parent, replace(one, activity=messages(1, T + 3)), replace(two, activity=messages(1, T + 4))])
        assert set(differences(before, after)) == {(UPDATED, "one"), (UPDATED, "two")}

    @given(*[st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y", None])) for _ in range(2)])
    def test_applied_to_the_one_they_give_the_other(
        self, before: dict[str, str | None], after: dict[str, str | None]
    ) -> None:
        state = dict(before)
        pictures = [Forest(session(id, title=title) for id, title in each.items()) for each in (before, after)]
        for kind, id in differences(*pictures):
            assert (kind is CREATED) == (id not in state)
            if kind is DELETED:
                del state[id]
            else:
                state[id] = after[id]
        assert state == after


class TestChangeLog:
    def test_changes_are_numbered_from_1(self) -> None:
        assert told(log_of((CREATED, "a"), (DELETED, "a"))) == [(1, CREATED, "a"), (2, DELETED, "a")]

    def test_an_update_that_a_later_change_covers_is_left_out(self) -> None:
        log = log_of((CREATED, "a"), (UPDATED, "a"), (UPDATED, "b"), (UPDATED, "a"), (DELETED, "b"))
        assert told(log) == [(1, CREATED, "a"), (4, UPDATED, "a"), (5, DELETED, "b")]
        assert told(log, 2) == told(log, 3) == [(4, UPDATED, "a"), (5, DELETED, "b")]

    def test_a_session_that_comes_back_is_told_of(self) -> None:
        log = log_of((UPDATED, "a"), (DELETED, "a"), (CREATED, "a"), (UPDATED, "a"))
        assert told(log, 1) == [(2, DELETED, "a"), (3, CREATED, "a"), (4, UPDATED, "a")]

    def test_nothing_comes_after_the_last_one(self) -> None:
        assert told(log_of((CREATED, "a")), 1) == []

    def test_a_number_of_the_future_or_from_before_what_is_kept_is_unknown(self) -> None:
        log = log_of((CREATED, "a"), (CREATED, "b"), (CREATED, "c"), size=2)
        assert (told(log, 0), told(log, 4), told(log, -1)) == (None, None, None)
        assert told(log, 1) == [(2, CREATED, "b"), (3, CREATED, "c")]

    def test_a_replaced_store_makes_earlier_changes_pointless(self) -> None:
        log = log_of((CREATED, "a"), (UPDATED, "a"))
        log.add(ChangeKind.STORE_REPLACED)
        log.add(UPDATED, "a")
        assert told(log) == [(3, ChangeKind.STORE_REPLACED, None), (4, UPDATED, "a")]

    @given(
        st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=60),
        st.integers(1, 12),
        st.integers(0, 60),
    )
    def test_a_reader_that_leaves_anywhere_knows_the_sessions_in_the_end(
        self, steps: list[tuple[str, bool]], size: int, leaves_at: int
    ) -> None:
        """It keeps the latest change of each session that it heard of, and reads all anew where the log has a gap."""
        log = ChangeLog(size)
        alive: dict[str, int] = {}
        known: dict[str, int] = {}
        for at, (id, is_removed) in enumerate(steps, start=1):
            kind = UPDATED if id in alive else CREATED
            if is_removed and id in alive:
                kind = DELETED
                del alive[id]
            else:
                alive[id] = at
            log.add(kind, id)
            assert len(log) <= size
            if at == leaves_at:
                known = dict(alive)
        missed = log.after(min(leaves_at, len(steps)))
        if missed is None:
            assert len(steps) - leaves_at > size
            return
        if leaves_at > len(steps):
            known = dict(alive)
        for change in missed:
            assert change.session_id is not None
            if change.kind is DELETED:
                known.pop(change.session_id, None)
            else:
                known[change.session_id] = change.number
        assert known == alive


class TestCursors:
    def test_a_place_comes_back_as_it_was(self) -> None:
        place = Place("fe00-1", "päth", "tip", 12)
        assert PlaceCursors("work").decode(PlaceCursors("work").encode(place)) == place

    def test_a_number_of_a_log_comes_back_as_it_was(self) -> None:
        for place in (LogPlace("run", 7), LogPlace("run", 7, "store:12")):
            assert LogCursors("work").decode(LogCursors("work").encode(place)) == place

    @pytest.mark.parametrize(
        "cursor",
        [
            "",
            "nonsense",
            PlaceCursors("other").encode(Place("s", "a", "b", 1)),
            LogCursors("work").encode(LogPlace("run", 7)),
            PlaceCursors("work").encode(Place("s", "a", "b", "1")),  # type: ignore[arg-type]
            PlaceCursors("work").encode(Place("s", "a", "b", True)),
        ],
    )
    def test_another_cursor_is_refused(self, cursor: str) -> None:
        with pytest.raises(HermesSessionsError) as refused:
            PlaceCursors("work").decode(cursor)
        assert refused.value.code is ErrorCode.INVALID_CURSOR


class TestWhatIsFollowed:
    FOREST = Forest(
        [
            *plan_chain(),
            session("sub1", "d2", delegate_from="d2", end=T, reason="compression"),
            session("sub1b", "sub1", delegate_from="d2"),
        ]
    )

    @pytest.mark.parametrize(
        ("text", "start"),
        [
            ("d1", "d1"),
            ("d3", "d1"),
            ("d", "d1"),
            ("d3s", "d3s"),
            ("sub1", "sub1"),
            ("sub1b", "sub1"),
            ("s", "d1"),
            ("x", None),
        ],
    )
    def test_an_id_leads_to_the_first_segment_of_its_chain(self, text: str, start: str | None) -> None:
        found = first_followed(self.FOREST, text)
        assert (found.id if found is not None else None) == start

    def test_a_chain_goes_from_segment_to_segment(self) -> None:
        assert [each.id for each in chain_from(self.FOREST, self.FOREST.sessions["d1"])] == ["d1", "d2", "d3"]
        assert [each.id for each in chain_from(self.FOREST, self.FOREST.sessions["sub1"])] == ["sub1", "sub1b"]
