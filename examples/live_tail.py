"""Follow a conversation: print its messages as they are stored, over compressions and restarts of the server.

python examples/live_tail.py SESSION
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from typing import Any

from gql import Client, gql
from gql.transport.exceptions import TransportError, TransportQueryError
from gql.transport.websockets import WebsocketsTransport

from connection import headers, options, plain

TAIL = """
subscription ($id: ID!, $after: String) { messageStream(id: $id, after: $after) {
  complete resumeCursor session { id } message { id role content(maxBytes: 20000) }
} }
"""


class Tail:
    """Knows by a cursor what was printed: a new connection goes on behind it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._cursor: str | None = None
        self._session = ""

    async def follow(self) -> None:
        """Tries again after any failure but a refusal, once there has been a connection."""
        while True:
            try:
                await self._listen()
            except TransportQueryError as error:
                sys.exit("\n".join(str(each["message"]) for each in error.errors or []))
            except (TransportError, OSError) as error:
                if self._cursor is None:
                    sys.exit(f"No connection to {self._arguments.url}: {error or 'refused'}. Check --url and --token.")
                print("The connection is lost; trying again.", file=sys.stderr)
            await asyncio.sleep(1)

    async def _listen(self) -> None:
        url, init = self._arguments.url.replace("http", "ws", 1), headers(self._arguments)
        request = gql(TAIL)
        request.variable_values = {"id": self._arguments.session, "after": self._cursor}
        async with Client(transport=WebsocketsTransport(url=url, init_payload=init)) as session:
            async for data in session.subscribe(request):
                self._show(data["messageStream"])
                self._cursor = data["messageStream"]["resumeCursor"]

    def _show(self, event: dict[str, Any]) -> None:
        if not event["complete"]:
            print("Messages may be missing here; walk_transcript.py has them all.", file=sys.stderr)
        if event["session"]["id"] != self._session:
            self._session = event["session"]["id"]
            print(plain(f"=== {self._session}"), flush=True)
        if (message := event["message"]) is not None:
            print(plain(f"#{message['id']} {message['role']}\n{message['content'] or ''}\n"), flush=True)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("session", help="the id of any of its sessions, or a unique beginning of one")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(Tail(parser.parse_args()).follow())


if __name__ == "__main__":
    main()
