"""Filters of sessions and conversations: all given conditions must hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.jobs import job_of
from hermes_sessions.model.session import Session, SessionKind


class ArchivedFilter(Enum):
    EXCLUDE = "EXCLUDE"
    INCLUDE = "INCLUDE"
    ONLY = "ONLY"


class Audience(Enum):
    """CHATS are conversations that a person had; AUTOMATION comes from the sources that the settings name."""

    CHATS = "CHATS"
    AUTOMATION = "AUTOMATION"
    ALL = "ALL"


@dataclass(frozen=True)
class ListFilter:
    """Conditions on one list; None means not asked for. Moments are seconds since 1970, `text` is literal."""

    ids: frozenset[str] | None = None
    kinds: frozenset[SessionKind] | None = None
    archived: ArchivedFilter = ArchivedFilter.INCLUDE
    audience: Audience = Audience.ALL
    sources: frozenset[str] | None = None
    exclude_sources: frozenset[str] | None = None
    models: frozenset[str] | None = None
    workspace: str | None = None
    text: str | None = None
    started_after: float | None = None
    started_before: float | None = None
    active_after: float | None = None
    active_before: float | None = None
    min_messages: int | None = None
    max_messages: int | None = None
    min_cost_usd: float | None = None
    live: bool | None = None
    end_reasons: frozenset[str] | None = None
    job: str | None = None

    def binding(self) -> list[Any]:
        """What a cursor is bound to: the same for equal filters, in any process."""
        return [_plain(value) for value in self.__dict__.values()]


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(str(_plain(each)) for each in value)
    return value.value if isinstance(value, Enum) else value


Item = Session | Conversation
Test = Callable[[Item], bool]


@dataclass(frozen=True)
class FilterContext:
    """What conditions need besides the item itself."""

    now: float
    automation_sources: frozenset[str]
    kind: Callable[[Item], SessionKind]
    previews: Mapping[str, str | None]


def in_workspace(path: str | None, folder: str) -> bool:
    """Whether `path` is the folder or below it, by path parts: /a/bc is not below /a/b."""
    if path is None:
        return False
    parts = path_parts(path)
    wanted = path_parts(folder)
    return parts[: len(wanted)] == wanted


def path_parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))


def archived_test(filter: ListFilter) -> Test | None:
    """None when every item passes."""
    if filter.archived is ArchivedFilter.INCLUDE:
        return None
    wanted = filter.archived is ArchivedFilter.ONLY
    return lambda item: item.archived is wanted


def audience_test(filter: ListFilter, context: FilterContext) -> Test | None:
    if filter.audience is Audience.ALL:
        return None
    wanted = filter.audience is Audience.AUTOMATION
    return lambda item: (item.source in context.automation_sources) is wanted


def named_tests(filter: ListFilter, context: FilterContext) -> dict[str, Test]:
    """Every other condition that was given, by the name of its field."""
    tests: dict[str, Test] = {}

    def given(name: str, value: Any, test: Test) -> None:
        if value is not None:
            tests[name] = test

    f = filter
    given("ids", f.ids, lambda item: any(session.id in _set(f.ids) for session in _segments(item)))
    given("kinds", f.kinds, lambda item: context.kind(item) in _set(f.kinds))
    given("sources", f.sources, lambda item: item.source in _set(f.sources))
    given("exclude_sources", f.exclude_sources, lambda item: item.source not in _set(f.exclude_sources))
    given("models", f.models, lambda item: _tip(item).model in _set(f.models))
    given("workspace", f.workspace, lambda item: in_workspace(_tip(item).workspace, f.workspace or ""))
    given("text", f.text, lambda item: _holds_text(item, (f.text or "").casefold(), context.previews))
    given("started_after", f.started_after, lambda item: _at_least(item.started_at, f.started_after))
    given("started_before", f.started_before, lambda item: _below(item.started_at, f.started_before))
    given("active_after", f.active_after, lambda item: _at_least(item.last_active_at, f.active_after))
    given("active_before", f.active_before, lambda item: _below(item.last_active_at, f.active_before))
    given("min_messages", f.min_messages, lambda item: item.message_count >= (f.min_messages or 0))
    given("max_messages", f.max_messages, lambda item: item.message_count <= (f.max_messages or 0))
    given("min_cost_usd", f.min_cost_usd, lambda item: _at_least(item.cost.usd, f.min_cost_usd))
    given("live", f.live, lambda item: item.is_live(context.now) is f.live)
    given("job", f.job, lambda item: job_of(_segments(item)[0]) == f.job)
    given("end_reasons", f.end_reasons, lambda item: _tip(item).end_reason in _set(f.end_reasons))
    return tests


def _set(values: frozenset[Any] | None) -> frozenset[Any]:
    return values or frozenset()


def _segments(item: Item) -> tuple[Session, ...]:
    return item.segments if isinstance(item, Conversation) else (item,)


def _tip(item: Item) -> Session:
    return item.tip if isinstance(item, Conversation) else item


def _at_least(value: float | None, bound: float | None) -> bool:
    return value is not None and bound is not None and value >= bound


def _below(value: float | None, bound: float | None) -> bool:
    return value is not None and bound is not None and value < bound


def _holds_text(item: Item, needle: str, previews: Mapping[str, str | None]) -> bool:
    return any(
        needle in words.casefold()
        for session in _segments(item)
        for words in (session.id, session.title, previews.get(session.id))
        if words
    )
