"""Draw the tree that a session stands in, with the cost of every node: one request for a tree of any depth.

python examples/lineage_tree.py SESSION
"""

from __future__ import annotations

import sys

from connection import connected, options, plain, usd

LINEAGE = """
query Lineage($id: ID!, $most: Int!) {
  session(id: $id) {
    lineage(maxNodes: $most) {
      totalCount truncated
      cost { usd unknownSessions }
      nodes { depth isFocus session { id kind displayTitle messageCount cost { usd unknownSessions } } }
    }
  }
}
"""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("session", help="an id, or a unique beginning of one")
    parser.add_argument("--most", type=int, default=2000, help="draw at most so many  [default: %(default)s]")
    arguments = parser.parse_args()
    with connected(arguments) as ask:
        found = ask(LINEAGE, id=arguments.session, most=arguments.most)["session"]
    if found is None:
        sys.exit(f"The profile {arguments.profile} has no session {arguments.session}.")
    tree = found["lineage"]
    for node in tree["nodes"]:
        session = node["session"]
        mark = ">" if node["isFocus"] else " "
        branch = "  " * node["depth"]
        facts = f"{session['messageCount']} messages, {usd(session['cost'])}"
        print(plain(f"{mark} {branch}{session['kind']} {session['id']}  {session['displayTitle']}  ({facts})"))
    shown = f", {len(tree['nodes'])} drawn" if tree["truncated"] else ""
    print(f"{tree['totalCount']} sessions{shown}, {usd(tree['cost'])}")


if __name__ == "__main__":
    main()
