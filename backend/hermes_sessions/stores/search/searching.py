"""One search in one store, from the words to the messages that hold them."""

from __future__ import annotations

from collections.abc import Iterable

from hermes_sessions.errors import ErrorCode, HermesSessionsError
from hermes_sessions.model.search.fields import INDEXED_FIELDS, SearchField
from hermes_sessions.model.search.hits import Match
from hermes_sessions.model.search.query import SearchResult
from hermes_sessions.stores.search.asking import Asking
from hermes_sessions.stores.search.indexes import WORDS, SearchIndexes
from hermes_sessions.stores.search.inquiry import Inquiry
from hermes_sessions.stores.search.reading import REASONING, read

LONG_RESULT = 8_192
"""Characters of a tool result that later versions of Hermes index."""

NO_INDEX = "The store has no full-text index that can be used: messages were read instead."
STALE_INDEX = (
    "Hermes does not keep its full-text index at present: what was written since was read instead, "
    "what was changed since may be missing."
)
_INDEX_FAILED = {
    ErrorCode.STORE_DAMAGED: "Hermes' full-text index is damaged: messages were read instead.",
    ErrorCode.UNSUPPORTED_STORE: "Hermes' full-text index cannot be used here: messages were read instead.",
    ErrorCode.TIMEOUT: "Hermes' full-text index did not answer in time, so that messages may be missing.",
}


class Searching:
    """`failed` is why the indexes could not be looked at."""

    def __init__(self, inquiry: Inquiry, indexes: SearchIndexes, failed: ErrorCode | None = None) -> None:
        self._inquiry = inquiry
        self._indexes = indexes
        self._ran_out_of_time = failed is ErrorCode.TIMEOUT
        self._fields = inquiry.asked.fields
        self._found: dict[int, Match] = {}
        self._degraded: list[str] = [_INDEX_FAILED[failed]] if failed is not None else []

    def search(self) -> SearchResult:
        if self._fields & INDEXED_FIELDS:
            self._search_indexed()
        if SearchField.REASONING in self._fields:
            self._search_reasoning()
        words = tuple(dict.fromkeys(self._degraded))
        return SearchResult(list(self._found.values()), self._inquiry.is_capped, words, self._ran_out_of_time)

    def _search_indexed(self) -> None:
        asking = Asking(self._inquiry, self._indexes)
        if not asking.can_tell:
            if not self._indexes.words and not self._degraded:
                self._degraded.append(NO_INDEX)
            self._read("1", "Messages")
            return
        try:
            self._add(asking.certain())
            suspects = asking.ask()
        except HermesSessionsError as error:
            if error.code not in _INDEX_FAILED:
                raise
            self._degraded.append(_INDEX_FAILED[error.code])
            self._ran_out_of_time |= error.code is ErrorCode.TIMEOUT
            self._read("1", "Messages")
            return
        self._read_these(suspects, "Messages")
        self._read_unindexed()

    def _read_unindexed(self) -> None:
        if self._indexes.is_stale:
            self._degraded.append(STALE_INDEX)
        if self._indexes.lacks_rows:
            lacking = f"NOT EXISTS (SELECT 1 FROM {WORDS}_docsize AS indexed WHERE indexed.id = messages.id)"
            if self._read(lacking, "Messages that the index lacks"):
                self._degraded.append("Hermes' full-text index is not complete: what it lacks was read instead.")
        if self._indexes.lacks_tools:
            self._read(self._any_cell("tool_name", "tool_calls"), "Tool calls")
        if self._indexes.cuts_results:
            long = f"messages.role = 'tool' AND octet_length(messages.content) > {LONG_RESULT}"
            self._read(long, "Long tool results")

    def _search_reasoning(self) -> None:
        self._read(self._any_cell(*REASONING), "Reasoning")

    def _any_cell(self, *names: str) -> str:
        has = self._inquiry.columns.has
        cells = [f"messages.{name} IS NOT NULL" for name in names if has("messages", name)]
        return f"({' OR '.join(cells) or '0'})"

    def _read(self, condition: str, what: str) -> int:
        """How many messages there were to read."""
        try:
            rows = self._inquiry.where(condition)
        except HermesSessionsError as error:
            if error.code is not ErrorCode.TIMEOUT:
                raise
            self._degraded.append(f"{what} could not be read in time; narrow the search.")
            self._ran_out_of_time = True
            return 0
        self._read_these(rows, what)
        return len(rows)

    def _read_these(self, ids: Iterable[int], what: str) -> None:
        unknown = self._inquiry.in_order({row for row in ids if row not in self._found})
        held, shortfall = read(self._inquiry, unknown, what)
        self._add(held)
        if shortfall is not None:
            self._degraded.append(shortfall)
            self._ran_out_of_time = True

    def _add(self, matches: Iterable[Match]) -> None:
        """What comes later knows more: whether the words stand there as they were typed."""
        self._found |= {match.message_id: match for match in matches}
