"""Scheduled jobs of the demo: the same prompt day after day, each run with its own numbers."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from dataclasses import dataclass

from hermes_sessions.demo.models import DEEPSEEK, GEMINI, GPT, HAIKU, LOCAL, Model
from hermes_sessions.demo.teller import DAY


@dataclass(frozen=True)
class Job:
    """A job of one profile; runs every `every` seconds. `$a`, `$b` and `$c` are numbers of 8 to 21 that differ by run."""

    id: str
    name: str
    profile: str
    every: float
    model: Model
    script: str


JOBS = (
    Job(
        "5d1f0a77c2e4",
        "Morning briefing",
        "default",
        DAY,
        HAIKU,
        """
user: [SYSTEM: You are running as a scheduled cron job.] Morning briefing: weather, calendar, what is due in the larder.
call terminal: python -m larder due --days 3
result: [33mquark[0m in 2 days
[31mmilk[0m tomorrow
call web_search: weather today
result: Weather | https://weather.example.org/today | $a degrees, wind from the west, rain after $b:00
agent: Good morning. **$a °C**, rain after $b:00: take the jacket.

- 10:30 dentist, 15 minutes by bike
- use up: milk (tomorrow), quark (in 2 days)
""",
    ),
    Job(
        "9be2c6300f18",
        "Backup check",
        "default",
        7 * DAY,
        LOCAL,
        """
user: [SYSTEM: You are running as a scheduled cron job.] Check that last night's backup exists and can be read. Answer [SILENT] if all is well.
call terminal: restic check --read-data-subset=1/20 | tail -1
result: no errors were found ($a snapshots, $b GiB)
agent: [SILENT]
""",
    ),
    Job(
        "c30a94d71be6",
        "Error budget report",
        "work",
        2 * DAY,
        GPT,
        """
user: [SYSTEM: You are running as a scheduled cron job.] Error budget of booking, pricing and tracking over 28 days; one line each.
call terminal: budget --window 28d --format tsv
result: booking	$a.4 %	ok
pricing	$b.1 %	ok
tracking	$c.0 %	[31mlow[0m
agent: - booking: $a.4 % left
- pricing: $b.1 % left
- **tracking: $c.0 % left**, at this pace gone in nine days
""",
    ),
    Job(
        "17aa5fe09c42",
        "Stale pull requests",
        "work",
        4 * DAY,
        DEEPSEEK,
        """
user: [SYSTEM: You are running as a scheduled cron job.] Pull requests without an answer for three days.
call terminal: gh pr list --search "review:none created:<3d" --json number,title
fails: HTTP 502: Bad Gateway (https://api.github.com/graphql)
call terminal: gh pr list --search "review:none created:<3d" --json number,title
result: [{"number": 18$a, "title": "Retry webhooks with jitter"}, {"number": 19$b, "title": "Rename lane to route"}]
agent: Two wait for a review: #18$a and #19$b. (The first try met a 502.)
""",
    ),
    Job(
        "e8430bd5a96f",
        "New papers",
        "research",
        3 * DAY,
        GEMINI,
        """
user: [SYSTEM: You are running as a scheduled cron job.] New papers on retrieval evaluation since the last run, at most three, one sentence each.
call web_search: retrieval evaluation new papers this week
result: Judging the judges | https://papers.example.org/26$a.0$b | Agreement of model judges over $c languages
agent: One: **Judging the judges** measures how far model judges agree over $c languages; they don't for half of them.
""",
    ),
)
