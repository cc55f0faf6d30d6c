"""The parts that all connections share."""

from collections.abc import Sequence

import strawberry

from hermes_sessions.api.context import Context
from hermes_sessions.model.paging import CursorCodec, PageRequest, Place, page_request


@strawberry.type(description="Both flags are facts about the list at the time of the answer, in either direction.")
class PageInfo:
    places: strawberry.Private[Sequence[Place]]
    has_next_page: bool
    has_previous_page: bool

    @strawberry.field
    def start_cursor(self) -> str | None:
        return self.places[0].cursor if self.places else None

    @strawberry.field
    def end_cursor(self) -> str | None:
        return self.places[-1].cursor if self.places else None


def request_of(
    context: Context,
    codec: CursorCodec,
    first: int | None,
    after: str | None,
    last: int | None = None,
    before: str | None = None,
) -> PageRequest:
    """The checked arguments of a connection, within the limits of the settings."""
    settings = context.settings
    return page_request(
        codec,
        first,
        after,
        last,
        before,
        default_size=min(settings.default_page_size, settings.max_page_size),
        max_size=settings.max_page_size,
    )


def page_info(has_next: bool, has_previous: bool, places: Sequence[Place]) -> PageInfo:
    """`places` are those of the page's items, or of the first and the last one."""
    return PageInfo(places=places, has_next_page=has_next, has_previous_page=has_previous)
