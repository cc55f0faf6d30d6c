"""Contents of messages: as much of each as a page needs, and the rest on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hermes_sessions.model.content import (
    STRUCTURED_PREFIX,
    cut_to_bytes,
    decode_content,
    last_bytes,
    plain_text,
    without_broken_start,
)
from hermes_sessions.model.message import MESSAGE_COLUMNS, Message, MessageRow
from hermes_sessions.model.values import Warnings, text
from hermes_sessions.stores.contents import MAX_CONTENT_BYTES, MAX_STRUCTURED_BYTES
from hermes_sessions.stores.database import Connection
from hermes_sessions.stores.postgres.cells import OTHERS, STRUCTURED, from_columns

_CELLS = ", ".join((*MESSAGE_COLUMNS[:-1], STRUCTURED, OTHERS))


def cut_sql(cut: int, whole: int) -> str:
    """Content, or its first characters where it has more bytes: at least those bytes; structured content whole up to
    its own limit."""
    return f"""
        CASE WHEN octet_length(content) <= CASE WHEN {STRUCTURED} THEN {whole} ELSE {cut} END
             THEN content ELSE left(content, {cut}) END
    """


async def messages_by_id(connection: Connection, schema: str, ids: Sequence[int]) -> dict[int, Message]:
    rows = await connection.fetch_all(
        f"""
        SELECT {_CELLS}, {cut_sql(MAX_CONTENT_BYTES, MAX_STRUCTURED_BYTES)} AS content,
               octet_length(content) AS stored_bytes
        FROM {schema}.messages WHERE id = ANY(CAST(:ids AS bigint[]))
        """,
        {"ids": list(ids)},
    )
    return {row["id"]: Message(_message_row(row)) for row in rows}


def _message_row(record: Mapping[str, Any]) -> MessageRow:
    row = from_columns(record)
    content, stored_bytes = row["content"], row.pop("stored_bytes")
    if stored_bytes is None:  # of one that its column cannot hold
        stored_bytes = size_of(content)
    elif record[STRUCTURED]:
        stored_bytes += len(STRUCTURED_PREFIX)
    if stored_bytes > MAX_CONTENT_BYTES and not _is_whole(content, stored_bytes):
        content = beginning(content, MAX_CONTENT_BYTES)
    is_structured = isinstance(content, str) and content.startswith(STRUCTURED_PREFIX)
    is_cut = stored_bytes > MAX_CONTENT_BYTES and not is_structured
    cells = [row[name] for name in MESSAGE_COLUMNS[:-1]]
    return MessageRow._make((*cells, content, stored_bytes, is_cut))


def _is_whole(content: Any, stored_bytes: int) -> bool:
    is_structured = isinstance(content, str) and content.startswith(STRUCTURED_PREFIX)
    return not isinstance(content, str | bytes) or (is_structured and stored_bytes <= MAX_STRUCTURED_BYTES)


def size_of(cell: Any) -> int:
    """Bytes of a cell as SQLite counts them."""
    if cell is None:
        return 0
    return len(cell) if isinstance(cell, bytes) else len(str(cell).encode())


def beginning(content: Any, limit: int) -> str:
    """The text of the first bytes, whatever they are."""
    return cut_to_bytes(content if isinstance(content, str) else str(text(content)), limit)[0]


async def whole_content(connection: Connection, schema: str, message_id: int, max_bytes: int) -> str | None:
    """Plain text of one message, cut after `max_bytes`."""
    record = await connection.fetch_one(
        f"""
        SELECT {cut_sql(max_bytes, 2**31 - 1)} AS content, {STRUCTURED}, {OTHERS}
        FROM {schema}.messages WHERE id = :id
        """,
        {"id": message_id},
    )
    content = from_columns(record)["content"] if record is not None else None
    if content is None:
        return None
    stored = content if isinstance(content, str) else text(content) or ""
    if stored.startswith(STRUCTURED_PREFIX):
        stored = plain_text(decode_content(stored, Warnings()))
    return cut_to_bytes(text(stored) or "", max_bytes)[0]


async def content_tails(
    connection: Connection, schema: str, wanted: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], str]:
    """The last bytes of each content, without the part of a character that they may begin with."""
    rows = await connection.fetch_all(
        f"""
        SELECT wanted.id AS id, wanted.size AS size, right(content, CAST(wanted.size AS integer)) AS content,
               {STRUCTURED}, {OTHERS}
        FROM unnest(CAST(:ids AS bigint[]), CAST(:sizes AS bigint[])) AS wanted (id, size)
        JOIN {schema}.messages ON messages.id = wanted.id
        """,
        {"ids": [id for id, _ in wanted], "sizes": [size for _, size in wanted]},
    )
    tails: dict[tuple[int, int], str] = {}
    for record in rows:
        content = from_columns(record)["content"]
        if isinstance(content, str | bytes):
            raw = content if isinstance(content, bytes) else content.encode()
            end = raw[max(0, len(raw) - record["size"]) :]
            tails[record["id"], record["size"]] = last_bytes(text(without_broken_start(end)) or "", record["size"])
    return tails
