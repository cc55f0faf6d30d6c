"""The command `copy`: conversations of one profile into another, which may be in another home."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.errors import bad_input
from hermes_sessions.exporting import progress
from hermes_sessions.importing import note, show
from hermes_sessions.model.export.outline import odd_link, whole_conversation
from hermes_sessions.model.export.rows import BEGINNING, Row, Table, pages_of
from hermes_sessions.model.importing.incoming import Incoming
from hermes_sessions.model.lineage import Forest
from hermes_sessions.model.resolving import not_found, resolve_session
from hermes_sessions.opening import open_profiles
from hermes_sessions.settings import Settings
from hermes_sessions.store import Store
from hermes_sessions.store_values import Imported, ImportOrder
from hermes_sessions.stores.postgres.address import Address

ROUNDS = 5
"""What an agent writes while it is copied is fetched after it, so many times."""
_IDS_AT_ONCE = 500


@dataclass(frozen=True)
class Order:
    """What to copy. No ids mean every conversation."""

    source: str
    target: str
    ids: Sequence[str]
    as_json: bool


@dataclass(frozen=True)
class Difference:
    """Numbers of rows (of messages, of usage) in the source and in the target; None where there is no session."""

    id: str
    source: tuple[int, int]
    target: tuple[int, int] | None


async def run_copy(settings: Settings, target_settings: Settings, order: Order) -> bool:
    """Whether the counts agree in the end. Raises what the user got wrong."""
    sources = open_profiles(replace(settings, read_only=True))
    targets = open_profiles(target_settings)
    try:
        source, target = await sources.get(order.source), await targets.get(order.target)
        if _place(settings, source.profile) == _place(target_settings, target.profile):
            raise bad_input("The profile cannot be copied onto itself. Name another one with --to.")
        done = await _copied(source, target, order)
        differences = await _differences(source, target, order)
        for _ in range(ROUNDS):
            if done.failure is not None or not any(each.target is None or _grew(each) for each in differences):
                break
            done = _joined(done, await _copied(source, target, order))
            differences = await _differences(source, target, order)
    finally:
        await sources.close()
        await targets.close()
    _show(done, differences, order)
    return done.failure is None and not differences


def _place(settings: Settings, profile: str) -> object:
    """Of two profiles that are the same one the same."""
    declared = dict(settings.profile)
    if profile in declared:
        return Address.of(profile, declared[profile])
    return (settings.home.resolve() if settings.home is not None else None, profile)


def _chosen(forest: Forest, order: Order) -> list[str]:
    """Whole conversations, each with its subagents and side rows."""
    conversations = list(forest.conversations.values())
    if order.ids:
        conversations = [forest.conversation_of(_resolved(forest, each)) for each in order.ids]
    outlines = (whole_conversation("", forest, conversation) for conversation in conversations)
    return list(dict.fromkeys(entry.session.id for outline in outlines for entry in outline.entries))


def _resolved(forest: Forest, id_or_prefix: str) -> str:
    session = resolve_session(forest, id_or_prefix)
    if session is None:
        raise not_found()
    return session.id


async def _copied(source: Store, target: Store, order: Order) -> Imported:
    forest = await source.forest()
    sessions = await StoreSessions.of(source, forest, _chosen(forest, order))
    with progress(sum(each.messages for each in sessions.incoming)) as advance:
        return await target.import_sessions(ImportOrder(sessions, refresh=True, progress=advance))


class StoreSessions:
    """Sessions of a store, as those that come into another one."""

    def __init__(self, store: Store, incoming: Sequence[Incoming]) -> None:
        self.incoming = incoming
        self._store = store

    @staticmethod
    async def of(store: Store, forest: Forest, ids: Sequence[str]) -> StoreSessions:
        rows: dict[str, Row] = {}
        for at in range(0, len(ids), _IDS_AT_ONCE):
            async for page in pages_of(store.exact_rows, Table.SESSIONS, ids[at : at + _IDS_AT_ONCE]):
                rows |= {row["id"]: {name: row.get(name) for name in ("parent_session_id", "title")} for row in page}
        return StoreSessions(store, [_incoming(forest, id, rows.get(id)) for id in ids])

    async def session(self, incoming: Incoming) -> Row | None:
        rows = (await self._store.exact_rows(Table.SESSIONS, [incoming.id], BEGINNING)).rows
        return rows[0] if rows else None

    async def usage(self, incoming: Incoming) -> Sequence[Row]:
        return [row async for page in pages_of(self._store.exact_rows, Table.USAGE, [incoming.id]) for row in page]

    def messages(self, incoming: Incoming) -> AsyncIterator[Sequence[Row]]:
        return pages_of(self._store.exact_rows, Table.MESSAGES, [incoming.id])


def _incoming(forest: Forest, id: str, row: Row | None) -> Incoming:
    session = forest.sessions[id]
    return Incoming(
        id=id,
        parent=row["parent_session_id"] if row is not None else None,
        title=row["title"] if row is not None else None,
        parent_link=odd_link(forest, session),
        messages=session.activity.rows,
        fault="Its id is not UTF-8." if row is None and "\ufffd" in id else None,
    )


async def _differences(source: Store, target: Store, order: Order) -> list[Difference]:
    forest = await source.forest()
    theirs, ours = await _counts(source, forest), await _counts(target, await target.forest())
    ids = [id for id in _chosen(forest, order) if theirs[id] != ours.get(id)]
    return [Difference(id, theirs[id], ours.get(id)) for id in ids]


async def _counts(store: Store, forest: Forest) -> Mapping[str, tuple[int, int]]:
    usage = await store.all_usage()
    return {id: (session.activity.rows, len(usage.get(id, ()))) for id, session in forest.sessions.items()}


def _grew(difference: Difference) -> bool:
    return difference.target is not None and difference.source > difference.target


def _joined(before: Imported, after: Imported) -> Imported:
    """Two rounds as one. What was skipped in the second was brought in by the first, unless it fails again."""
    failing = [each for each in after.skipped if each.fails]
    return Imported(
        imported_ids=[*before.imported_ids, *after.imported_ids],
        grown_ids=list(dict.fromkeys([*before.grown_ids, *after.grown_ids])),
        skipped=[*(each for each in before.skipped if not each.fails), *failing],
        cut_links=[*before.cut_links, *after.cut_links],
        warnings=list(dict.fromkeys([*before.warnings, *after.warnings])),
        message_count=before.message_count + after.message_count,
        usage_row_count=before.usage_row_count + after.usage_row_count,
        failure=after.failure,
    )


def _show(done: Imported, differences: Sequence[Difference], order: Order) -> None:
    facts = [
        {"id": each.id, "source": _named(each.source), "target": each.target and _named(each.target)}
        for each in differences
    ]
    show(done, "Copied", as_json=order.as_json, more={"differences": facts})
    if order.as_json:
        return
    for each in differences:
        found = (
            "is not in the target" if each.target is None else f"{each.target[0]} and {each.target[1]} in the target"
        )
        note(f"Differs: {each.id} has {each.source[0]} messages and {each.source[1]} usage rows, {found}.")
    if differences:
        note("Run the same command again to go on.")


def _named(counts: tuple[int, int]) -> dict[str, int]:
    return {"messages": counts[0], "usageRows": counts[1]}
