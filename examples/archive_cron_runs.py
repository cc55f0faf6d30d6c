"""Archive the runs of cron jobs that ended long ago: hide them from lists, lose nothing. Made to run every night.

python examples/archive_cron_runs.py --older-than 14 --dry-run
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from connection import connected, options, plain

ARCHIVE = """
mutation Archive($profile: String!, $before: DateTime!, $dryRun: Boolean!) {
  archiveSessions(input: {
    profile: $profile, dryRun: $dryRun, errorPolicy: SKIP_FAILED,
    filter: {sources: ["cron"], activeBefore: $before, live: false, archived: EXCLUDE}
  }) {
    changedIds
    skipped { id reason }
    userErrors { code message }
  }
}
"""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--older-than", type=float, default=30, metavar="DAYS", help="[default: %(default)g]")
    parser.add_argument("--dry-run", action="store_true", help="say what would be archived, and change nothing")
    arguments = parser.parse_args()
    before = datetime.now(UTC) - timedelta(days=arguments.older_than)
    count = 0
    with connected(arguments) as ask:
        while True:
            answer = ask(ARCHIVE, profile=arguments.profile, before=before.isoformat(), dryRun=arguments.dry_run)
            done = answer["archiveSessions"]
            count += len(done["changedIds"])
            for session_id in done["changedIds"]:
                print(plain(session_id))
            # Thousands take longer than one request may: the same call again goes on with the rest.
            if not done["changedIds"] or [each["code"] for each in done["userErrors"]] != ["TIMEOUT"]:
                break
    for each in done["skipped"]:
        print(f"{each['id']} was skipped: {each['reason']}", file=sys.stderr)
    verb = "would be archived" if arguments.dry_run else "archived"
    print(f"{count} sessions {verb}, last active before {before:%Y-%m-%d %H:%M} UTC.")
    if done["userErrors"]:
        sys.exit("\n".join(each["message"] for each in done["userErrors"]))


if __name__ == "__main__":
    main()
