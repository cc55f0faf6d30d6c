"""Contents of messages: as much of each as a page needs, and the rest on request."""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
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
from hermes_sessions.stores.columns import Columns
from hermes_sessions.stores.database import Connection

MAX_CONTENT_BYTES = 262_144
"""Longer contents come cut in a page."""
MAX_STRUCTURED_BYTES = 4_000_000
"""Structured contents cannot be cut and still be read: up to this they come whole."""

_STRUCTURED_HEAD = "x'006A736F6E3A'"


def cut_sql(cut: str, whole: str) -> str:
    """Content, or its first bytes where it is longer; structured content whole up to its own limit."""
    return f"""
        CASE WHEN octet_length(messages.content) <= {cut} OR typeof(messages.content) <> 'text' THEN messages.content
             WHEN octet_length(messages.content) <= {whole} AND content_head(messages.id, 6) = {_STRUCTURED_HEAD}
             THEN messages.content
             ELSE content_head(messages.id, {cut}) END
    """


async def messages_by_id(connection: Connection, columns: Columns, ids: Sequence[int]) -> dict[int, Message]:
    rows = await connection.fetch_all(
        f"""
        SELECT {columns.select("messages", MESSAGE_COLUMNS[:-1])},
               {cut_sql(":cut", ":whole")} AS content, octet_length(messages.content) AS stored_bytes
        FROM messages WHERE messages.id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": json.dumps(list(ids)), "cut": MAX_CONTENT_BYTES, "whole": MAX_STRUCTURED_BYTES},
    )
    return {row["id"]: Message(_message_row(tuple(row))) for row in rows}


def _message_row(cells: Sequence[Any]) -> MessageRow:
    content, stored_bytes = cells[-2], cells[-1] or 0
    if type(content) is str and stored_bytes <= MAX_CONTENT_BYTES:
        return MessageRow._make((*cells, False))
    is_structured = isinstance(content, str) and content.startswith(STRUCTURED_PREFIX)
    is_cut = stored_bytes > MAX_CONTENT_BYTES and not is_structured
    return MessageRow._make((*cells[:-2], content_as_text(content, stored_bytes), stored_bytes, is_cut))


def content_as_text(content: Any, stored_bytes: int) -> Any:
    """Content as `cut_sql` gives it, bytes as text: what is no UTF-8 is replaced, a character that the cut went through
    is dropped."""
    if not isinstance(content, bytes):
        return content
    is_whole = len(content) == stored_bytes
    return codecs.getincrementaldecoder("utf-8")("replace").decode(content, is_whole)


async def whole_content(connection: Connection, message_id: int, max_bytes: int) -> str | None:
    """Plain text of one message, cut after `max_bytes`."""
    row = await connection.fetch_one(
        f"""
        SELECT {cut_sql(":cut", "2147483647")} AS content, octet_length(messages.content) AS stored_bytes
        FROM messages WHERE messages.id = :id
        """,
        {"id": message_id, "cut": max_bytes},
    )
    if row is None or row["content"] is None:
        return None
    content = str(content_as_text(row["content"], row["stored_bytes"]))
    if content.startswith(STRUCTURED_PREFIX):
        content = plain_text(decode_content(content, Warnings()))
    return cut_to_bytes(text(content) or "", max_bytes)[0]


async def content_tails(connection: Connection, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The last bytes of each content, without the part of a character that they may begin with."""
    rows = await connection.fetch_all(
        """
        SELECT wanted.key AS place, content_tail(messages.id, json_extract(wanted.value, '$[1]')) AS tail
        FROM json_each(:wanted) AS wanted JOIN messages ON messages.id = json_extract(wanted.value, '$[0]')
        WHERE typeof(messages.content) IN ('text', 'blob')
        """,
        {"wanted": json.dumps(list(wanted))},
    )
    # What is no UTF-8, and NUL, is replaced by more bytes than it had.
    tails = {wanted[row["place"]]: text(without_broken_start(row["tail"])) or "" for row in rows}
    return {(id, limit): last_bytes(tail, limit) for (id, limit), tail in tails.items()}
