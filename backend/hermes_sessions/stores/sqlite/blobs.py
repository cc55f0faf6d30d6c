"""Pieces of large values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw


def content_piece(connection: apsw.Connection, *, at_end: bool) -> Callable[..., bytes]:
    """SQL functions content_head(id, n) and content_tail(id, n): the first and the last n bytes of a message's content.

    Incremental I/O holds only the pages that it reads, where substr() would load a 20 MB value first.
    """

    def piece(message_id: Any, size: Any) -> bytes:
        blob = connection.blob_open("main", "messages", "content", message_id, False)
        try:
            if at_end:
                blob.seek(max(0, blob.length() - size))
            return bytes(blob.read(min(size, blob.length())))
        finally:
            blob.close()

    return piece
