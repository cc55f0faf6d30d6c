"""What a model thought before it answered, wherever a message holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hermes_sessions.model.values import UNHEARD, label, stored_json

_THINK_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)


def find_reasoning(reasoning: Any, reasoning_content: Any, reasoning_details: Any, content: str) -> str | None:
    """`reasoning`, else `reasoning_content`, else the text in `reasoning_details`, else inline think tags."""
    stored = label(reasoning) or label(reasoning_content)
    if stored is not None:
        return stored
    if reasoning_details is not None:
        details = _details_text(stored_json(reasoning_details, "reasoning_details", UNHEARD))
        if details:
            return details
    if "<" not in content:
        return None
    return "\n".join(_between_think_tags(content)) or None


def _between_think_tags(content: str) -> Iterator[str]:
    """What stands between a tag and the next one that closes it, in one pass however many are never closed."""
    opened: tuple[str, int] | None = None
    for tag in _THINK_TAG.finditer(content):
        name = tag.group(2).lower()
        if not tag.group(1):
            opened = opened or (name, tag.end())
        elif opened is not None and opened[0] == name:
            yield content[opened[1] : tag.start()].strip()
            opened = None


def _details_text(value: Any) -> str:
    items = value if isinstance(value, list) else [value]
    words = [item.get("text") or item.get("summary") for item in items if isinstance(item, dict)]
    return "\n".join(word for word in words if isinstance(word, str) and word.strip())
