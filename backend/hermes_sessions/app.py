"""The composition root: the one place that introduces the parts to each other."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator

from starlette.applications import Starlette

from hermes_sessions.api.context import Context, ServerFacts
from hermes_sessions.api.executor import Answer, Executor
from hermes_sessions.api.importing import MUTATION as IMPORT
from hermes_sessions.api.schema import build_schema
from hermes_sessions.api.server import package_version
from hermes_sessions.feed import Feeds
from hermes_sessions.model.export.html import POLICY
from hermes_sessions.model.export.outline import ExportScope, Outline, file_name, outline_of
from hermes_sessions.model.export.writing import FORMATS, Format, export_text
from hermes_sessions.opening import export_source, open_profiles
from hermes_sessions.profiles import Profiles
from hermes_sessions.readiness import ProfileStates
from hermes_sessions.settings import Settings
from hermes_sessions.stores.sqlite.worker import sqlite_version, sqlite_warnings
from hermes_sessions.web.export import Export, export_route
from hermes_sessions.web.graphql import GraphQLReply, GraphQLRequest, LargeRequests, ReplyKind
from hermes_sessions.web.health import Health
from hermes_sessions.web.metrics import Metrics
from hermes_sessions.web.routes import web_application
from hermes_sessions.web.websocket import websocket_route

_log = logging.getLogger("hermes_sessions.profiles")


def create_app(settings: Settings) -> Starlette:
    """The web application for these settings. Stores are opened when first asked for, closed at shutdown."""
    profiles = open_profiles(settings)
    for sentence in profiles.left_out():
        _log.warning("%s", sentence)
    feeds = Feeds(settings.poll_interval)
    facts = ServerFacts(sqlite_version(), sqlite_warnings())
    executor = Executor(build_schema(), settings, lambda profile: Context(profiles, feeds, settings, facts, profile))

    async def execute(request: GraphQLRequest) -> GraphQLReply:
        answer = await executor.execute(
            request.query,
            operation_name=request.operation_name,
            variables=request.variables,
            profile=request.profile,
            request_id=request.request_id,
        )
        return _reply(answer)

    async def stream(request: GraphQLRequest) -> AsyncGenerator[GraphQLReply, None]:
        answers = executor.stream(
            request.query,
            operation_name=request.operation_name,
            variables=request.variables,
            profile=request.profile,
            request_id=request.request_id,
        )
        async with contextlib.aclosing(answers):
            async for answer in answers:
                yield _reply(answer)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await feeds.close()
        await profiles.close()

    async def open_export(profile: str, session_id: str, scope: str, ending: str) -> Export:
        with profiles.lease() as lease:
            store = await lease.get(profile)
            outline = outline_of(store.profile, await store.forest(), session_id, ExportScope(scope))
        chosen = FORMATS[ending]
        name = file_name(outline.entries[0].session.id, ending)
        headers = {"content-security-policy": POLICY} if ending == "html" else {}
        return Export(name, chosen.media_type, exported(profiles, outline, chosen), headers)

    exports = export_route(open_export, frozenset(FORMATS), frozenset(scope.value for scope in ExportScope))
    imports = LargeRequests(
        lambda request: executor.has_only(IMPORT, request.query, request.operation_name),
        settings.max_import_bytes,
        settings.import_timeout,
    )
    metrics = Metrics(package_version())
    routes = [
        exports,
        websocket_route(stream, settings, metrics),
        *Health(ProfileStates(profiles, settings.ready_timeout), metrics).routes(),
    ]
    return web_application(settings, execute=execute, metrics=metrics, routes=routes, lifespan=lifespan, large=imports)


async def exported(profiles: Profiles, outline: Outline, chosen: Format) -> AsyncGenerator[str, None]:
    """The text of an export, whose store stays open until it is read or given up."""
    with profiles.lease() as lease:
        source = export_source(await lease.get(outline.profile))
        async with contextlib.aclosing(export_text(outline, source, chosen)) as text:
            async for piece in text:
                yield piece


def _reply(answer: Answer) -> GraphQLReply:
    kind = ReplyKind.EXECUTED if answer.executed else ReplyKind.REQUEST_ERROR
    if answer.unknown_operation:
        kind = ReplyKind.BAD_REQUEST
    return GraphQLReply(answer.body, kind, answer.operation, answer.codes)
