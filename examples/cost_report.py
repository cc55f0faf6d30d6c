"""Print what was spent by month and model, over all profiles or one of them.

python examples/cost_report.py --time-zone Europe/Berlin
"""

from __future__ import annotations

from typing import Any

from connection import connected, options, plain

COSTS = """
query Costs($profiles: [String!]!, $timeZone: String!) {
  usage(profiles: $profiles, by: [MONTH, MODEL], timeZone: $timeZone) {
    rows { ...spent }
    total { ...spent }
    failures { profile message }
  }
}
fragment spent on UsageRow {
  month model sessions usage { totalTokens } cost { usd estimatedUsd actualUsd unknownSessions }
}
"""


def line(row: dict[str, Any], month: str, model: str) -> str:
    """Unknown costs are counted, never added as 0."""
    cost = row["cost"]
    dollars = f"{cost['usd']:12.4f}" if cost["usd"] is not None else f"{'unknown':>12}"
    unknown = f"  + {cost['unknownSessions']} unknown" if cost["unknownSessions"] else ""
    return f"{month:<8} {model:<36} {row['sessions']:>8} {row['usage']['totalTokens']:>14} {dollars}{unknown}"


def main() -> None:
    parser = options(__doc__)
    parser.set_defaults(profile="")
    parser.add_argument("--time-zone", default="UTC", help="whose months  [default: %(default)s]")
    arguments = parser.parse_args()
    profiles = [arguments.profile] if arguments.profile else []
    arguments.profile = arguments.profile or "default"
    with connected(arguments) as ask:
        report = ask(COSTS, profiles=profiles, timeZone=arguments.time_zone)["usage"]
    print(f"{'month':<8} {'model':<36} {'sessions':>8} {'tokens':>14} {'USD':>12}")
    for row in report["rows"]:
        print(plain(line(row, row["month"] or "undated", row["model"] or "no model")))
    print(line(report["total"], "total", ""))
    for failure in report["failures"]:
        print(f"without {failure['profile']}: {failure['message']}")


if __name__ == "__main__":
    main()
