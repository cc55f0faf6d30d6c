"""Questions to a store's search, as the API asks them."""

from __future__ import annotations

from hermes_sessions.model.search.fields import SearchField
from hermes_sessions.model.search.query import MessageSearch, SearchResult
from hermes_sessions.model.search.words import words_of
from hermes_sessions.stores.sqlite.store import SqliteStore

BOTH = frozenset({SearchField.CONTENT, SearchField.TOOL})


async def ask(
    store: SqliteStore, text: str, *fields: SearchField, seconds: float = 60.0, **conditions: object
) -> SearchResult:
    asked = MessageSearch(words_of(text), frozenset(fields) or BOTH, **conditions)  # type: ignore[arg-type]
    return await store.search(asked, seconds)


async def found(store: SqliteStore, text: str, *fields: SearchField, **conditions: object) -> set[int]:
    """Ids of the messages."""
    return {match.message_id for match in (await ask(store, text, *fields, **conditions)).matches}
