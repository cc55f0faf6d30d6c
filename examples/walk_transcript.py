"""Print a whole conversation, however often compression cut it, page by page.

python examples/walk_transcript.py SESSION
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from connection import Ask, connected, options, plain

PAGE = """
query Page($id: ID!, $first: Int!, $after: String) {
  conversation(id: $id) {
    displayTitle
    messages(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges {
        seam { kind }
        node { id role timestamp content toolName toolCalls { name argumentsText } }
      }
    }
  }
}
"""


def walk(ask: Ask, session: str, page: int) -> Iterator[dict[str, Any]]:
    """The edges of all pages. A cursor stays good while messages are added."""
    after = None
    while True:
        conversation = ask(PAGE, id=session, first=page, after=after)["conversation"]
        if conversation is None:
            sys.exit(f"There is no session {session}.")
        if after is None:
            print(plain(f"{conversation['displayTitle']}: {conversation['messages']['totalCount']} messages"))
        yield from conversation["messages"]["edges"]
        info = conversation["messages"]["pageInfo"]
        if not info["hasNextPage"]:
            return
        after = info["endCursor"]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("session", help="the id of any of its sessions, or a unique beginning of one")
    parser.add_argument("--page", type=int, default=100, help="messages of one request  [default: %(default)s]")
    arguments = parser.parse_args()
    with connected(arguments) as ask:
        for edge in walk(ask, arguments.session, arguments.page):
            message = edge["node"]
            if edge["seam"] is not None:
                print(f"\n=== {edge['seam']['kind']}")
            speaker = f"{message['role']} {message['toolName']}" if message["toolName"] else message["role"]
            print(plain(f"\n#{message['id']} {speaker}, {message['timestamp'] or 'at an unknown time'}"))
            for call in message["toolCalls"]:
                print(plain(f"-> {call['name']} {call['argumentsText']}"))
            if message["content"]:
                print(plain(message["content"]))


if __name__ == "__main__":
    main()
