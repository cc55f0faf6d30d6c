"""Lists out of a forest: what a filter keeps, in order, with what it left out and why."""

from __future__ import annotations

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
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.orders import OrderField, sort_key
from hermes_sessions.model.paging import Key
from hermes_sessions.model.session import SessionKind


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
    """`entries` are in ascending order of their keys."""

    entries: list[Entry]
    hidden: Hidden


def entry_key(entry: Entry) -> Key:
    return entry.key


def select_sessions(
    forest: Forest, filter: ListFilter, order: OrderField, profile: str, context: FilterContext
) -> Selection:
    """All sessions that pass."""
    tests = [test for test in (archived_test(filter), *named_tests(filter, context).values()) if test]
    kept = [session for session in forest.sessions.values() if all(test(session) for test in tests)]
    return Selection(_ordered(kept, order, profile), Hidden())


def select_conversations(
    forest: Forest, filter: ListFilter, order: OrderField, profile: str, context: FilterContext
) -> Selection:
    """All listed conversations that pass, and a count of the others by reason."""
    reasons: list[tuple[str, Test]] = _reasons(filter, context)
    kept: list[Item] = []
    hidden: Counter[str] = Counter()
    for conversation in listed(forest):
        reason = next((name for name, test in reasons if not test(conversation)), None)
        if reason is None:
            kept.append(conversation)
        elif reason == "min_messages" and conversation.is_empty:
            hidden["empty"] += 1
        else:
            hidden[reason if reason in ("archived", "automation") else "other_filters"] += 1
    hidden.update(_unlisted(forest))
    return Selection(_ordered(kept, order, profile), Hidden(**hidden))


def listed(forest: Forest) -> Iterable[Conversation]:
    return (conversation for conversation in forest.conversations.values() if conversation.is_listed)


def facets(forest: Forest, filter: ListFilter, context: FilterContext) -> Facets:
    """Counts for the values of each dimension, in one pass over the listed conversations."""
    tests = dict(_reasons(filter, context))
    counts = Facets()
    for conversation in listed(forest):
        failed = {name for name, test in tests.items() if not test(conversation)}
        for names, dimension, value_of in _DIMENSIONS:
            if failed <= names:
                value = value_of(conversation, context)
                if value is not None:
                    dimension(counts)[value] += 1
    return replace(counts, workspaces=_with_what_lies_below(counts.workspaces))


def _with_what_lies_below(workspaces: Counter[str]) -> Counter[str]:
    """The filter takes a folder with what lies below it, so its count does, too."""
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


def _unlisted(forest: Forest) -> Counter[str]:
    counts: Counter[str] = Counter()
    for conversation in forest.conversations.values():
        counts["subagents"] += len(conversation.subagents)
        if not conversation.is_listed:
            counts["subagents"] += len(conversation.segments)
        for session in conversation.side_rows:
            tool = forest.kind(session.id) is SessionKind.TOOL
            counts["subagents" if tool else "side_rows"] += 1
    return counts


def _ordered(items: Iterable[Item], order: OrderField, profile: str) -> list[Entry]:
    return sorted((Entry(sort_key(item, order, profile), item) for item in items), key=entry_key)
