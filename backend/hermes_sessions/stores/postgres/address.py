"""Where a store in PostgreSQL is: a URL as every program of PostgreSQL takes it, with a few parameters of our own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from hermes_sessions.errors import bad_input

SCHEMES = ("postgresql", "postgres")
DEFAULT_SCHEMA = "hermes_sessions"
_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class Address:
    """`dsns` are for the driver alone: they may hold a password. There is one for each host that the URL names, in its
    order; of several, only one that takes writes is used, unless `target_session_attrs` says otherwise. `schema` is
    the schema of the database that the store is in; `caches_statements` is false behind a pooler that hands out
    another connection for each transaction. Whether there is one is looked for where the URL says nothing about it."""

    dsns: tuple[str, ...] = field(repr=False)
    schema: str = DEFAULT_SCHEMA
    caches_statements: bool = True
    looks_for_pooler: bool = True

    @staticmethod
    def of(profile: str, url: str) -> Address:
        """Raises BAD_USER_INPUT, without a word of the URL, which may hold a password."""
        try:
            parts = urlsplit(url)
            parameters = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        except ValueError:
            raise bad_input(f"Profile {profile}: its URL cannot be read. {_FORM}") from None
        if parts.scheme not in SCHEMES:
            raise bad_input(f"Profile {profile}: only PostgreSQL is served by URL. {_FORM}")
        schema = parameters.pop("schema", DEFAULT_SCHEMA)
        if not _SCHEMA_NAME.fullmatch(schema):
            raise bad_input(f"Profile {profile}: `schema` must be of small letters, digits and _, and no digit first.")
        pooled = parameters.pop("pgbouncer", "").lower()
        if pooled not in ("true", "false", ""):
            raise bad_input(f"Profile {profile}: `pgbouncer` is true or false.")
        user, at, hosts = parts.netloc.rpartition("@")
        several = hosts.split(",")
        if len(several) > 1:
            parameters.setdefault("target_session_attrs", "read-write")
        query = urlencode(parameters)
        dsns = (urlunsplit(parts._replace(netloc=f"{user}{at}{host}", query=query)) for host in several)
        return Address(tuple(dsns), schema, caches_statements=pooled != "true", looks_for_pooler=not pooled)


_FORM = "Write NAME=postgresql://user@host:5432/database, and leave the password to PGPASSWORD or ~/.pgpass."
