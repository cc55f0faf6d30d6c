"""Random changes of a store: each is one call of the Protocol, or what another program writes beside it."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from hypothesis import strategies as st

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.model.bulk import ErrorPolicy
from hermes_sessions.model.importing.document import Document, DocumentSessions
from hermes_sessions.model.session import Session
from hermes_sessions.model.shaping import Scope
from hermes_sessions.model.writing.appending import new_message
from hermes_sessions.model.writing.new_session import new_session
from hermes_sessions.model.writing.recording import usage_record
from hermes_sessions.store import Store
from hermes_sessions.store_values import BulkArchiving, BulkDeletion, Fork, ImportOrder
from tests.builders import T

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-3, 3),
    st.sampled_from([2.5, -1.0, 0.1, 7.0, -0.0]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.binary(max_size=6).map(lambda raw: _encoded("blob", raw)),
    st.binary(max_size=4).map(lambda raw: _encoded("text", b"\xff" + raw)),
    st.sampled_from(["\x00json:[1]", "a\x00b", "7", " 7.50 ", "1e3", "2.0", "{}", {"real": "inf"}, {"real": "-inf"}]),
)
"""Cells of a document in our own format."""


def _encoded(kind: str, raw: bytes) -> Any:
    return {kind: base64.b64encode(raw).decode()}


@dataclass(frozen=True)
class Call:
    """One method of a store with its arguments."""

    method: str
    arguments: Sequence[Any]
    options: dict[str, Any] = field(default_factory=dict)

    async def on(self, store: Store) -> Any:
        return await getattr(store, self.method)(*self.arguments, **self.options)


@dataclass(frozen=True)
class Import:
    """A document that is brought in."""

    sessions: Sequence[dict[str, Any]]
    dry_run: bool

    async def on(self, store: Store) -> Any:
        raw = json.dumps({"format": "hermes-sessions/1", "profile": "default", "sessions": self.sessions}).encode()
        document = Document("a file", lambda: nullcontext(io.BytesIO(raw)))
        return await store.import_sessions(ImportOrder(DocumentSessions([document]), self.dry_run))


@dataclass(frozen=True)
class Foreign:
    """A statement of another program, in the SQL of both engines, about the row that stands at a place."""

    table: str
    place: int
    sets: str


@dataclass(frozen=True)
class Wait:
    seconds: float


Operation = Call | Import | Foreign | Wait


async def outcome(operation: Call | Import, store: Store) -> Any:
    try:
        return plain(await operation.on(store))
    except HermesSessionsError as error:
        return plain(error)


def plain(value: Any) -> Any:
    """Values that can be compared whatever their sequences are of."""
    if isinstance(value, HermesSessionsError):
        return (value.code, value.message, value.details)
    if isinstance(value, Session):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def difference(one: Any, other: Any, place: str = "") -> str | None:
    """Where two values first differ, and how; None where they are equal."""
    if one == other:
        return None
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(filter(None, (difference(one[name], other[name], f"{place}.{name}") for name in one)), place)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next(filter(None, (difference(*pair, f"{place}[{at}]") for at, pair in pairs)), place)
    return f"{place}: {one!r} and {other!r}"


def calls(method: str, *arguments: st.SearchStrategy[Any], **options: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(Call, st.just(method), st.tuples(*arguments), st.fixed_dictionaries(options))


def permitted(make: Callable[..., Any], **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What the API would let through."""

    def made(given: dict[str, Any]) -> Any:
        try:
            return make(**given)
        except HermesSessionsError:
            return None

    return st.fixed_dictionaries(arguments).map(made).filter(lambda value: value is not None)


FLAG = st.booleans()
NEW_IDS = st.sampled_from(["n1", "n2", "n3", "d", "漢字"])
IDS = st.one_of(
    st.sampled_from(["d1", "d2", "d3", "sub1", "br1", "leg", "d3s", "ferry", "made-1", "none", "x1", "day", "next2"]),
    NEW_IDS,
)
SCOPES = st.sampled_from(Scope)
TITLES = st.sampled_from([None, "Plan", "Plan #3", "Ferry", "Neu", "漢字 title", "neu"])
TEXTS = st.sampled_from([None, "", "book the ferry", "漢字かな Überfahrt", "a%b_c", "line\nline", "error: it failed"])
MODELS = st.sampled_from([None, "a/one", "b/two"])
MOMENTS = st.sampled_from([None, T + 1, T + 9_999, T + 20_000.5])
CALLED = [{"id": "c1", "type": "function", "function": {"name": "booking", "arguments": '{"to": "é 漢字"}'}}]

MESSAGES = st.one_of(
    permitted(
        new_message,
        place=st.just("messages.0"),
        role=st.sampled_from(["user", "assistant", "tool", "system"]),
        content=TEXTS,
        client_id=st.sampled_from([None, None, "c-1", "c-2"]),
        tool_call_id=st.sampled_from([None, "c1"]),
        token_count=st.sampled_from([None, 3]),
        timestamp=MOMENTS,
    ),
    permitted(
        new_message,
        place=st.just("messages.0"),
        role=st.just("assistant"),
        parts=st.sampled_from([None, [{"type": "text", "text": "booked 漢字"}]]),
        tool_calls=st.sampled_from([None, CALLED]),
        reasoning=TEXTS,
    ),
)
RECORDS = permitted(
    usage_record,
    counts=st.fixed_dictionaries(
        {"input_tokens": st.sampled_from([None, 0, 5, 2**52]), "api_call_count": st.sampled_from([None, 0, 2])}
    ),
    model=MODELS,
    provider=st.sampled_from([None, "p"]),
    task=st.sampled_from([None, None, "compression"]),
    estimated_usd=st.sampled_from([None, 0, 0.25, 3]),
    actual_usd=st.sampled_from([None, None, 0.5]),
    status=st.sampled_from([None, "included"]),
    absolute=FLAG,
)
PICKED = st.lists(IDS, min_size=1, max_size=5, unique=True)
POLICIES = st.sampled_from(ErrorPolicy)
DOCUMENTED = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["x1", "x2", "d1", "n1", "bad\x00id"]),
        "source": st.sampled_from(["cli", 7, "漢字"]),
        "started_at": st.sampled_from([T, int(T) + 5, "soon"]),
        "messages": st.lists(
            st.fixed_dictionaries(
                {"role": st.sampled_from(["user", "tool", 3]), "timestamp": st.sampled_from([T + 1, int(T) + 60, "x"])},
                optional={
                    "id": st.sampled_from([2, 50, 60, 70, 2**53 - 2, "a"]),
                    **dict.fromkeys(("content", "tool_calls", "active", "compacted", "token_count", "observed"), CELLS),
                },
            ),
            max_size=3,
        ),
        "usage": st.lists(
            st.fixed_dictionaries(
                {"model": st.sampled_from(["m", "n"])},
                optional=dict.fromkeys(("task", "input_tokens", "estimated_cost_usd", "first_seen"), CELLS),
            ),
            max_size=1,
        ),
    },
    optional={
        "parent_session_id": st.sampled_from([None, "x1", "x2", "d2", "gone", "a\x00b", 5]),
        "title": st.sampled_from([None, "Plan", "Ferry", "x\x00y", 12]),
        **dict.fromkeys(("model_config", "archived", "ended_at", "input_tokens", "estimated_cost_usd", "model"), CELLS),
    },
)
FOREIGN = st.one_of(
    st.builds(
        Foreign,
        st.just("messages"),
        st.integers(0, 9),
        st.sampled_from(
            [
                "active = 0, compacted = 1",
                "active = 0, compacted = 0",
                "active = 1, compacted = 0",
                "content = 'written by another program'",
                "content = NULL",
            ]
        ),
    ),
    st.builds(Foreign, st.just("sessions"), st.integers(0, 9), st.sampled_from(["title = 'Foreign'", "title = NULL"])),
)
OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    calls("rename", IDS, TITLES, SCOPES),
    calls("archive", IDS, FLAG, SCOPES),
    calls(
        "create",
        permitted(
            new_session,
            id=st.one_of(st.none(), NEW_IDS),
            title=TITLES,
            parent=st.one_of(st.none(), IDS),
            model=MODELS,
            model_config=st.sampled_from([None, {"max": 3, "é": "漢"}]),
            system_prompt=TEXTS,
            cwd=st.sampled_from([None, "/srv/app"]),
        ),
    ),
    calls(
        "fork",
        st.builds(
            Fork,
            IDS,
            st.one_of(st.none(), st.integers(1, 12)),
            TITLES,
            st.sampled_from([None, "web"]),
            st.one_of(st.none(), NEW_IDS),
        ),
    ),
    calls("end", IDS, st.sampled_from(["done", "session_reset", "compression"]), SCOPES, force=FLAG),
    calls("reopen", IDS, SCOPES, force=FLAG),
    calls("append", IDS, st.lists(MESSAGES, min_size=1, max_size=4), SCOPES, force=FLAG),
    calls("append", IDS, st.lists(MESSAGES, min_size=1, max_size=4), SCOPES, force=FLAG),
    calls("record_usage", IDS, RECORDS, SCOPES),
    calls("delete", IDS, SCOPES, exact=FLAG, permanent=FLAG, force=FLAG, dry_run=FLAG),
    calls("restore", st.sampled_from(["bin-1", "bin-2", "bin-3", "nowhere"]), dry_run=FLAG),
    calls("archive_many", st.builds(BulkArchiving, PICKED, SCOPES, POLICIES, FLAG, FLAG)),
    calls(
        "delete_many",
        st.builds(
            BulkDeletion,
            PICKED,
            SCOPES,
            POLICIES,
            permanent=FLAG,
            force=FLAG,
            idle_since=st.sampled_from([None, T + 9_000]),
            dry_run=FLAG,
        ),
    ),
    st.builds(Import, st.lists(DOCUMENTED, min_size=1, max_size=3), FLAG),
    FOREIGN,
    st.builds(Wait, st.sampled_from([1.0, 400.0])),
)
