"""What the facts about a store mean: findings in order of gravity, each with what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hermes_sessions.model.health import judging_sessions, judging_store
from hermes_sessions.model.health.examination import Area, Examination, Finding, Severity


def find(look: Examination) -> list[Finding]:
    """The gravest first. An area in which all is well has one finding, OK; nothing is called well in a store that could
    not be looked at."""
    found = [*judging_store.store(look), *judging_store.failures(look)]
    for area, is_told, judge, praise in _AREAS:
        if not is_told(look):
            continue
        judged = list(judge(look))
        if not judged and look.refusal is None:
            judged = [Finding(Severity.OK, area, f"{area.value}_OK", praise)]
        found += judged
    ranks = list(Severity)
    return sorted(found, key=lambda finding: ranks.index(finding.severity))


_Told = Callable[[Examination], bool]
_Judge = Callable[[Examination], Iterator[Finding]]
_AREAS: tuple[tuple[Area, _Told, _Judge, str], ...] = (
    (
        Area.FILE,
        lambda look: look.is_file and look.health is not None and not look.is_empty,
        judging_store.file,
        "File, log and library are sound.",
    ),
    (
        Area.SCHEMA,
        lambda look: look.health is not None and not look.is_empty,
        judging_store.schema,
        "All columns are known.",
    ),
    (
        Area.LOCKS,
        lambda look: look.is_file and look.health is not None and not look.is_empty,
        judging_store.locks,
        "No lock is held or left behind.",
    ),
    (
        Area.LINKS,
        lambda look: look.sessions is not None,
        judging_sessions.links,
        "Every parent exists, no chain is a circle.",
    ),
    (
        Area.COUNTS,
        lambda look: look.sessions is not None,
        judging_sessions.counts,
        "The counters of messages agree with the rows.",
    ),
    (
        Area.CELLS,
        lambda look: look.sessions is not None,
        judging_sessions.cells,
        "Ids and values of all sessions can be believed.",
    ),
    (
        Area.ROWS,
        lambda look: look.rows is not None,
        judging_sessions.rows,
        "Every message and usage row has its session.",
    ),
    (
        Area.SEARCH,
        lambda look: look.indexes is not None,
        judging_store.search,
        "The full-text indexes are complete and kept.",
    ),
    (
        Area.PAGES,
        lambda look: look.damages is not None or (look.is_file and bool(look.parts)),  # a server just knows its sizes
        judging_store.pages,
        "Tables and indexes were read.",
    ),
)
