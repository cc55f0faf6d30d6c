"""Long work: a transcript of more than 1,500 messages, and conversations of two, four and five segments."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from itertools import pairwise

from hermes_sessions.demo.models import CODEX, GPT, HAIKU, LOCAL, SONNET
from hermes_sessions.demo.script import Row, Slots
from hermes_sessions.demo.teller import DAY, HOUR, Teller

AREAS = ("booking", "pricing", "tracking", "invoices", "webhooks", "reports", "search", "admin")
NOUNS = ("list", "detail", "form", "store", "export", "cache", "events", "policy", "audit", "views", "import", "rules")
VERBS = ("load", "save", "merge")
FILES = tuple(f"services/{area}/{verb}_{noun}.py" for area in AREAS for noun in NOUNS for verb in VERBS)

START = """
user: rename "lane" to "route" everywhere: 288 files. file by file please, tests after each, tell me when something is not just a name
agent: I'll go area by area: read, change, test. I stop where a rename changes behaviour, for example in a column or a public field.
"""
ONE_FILE = """
call read_file: $file
result: from services.common import db


def $function(lane_id: int) -> Lane:
    row = db.one("SELECT * FROM lanes WHERE id = %s", [lane_id])
    return Lane(**row)
call patch: $file
def $function(lane_id: int) -> Lane:
    row = db.one("SELECT * FROM lanes WHERE id = %s", [lane_id])
    return Lane(**row)
=>
def $function(route_id: int) -> Route:
    row = db.one("SELECT * FROM lanes WHERE id = %s", [route_id])
    return Route(**row)
call terminal: pytest -q tests/$area -k $noun
result: [32m$count passed[0m in 0.$count s
"""
AREA_DONE = """
user: $area done? go on with the next one
agent: `$area` is done, all tests pass. I left the table name `lanes` alone, as agreed.
"""
FINISH = """
user: is anything left?
call terminal: grep -rnw lane services | grep -v "FROM lanes" | wc -l
result: 0
agent: Nothing is left but the table's name. 288 files, no behaviour changed.
"""

SEGMENTS = (
    """
user: plan the move of bookings from the old database to the new cluster. we have a window of 20 minutes on sunday
think: 40 million rows, 20 minutes: logical replication and a short switch, not a dump.
agent: With 20 minutes a dump is out of the question. Logical replication for a week, then a switch of about two minutes.
call terminal: psql old -c "select pg_size_pretty(pg_database_size('booking'))"
result:  212 GB
agent: 212 GB. At 60 MB/s the first copy takes an hour; it can run tonight without anybody noticing.
user: start tonight at 23
call terminal: at 23:00 -f start_subscription.sh
result: job 3 at 23:00
agent: Scheduled.
""",
    """
user: morning. how far is it?
call terminal: psql new -c "select count(*) from bookings"
result:  40113882
agent: All 40,113,882 rows are there, the delay is below a second.
user: verify a sample of 100k rows
call execute_code: print(compare("old", "new", sample=100_000))
result: rows compared 100000, different 3 (updated_at only)
agent: Three rows differ in `updated_at` alone: they were written while I compared. I compared them again: equal.
""",
    """
user: sunday 06:00, window is open. go step by step and wait for my ok each time
agent: Step 1 of 4: **stop the writers** (`booking`, `webhooks`). OK?
user: ok
call terminal: kubectl -n prod scale deploy/booking deploy/webhooks --replicas=0
result: deployment.apps/booking scaled
deployment.apps/webhooks scaled
agent: Step 2: wait until the delay is zero. It is. Step 3: **switch the connection string**. OK?
user: ok
call terminal: kubectl -n prod set env deploy/booking deploy/webhooks DATABASE_HOST=pg-new.internal
result: deployment.apps/booking env updated
deployment.apps/webhooks env updated
agent: Step 4: **start the writers**. OK?
user: ok!
call terminal: kubectl -n prod scale deploy/booking deploy/webhooks --replicas=4
result: deployment.apps/booking scaled
deployment.apps/webhooks scaled
agent: Writers are up. The switch took 1 minute 48 seconds.
""",
    """
user: a week later. can we switch the old one off?
call terminal: psql old -c "select max(updated_at) from bookings"
result:  2026-02-15 06:01:12+00
agent: Nothing has been written to it since the switch. Take one last backup, then yes.
user: backup done
agent: Then switch it off and delete the subscription. The project is finished.
""",
)
SUMMARIES = (
    "## Goal\nMove bookings to the new cluster within 20 minutes.\n\n## Done\nReplication starts at 23:00.",
    "## Goal\nMove bookings.\n\n## Done\nAll rows are copied, the sample is equal.\n\n## Next\nSwitch on Sunday.",
    "## Goal\nMove bookings.\n\n## Done\nSwitched in 1:48.\n\n## Next\nKeep the old one for a week.",
)

GARDEN = tuple(
    (
        f"user: garden, {month}: what is there to do?\nagent: In {month}: {work}.\n"
        f"user: and the compost?\nagent: {compost}"
    )
    for month, work, compost in (
        ("March", "sow tomatoes inside, prune the apple, repair the water barrel", "Turn it once, it has slept all winter."),
        ("April", "sow carrots and spinach, harden off the tomatoes", "Add the first grass in thin layers."),
        ("May", "plant tomatoes after the 15th, mulch everything", "Keep it as moist as a wrung-out sponge."),
        ("July", "tie up, water in the morning, pick beans every second day", "It may get dry now: a can of water a week."),
        ("September", "save seeds, sow green manure, plant garlic at the end", "Sieve it; the raised bed is waiting."),
    )
)  # fmt: skip


RELATED = (
    """
user: the related work section is two pages of names. i want one page that argues. start with what the field got wrong
agent: Then the replication leads: *six of nine results hold.* Everything else is sorted by whether it would survive the same test.
user: make the list, with one line each
call delegate_task: For the 14 papers in notes/refs.bib: one line each, does it report the preprocessing and release its runs?
result: Reported and released: 5. Reported only: 4. Neither: 5.
agent: Five report and release, four only report, five do neither. That is the argument of the section: three paragraphs, in this order.
""",
    """
user: reviewer 1 says that we are unfair to the five
think: Soften the tone, not the fact: they could not have known. Add the year of the first guideline.
agent: They have a point about tone: the first guideline on released runs is from 2023, and four of the five are older.

> Four of these predate any guideline, and we name them for their influence, not as examples of carelessness.
user: good. that goes in
call patch: paper/related.tex
Five papers do neither.
=>
Five papers do neither. Four of these predate any guideline, and we name them for their influence.
agent: It is in. The section has exactly one page.
""",
)
CHECK_PAPERS = """
user: For the 14 papers in notes/refs.bib: one line each, does it report the preprocessing and release its runs?
call read_file: notes/refs.bib
result: @misc{wrong2025, title={What agent memory gets wrong}, eprint={2509.11203}}
@misc{survey2025, title={A survey of agent memory}, eprint={2504.01877}}
call web_extract: https://papers.example.org/2504.01877
fails: 403 Forbidden
agent: Reported and released: 5. Reported only: 4. Neither: 5. (One page could not be opened; I took its repository instead.)
"""


def tell_renaming(teller: Teller, days_ago: float) -> None:
    """One session of more than 1,500 messages."""
    draft = teller.begin(teller.ago(days_ago), "cli", title="Rename lane to route", model=CODEX, project="booking-api")
    draft.tell(_quick(teller.rows(START)))
    for area in AREAS:
        for number, file in enumerate(file for file in FILES if f"/{area}/" in file):
            draft.tell(_quick(teller.rows(ONE_FILE, _slots(file, area, number))))
        draft.tell(_quick(teller.rows(AREA_DONE, {"area": area})))
    draft.tell(_quick(teller.rows(FINISH)))
    draft.end("cli_close")


def tell_migration(teller: Teller, days_ago: float) -> None:
    """A conversation of four segments over two weeks; the third segment's model has no known price."""
    draft = teller.begin(teller.ago(days_ago), "slack", title="Move bookings", model=GPT)
    draft.tell(teller.rows(SEGMENTS[0]))
    for number, (summary, script) in enumerate(zip(SUMMARIES, SEGMENTS[1:], strict=True), 2):
        draft = teller.compress(draft, f"Move bookings #{number}", summary, pause=12 * HOUR)
        draft.model = LOCAL if number == 3 else GPT
        draft.tell(teller.rows(script))
    draft.switch(HAIKU, teller.rows("user: one sentence for the changelog\nagent: Bookings live on the new cluster."))
    draft.end("daily", after=HOUR)


def tell_garden(teller: Teller, days_ago: float) -> None:
    """A conversation of five segments through a year; the person archived some of them and not others."""
    draft = teller.begin(teller.ago(days_ago), "telegram", title="Garden", model=SONNET)
    draft.tell(teller.rows(GARDEN[0]))
    for number, (_, script) in enumerate(pairwise(GARDEN), 2):
        draft.cells["archived"] = 1
        draft = teller.compress(draft, f"Garden #{number}", "## So far\nThe garden, month by month.", pause=30 * DAY)
        draft.tell(teller.rows(script))
    draft.end(None)


def tell_related_work(teller: Teller, days_ago: float) -> None:
    """A conversation of two segments with a subagent, and a branch of it that was given up."""
    draft = teller.begin(teller.ago(days_ago), "tui", title="Related work", model=SONNET)
    draft.tell(teller.rows(RELATED[0]))
    teller.delegate(draft, draft.now - HOUR / 4, CHECK_PAPERS)
    branch = teller.branch(draft, draft.now, "Related work as a table", copied=2)
    branch.tell(teller.rows("user: and as a table?\nagent: It takes half a page and says less. Keep the argument."))
    branch.end("cli_close")
    summary = "## Goal\nOne page of related work that argues.\n\n## Done\nThree paragraphs: 5, 4, 5 papers."
    following = teller.compress(draft, "Related work #2", summary, pause=2 * DAY)
    following.tell(teller.rows(RELATED[1]))
    following.end("tui_shutdown")


def _slots(file: str, area: str, number: int) -> Slots:
    function = file.rpartition("/")[2].removesuffix(".py")
    return {
        "file": file,
        "function": function,
        "area": area,
        "noun": function.partition("_")[2],
        "count": f"{number + 12}",
    }


def _quick(rows: list[Row]) -> list[Row]:
    """The same rows without long breaks: hours of work, not weeks."""
    for row in rows:
        row.pause = min(row.pause, 30.0)
    return rows
