"""The log: lines on standard error, from which the token is taken out wherever it turns up."""

from __future__ import annotations

import logging
import sys

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _Redacting(logging.Formatter):
    def __init__(self, secret: str | None) -> None:
        super().__init__(_FORMAT)
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return text.replace(self._secret, "[token]") if self._secret else text


def configure(level: str, secret: str | None) -> None:
    """Sets the root logger up; uvicorn's own lines about connections and processes only where they warn."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Redacting(secret))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("uvicorn.error", "uvicorn.asgi", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
