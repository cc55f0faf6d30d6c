"""What the examples share: where the server is, and one function that asks it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from gql import Client, gql
from gql.transport.exceptions import TransportConnectionFailed, TransportError, TransportQueryError
from gql.transport.httpx import HTTPXTransport

Ask = Callable[..., dict[str, Any]]
"""`ask(query, name=value, ...)` gives the data of an answer."""


def options(description: str | None) -> argparse.ArgumentParser:
    """A parser that knows --url, --token and --profile."""
    parser = argparse.ArgumentParser(description=description)
    url = os.environ.get("HERMES_SESSIONS_URL", "http://127.0.0.1:8787/graphql")
    parser.add_argument(
        "--url", default=url, help="the address of the API  [HERMES_SESSIONS_URL; default: %(default)s]"
    )
    parser.add_argument("--token", help="as the server printed it  [HERMES_SESSIONS_TOKEN]")
    parser.add_argument("--profile", default="default", help="the profile to ask  [default: %(default)s]")
    return parser


def headers(arguments: argparse.Namespace) -> dict[str, str]:
    """The token and the profile, as every request sends them."""
    token = arguments.token or os.environ.get("HERMES_SESSIONS_TOKEN", "")
    return {"Authorization": f"Bearer {token}", "X-Hermes-Profile": arguments.profile}


@contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[Ask]:
    """Asks the server in the block. What goes wrong ends the program with one sentence."""
    transport = HTTPXTransport(arguments.url, headers=headers(arguments), timeout=60)
    try:
        with Client(transport=transport) as session:

            def ask(query: str, **variables: Any) -> dict[str, Any]:
                request = gql(query)
                request.variable_values = variables
                answer: dict[str, Any] = session.execute(request)
                return answer

            yield ask
    except TransportQueryError as error:
        sys.exit("\n".join(str(each["message"]) for each in error.errors or []))
    except (TransportConnectionFailed, httpx.TimeoutException) as error:
        sys.exit(f"There is no answer from {arguments.url}: {error}. Is `hermes-sessions serve` running?")
    except TransportError as error:
        sys.exit(f"{arguments.url} refuses: {error}. Check --url and --token.")


def usd(cost: dict[str, Any]) -> str:
    """A cost in words; an unknown one is counted, not added as 0."""
    if cost["usd"] is None:
        return "unknown cost"
    return f"${cost['usd']:.4f}" + (f" + {cost['unknownSessions']} unknown" if cost["unknownSessions"] else "")


def plain(text: str) -> str:
    """Stored text without what would steer a terminal."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text)
