"""Lists out of a forest: what a filter keeps, in order, with what it left out and why."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from hermes_sessions.model.conversation import Conversation
from hermes_sessions.model.filters import (
    Audience,
    FilterContext,
    Item,
    ListFilter,
    Test,
    archived_test,
    audience_test,
    named_tests,
    path_parts,
)
from hermes_sessions.model.lineage import Change, Forest
from hermes_sessions.model.orders import OrderField, sort_key
from hermes_sessions.model.paging import Key
from hermes_sessions.model.session import Session


@dataclass(frozen=True)
class Hidden:
    """How many conversations a list left out, each under the first reason that applies, in the order of the fields.

    `subagents` and `side_rows` count sessions that belong to other conversations and are never listed.
    """

    archived: int = 0
    automation: int = 0
    empty: int = 0
    subagents: int = 0
    side_rows: int = 0
    other_filters: int = 0

    def __add__(self, other: Hidden) -> Hidden:
        return Hidden(*(a + b for a, b in zip(self.__dict__.values(), other.__dict__.values(), strict=True)))


@dataclass(frozen=True)
class Facets:
    """Per dimension: value -> number of items that the list would have with it, all other conditions unchanged."""

    sources: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    workspaces: Counter[str] = field(default_factory=Counter)
    audiences: Counter[str] = field(default_factory=Counter)
    jobs: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Facets) -> Facets:
        return Facets(*(a + b for a, b in zip(self.__dict__.values(), other.__dict__.values(), strict=True)))


@dataclass(frozen=True)
class Entry:
    """An item with its place in the order: (known, measure, id, profile)."""

    key: Key
    item: Item


@dataclass(frozen=True)
class Selection:
    """`items` are in ascending order of `key`."""

    items: list[Item]
    order: OrderField
    profile: str
    hidden: Hidden = field(default_factory=Hidden)

    def key(self, item: Item) -> Key:
        return sort_key(item, self.order, self.profile)


def entry_key(entry: Entry) -> Key:
    return entry.key


def select_sessions(
    forest: Forest, filter: ListFilter, order: OrderField, profile: str, context: FilterContext
) -> Selection:
    """All sessions that pass."""
    passes = _session_test(filter, context)
    return _sorted(Selection([each for each in forest.sessions.values() if passes(each)], order, profile))


def renew_sessions(
    selection: Selection, change: Change, forest: Forest, filter: ListFilter, context: FilterContext
) -> Selection:
    """The selection after a change. As every renewal it asks for a filter whose conditions depend on items alone."""
    passes = _session_test(filter, context)
    now = [session for each in change.sessions if (session := forest.get(each)) is not None and passes(session)]
    return _exchanged(selection, change.sessions.values(), now, selection.hidden)


def select_conversations(
    forest: Forest, filter: ListFilter, order: OrderField, profile: str, context: FilterContext
) -> Selection:
    """All listed conversations that pass, and a count of the others by reason."""
    reasons = _reasons(filter, context)
    hidden: Counter[str] = Counter()
    kept: list[Item] = [each for each in forest.conversations.values() if _is_kept(each, reasons, hidden, 1)]
    return _sorted(Selection(kept, order, profile, Hidden(**hidden)))


def renew_conversations(
    selection: Selection, change: Change, forest: Forest, filter: ListFilter, context: FilterContext
) -> Selection:
    """The selection after a change."""
    reasons = _reasons(filter, context)
    hidden = Counter(selection.hidden.__dict__)
    for was in change.conversations.values():
        _ = was is not None and _is_kept(was, reasons, hidden, -1)
    present = [each for head in change.conversations if (each := forest.conversation(head)) is not None]
    now = [each for each in present if _is_kept(each, reasons, hidden, 1)]
    return _exchanged(selection, change.conversations.values(), now, Hidden(**hidden))


def _session_test(filter: ListFilter, context: FilterContext) -> Test:
    tests = [test for test in (archived_test(filter), *named_tests(filter, context).values()) if test]
    return lambda session: all(test(session) for test in tests)


def _is_kept(conversation: Conversation, reasons: list[tuple[str, Test]], hidden: Counter[str], times: int) -> bool:
    """Whether it is in the list; what the list leaves out of it, or for it, is counted in `hidden`."""
    hidden["subagents"] += times * (len(conversation.subagents) + conversation.tool_count)
    hidden["side_rows"] += times * (len(conversation.side_rows) - conversation.tool_count)
    if not conversation.is_listed:
        hidden["subagents"] += times * len(conversation.segments)
        return False
    reason = next((name for name, test in reasons if not test(conversation)), None)
    if reason == "min_messages" and conversation.is_empty:
        reason = "empty"
    if reason is not None:
        hidden[reason if reason in ("archived", "automation", "empty") else "other_filters"] += times
    return reason is None


def _sorted(selection: Selection) -> Selection:
    selection.items.sort(key=selection.key)
    return selection


def _exchanged(selection: Selection, before: Iterable[Item | None], now: Iterable[Item], hidden: Hidden) -> Selection:
    """The selection with some items as they are now in place of what they were before, as far as that was in it."""
    items, key = list(selection.items), selection.key
    for item in before:
        if item is not None:
            at = bisect_left(items, key(item), key=key)
            if at < len(items) and items[at].id == item.id:
                del items[at]
    for item in now:
        insort(items, item, key=key)
    return replace(selection, items=items, hidden=hidden)


@dataclass(frozen=True)
class Census:
    """How much a store holds: conversations without the hidden ones, and all rows of messages."""

    conversations: int = 0
    messages: int = 0


def census(forest: Forest) -> Census:
    return _counted(Census(), 1, forest.conversations.values(), forest.sessions.values())


def renew_census(before: Census, change: Change, forest: Forest) -> Census:
    """The census after a change."""
    left = _counted(before, -1, change.conversations.values(), change.sessions.values())
    return _counted(left, 1, map(forest.conversation, change.conversations), map(forest.get, change.sessions))


def _counted(
    census: Census, times: int, conversations: Iterable[Conversation | None], sessions: Iterable[Session | None]
) -> Census:
    return Census(
        census.conversations + times * sum(each is not None and each.is_listed for each in conversations),
        census.messages + times * sum(each.activity.rows for each in sessions if each is not None),
    )


def facets(forest: Forest, filter: ListFilter, context: FilterContext) -> Facets:
    """Counts for the values of each dimension, in one pass over the conversations. A workspace is counted alone."""
    counts = Facets()
    _count(counts, forest.conversations.values(), dict(_reasons(filter, context)), context, 1)
    return counts


def renew_facets(counts: Facets, change: Change, forest: Forest, filter: ListFilter, context: FilterContext) -> Facets:
    """The counts after a change."""
    tests = dict(_reasons(filter, context))
    renewed = counts + Facets()
    present = [each for head in change.conversations if (each := forest.conversation(head)) is not None]
    _count(renewed, [was for was in change.conversations.values() if was is not None], tests, context, -1)
    _count(renewed, present, tests, context, 1)
    return renewed + Facets()  # an addition leaves out what has come to nothing


def with_folders_above(counts: Facets) -> Facets:
    """The filter takes a folder with what lies below it, so its count does, too."""
    return replace(counts, workspaces=_with_what_lies_below(counts.workspaces))


def _count(
    counts: Facets, conversations: Iterable[Conversation], tests: Mapping[str, Test], context: FilterContext, times: int
) -> None:
    for conversation in conversations:
        if not conversation.is_listed:
            continue
        failed = {name for name, test in tests.items() if not test(conversation)}
        for names, dimension, value_of in _DIMENSIONS:
            if failed <= names:
                value = value_of(conversation, context)
                if value is not None:
                    dimension(counts)[value] += times


def _with_what_lies_below(workspaces: Counter[str]) -> Counter[str]:
    shown: dict[tuple[str, ...], str] = {}
    for path in sorted(workspaces):
        shown.setdefault(path_parts(path), path)
    counts: Counter[str] = Counter()
    for path, count in workspaces.items():
        parts = path_parts(path)
        for length in range(len(parts) + 1):
            if parts[:length] in shown:
                counts[shown[parts[:length]]] += count
    return counts


_Dimension = tuple[
    frozenset[str], Callable[[Facets], Counter[str]], Callable[[Conversation, FilterContext], str | None]
]
_DIMENSIONS: list[_Dimension] = [
    (frozenset({"sources", "exclude_sources"}), lambda f: f.sources, lambda c, _: c.source),
    (frozenset({"models"}), lambda f: f.models, lambda c, _: c.tip.model),
    (frozenset({"workspace"}), lambda f: f.workspaces, lambda c, _: c.tip.workspace),
    (frozenset({"job"}), lambda f: f.jobs, lambda c, _: c.job),
    (
        frozenset({"automation", "audience"}),
        lambda f: f.audiences,
        lambda c, context: (Audience.AUTOMATION if c.source in context.automation_sources else Audience.CHATS).value,
    ),
]


def _reasons(filter: ListFilter, context: FilterContext) -> list[tuple[str, Test]]:
    """The conditions that were given, by the reason that the ledger shows for what they leave out, in its order."""
    archived = archived_test(filter)
    audience = audience_test(filter, context)
    named: Mapping[str, Test] = named_tests(filter, context)
    reasons: list[tuple[str, Test]] = []
    if archived is not None:
        reasons.append(("archived" if not _wants_archived(filter) else "unarchived", archived))
    if audience is not None:
        reasons.append(("automation" if filter.audience is Audience.CHATS else "audience", audience))
    if "min_messages" in named:
        reasons.append(("min_messages", named["min_messages"]))
    return reasons + [(name, test) for name, test in named.items() if name != "min_messages"]


def _wants_archived(filter: ListFilter) -> bool:
    return filter.archived.value == "ONLY"
