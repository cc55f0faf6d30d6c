"""The places that words are looked for in, as search and outlines name them."""

from __future__ import annotations

import strawberry

from hermes_sessions.model.search.fields import SearchField as SearchField

strawberry.enum(
    SearchField,
    description="ID and TITLE of a session. CONTENT: what people and models wrote. TOOL: names and arguments of tool "
    "calls, and what tools answered. REASONING: what a model thought.",
)
