"""Judgement of sessions: their links, counters, values and rows."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_sessions.model.health.examination import Area, Examination, Finding, Severity, many


def links(look: Examination) -> Iterator[Finding]:
    assert look.sessions is not None
    facts = look.sessions
    yield from many(
        Severity.WARNING,
        Area.LINKS,
        "DANGLING_PARENTS",
        [each.id for each in facts.dangling],
        "{} whose parent does not exist.",
        "They are shown as conversations of their own; nothing needs to be done.",
    )
    yield from many(
        Severity.WARNING,
        Area.LINKS,
        "CYCLES",
        facts.cyclic_ids,
        "{} in a circle of parents.",
        "Hermes may not find the beginning of these; export what matters and delete one of them.",
    )
    yield from many(
        Severity.WARNING,
        Area.LINKS,
        "TITLES_DOUBLED",
        [session_id for each in facts.doubled_titles for session_id in each.ids],
        "{} with a title that another one has, too.",
        "Rename them: Hermes finds only one of them by its title.",
    )


def counts(look: Examination) -> Iterator[Finding]:
    assert look.sessions is not None
    wrong = look.sessions.miscounts
    yield from many(
        Severity.PROBLEM,
        Area.COUNTS,
        "TAKEN_FOR_EMPTY",
        [each.id for each in wrong if each.is_taken_for_empty],
        "{} with messages and a counter of 0.",
        "Archive or export them: Hermes' deletion of empty sessions would take them and their messages.",
    )
    yield from many(
        Severity.WARNING,
        Area.COUNTS,
        "UNDERCOUNT",
        [each.id for each in wrong if each.is_undercount and not each.is_taken_for_empty],
        "{} with fewer counted messages than there are.",
        "Lists here count the rows. Hermes' filters by number of messages go by its counter.",
    )
    yield from many(
        Severity.NOTE,
        Area.COUNTS,
        "OVERCOUNT",
        [each.id for each in wrong if not each.is_undercount and not each.is_explained],
        "{} with more counted messages than there ever were.",
        "Messages may have been lost; a backup would show it.",
    )


def cells(look: Examination) -> Iterator[Finding]:
    assert look.sessions is not None
    yield from many(
        Severity.WARNING,
        Area.CELLS,
        "BAD_IDS",
        look.sessions.bad_ids,
        "{} with an id that is empty or cannot be printed.",
        "They can be read here and may be out of reach in Hermes.",
    )
    yield from many(
        Severity.WARNING,
        Area.CELLS,
        "BAD_CELLS",
        look.sessions.warned_ids,
        "{} with values that cannot be believed.",
        "They read as null; the field `warnings` of a session says which.",
    )


def rows(look: Examination) -> Iterator[Finding]:
    assert look.rows is not None
    for code, count, words in (
        ("ORPHAN_MESSAGES", look.rows.orphan_messages, "messages belong"),
        ("ORPHAN_USAGE", look.rows.orphan_usage, "usage rows belong"),
    ):
        if count:
            yield Finding(
                Severity.WARNING,
                Area.ROWS,
                code,
                f"{count:,} {words} to sessions that do not exist.",
                "Nothing shows them, here or in Hermes; they take space and may hold what a deletion left behind.",
                count,
                look.rows.orphan_session_ids,
            )
