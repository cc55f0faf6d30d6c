"""The server in the schema."""

from importlib.metadata import PackageNotFoundError, version

import strawberry

from hermes_sessions.api.context import Context


@strawberry.type
class Server:
    version: str
    read_only: bool = strawberry.field(description="Every mutation is refused with READ_ONLY.")
    sqlite_version: str
    default_profile: str = strawberry.field(description="The profile of requests that name none.")
    max_page_size: int = strawberry.field(description="The greatest `first` or `last`.")
    bin_days: int | None = strawberry.field(
        description="Days for which what was deleted lies in the bin, to be brought back by restoreSessions. Null "
        "where there is no bin: every deletion is final."
    )
    warnings: list[str] = strawberry.field(description="What the operator should know; empty when all is well.")


def server_of(context: Context) -> Server:
    facts = context.server
    return Server(
        version=package_version(),
        read_only=context.settings.read_only,
        sqlite_version=facts.sqlite_version,
        default_profile=context.profiles.default_name,
        max_page_size=context.settings.max_page_size,
        bin_days=context.settings.bin_days or None,
        warnings=[*facts.warnings, *context.profiles.left_out()],
    )


def package_version() -> str:
    try:
        return version("hermes-sessions")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "0+source"
