"""Sessions with something unusual in them: soft-deleted messages, broken JSON, costs of all sorts, odd ends."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo import images, summaries
from hermes_sessions.demo.draft import stamp
from hermes_sessions.demo.models import CODEX, GEMINI, HAIKU, HERMES, LOCAL, SONNET, UNBILLED, Model
from hermes_sessions.demo.script import Row
from hermes_sessions.demo.teller import DAY, HOUR, MINUTE, Teller

KETTLE = "user: {question}\nagent: {answer}"
LIVE = """
user: the demo is at four. check that all three environments are green
call terminal: curl -s https://status.tidewater.example/api | jq -r '.[] | [.name, .state] | @tsv'
result: production	[32mgreen[0m
staging	[32mgreen[0m
sandbox	[33mdeploying[0m
agent: Production and staging are green, sandbox is still deploying. I'll look again in two minutes.
user: and the slides?
think: She keeps slides in ~/talks. Look for the newest.
call search_files: demo
result: talks/2026/demo.md:1: # Demo: one booking, four carriers
agent: `talks/2026/demo.md`, changed twelve minutes ago. Looking at the sandbox again ...
"""


def tell(teller: Teller, days_ago: float) -> None:
    """Add the odd sessions to the profile, within some days from `days_ago` on, and those of today."""
    _soft_deleted(teller, teller.ago(days_ago))
    _odd_messages(teller, teller.ago(days_ago - 1))
    _costs(teller, teller.ago(days_ago - 2))
    _ends(teller, teller.ago(days_ago - 3))
    _today(teller)


def _talk(question: str, answer: str) -> str:
    return KETTLE.format(question=question, answer=answer)


def _soft_deleted(teller: Teller, moment: float) -> None:
    """Messages that were taken back, messages that were summed up in place, and a session that has nothing else."""
    taken_back = teller.begin(moment, "cli", title="Toast for the wedding", model=SONNET)
    taken_back.tell(
        teller.rows(
            _talk(
                "a toast for my sister's wedding, two minutes, no jokes about the groom",
                "> Dear Ines, dear Tom ...\n\nAbout two minutes when you speak slowly.",
            )
        )
    )
    taken_back.tell(
        teller.rows(
            _talk("add a joke about the groom after all", "> Tom, who has been late for everything but today ...")
        )
    )
    for message in taken_back.messages[2:]:
        message |= {"active": 0, "compacted": 0}
    taken_back.tell(
        teller.rows(_talk("shorter, one minute", "> Dear Ines, dear Tom: a minute is enough for what matters ..."))
    )
    taken_back.cells["rewind_count"] = 1
    taken_back.end("cli_close")

    in_place = teller.begin(moment + 2 * HOUR, "discord", title="Choosing a bicycle", model=HERMES)
    for question, answer in (
        ("bicycle for 8 km to work, rain, one hill", "A belt, hub gears with eight speeds, hydraulic brakes."),
        ("under 1,600?", "Two: the Kade 8 (1,549) and a used Linnen (1,300)."),
        ("which one is lighter", "The Kade, 14.8 kg against 17.1."),
    ):
        in_place.tell(teller.rows(_talk(question, answer)))
    last = [dict(message) for message in in_place.messages[-2:]]
    for message in in_place.messages:
        message |= {"active": 0, "compacted": 1}
    in_place.messages.append(
        summaries.message("## So far\nKade 8 or a used Linnen; the Kade is lighter.", in_place.now + 1)
    )
    in_place.copy(last)
    in_place.tell(
        teller.rows(_talk("i take the kade", "A good choice for the hill. Ask for mudguards that reach low."))
    )
    in_place.auxiliary("compression", HAIKU, 21_000, 800)
    in_place.end("idle")

    nothing_left = teller.begin(moment + 4 * HOUR, "cli", title="Draft that was taken back", model=HAIKU)
    nothing_left.tell(teller.rows(_talk("dear diary", "Yes?")))
    for message in nothing_left.messages:
        message |= {"active": 0, "compacted": 0}
    nothing_left.cells["message_count"] = 0
    nothing_left.end("cli_close")


def _odd_messages(teller: Teller, moment: float) -> None:
    """What a reader of transcripts must be able to show: each of these happened to somebody."""
    odd = teller.begin(moment, "api_server", title="Imported transcript", model=GEMINI)
    call = {"id": "call_lost", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "make'}}
    odd.tell(
        [
            Row("user", "this transcript comes from another program, some of it is damaged", 5),
            Row("assistant", "", 3, {"tool_calls": [call], "finish_reason": "length"}),
            Row("user", "hello? it stopped", 90),
            Row("tool", '{"output": "42 passed", "exit_code": 0}', 2, {"tool_call_id": "call_of_nobody"}),
            Row("assistant", "I see a result without its call.", 4, {"tool_calls": '[{"id": "call_x", "function": {"na', "finish_reason": "stop"}),
            Row("assistant", "<think>Two calls, one result. Say so plainly.</think>\nOne call has no result and one result has no call.", 4),
            Row("assistant", "The details are kept.", 4, {"reasoning_details": '[{"type": "reasoning.text", "text": "Mention the damage, not the cause."}]'}),
            Row("user", '\x00json:[{"type": "text", "text": "this part was cut o', 30),
            Row("user", '\x00json:{"type": "text", "text": "an object instead of a list"}', 30),
            Row("user", images.with_text("latency", ""), 30),
            Row("assistant", "The picture shows a step at the sixth bar.", 4, {"reasoning_content": "Bars, one marked."}),
        ]
    )  # fmt: skip
    odd.end("agent_close")


def _costs(teller: Teller, moment: float) -> None:
    """One session for each way of billing, one with two models, and the calls beside a conversation."""
    ways: tuple[tuple[str, Model], ...] = (
        ("estimated", SONNET),
        ("actual", GEMINI),
        ("included", CODEX),
        ("unknown", LOCAL),
        ("not recorded", UNBILLED),
    )
    for number, (way, model) in enumerate(ways):
        draft = teller.begin(moment + number * HOUR, "cli", title=f"Regular expression for IBANs ({way})", model=model)
        draft.tell(
            teller.rows(
                _talk("a regular expression for dutch IBANs", "`NL\\d{2}[A-Z]{4}\\d{10}`; the checksum needs code.")
            )
        )
        draft.end("cli_close")
    mixed = teller.begin(moment + 6 * HOUR, "tui", title="Two models, one question", model=LOCAL)
    mixed.tell(
        teller.rows(
            _talk("explain vector clocks to a ten year old", "Everybody keeps a tally of what they heard from whom.")
        )
    )
    mixed.switch(
        SONNET,
        teller.rows(
            _talk(
                "and you, bigger model?",
                "Imagine that every child in class has a notebook with one page per friend ...",
            )
        ),
    )
    mixed.auxiliary("title_generation", HAIKU, 900, 12)
    mixed.auxiliary("vision", GEMINI, 2_400, 160)
    mixed.end("cli_close")


def _ends(teller: Teller, moment: float) -> None:
    """Sessions without a message, sessions that nobody closed, and a run that broke off."""
    for number, source in enumerate(("cli", "telegram", "tui")):
        empty = teller.begin(moment + number * MINUTE, source)
        empty.end("cli_close" if source == "cli" else "ws_orphan_reap", after=2)
    for number, title in enumerate(("Wi-Fi in the attic", "Names for a boat", None)):
        open_still = teller.begin(moment - number * 40 * DAY, "cli", title=title)
        open_still.tell(teller.rows(_talk("i'll be right back", "I'm here.")))
    broken_off = teller.begin(moment + HOUR, "cron", id=f"cron_9be2c6300f18_{stamp(moment + HOUR)}")
    broken_off.tell([Row("user", "[SYSTEM: You are running as a scheduled cron job.] Stale pull requests.", 1)])


def _today(teller: Teller) -> None:
    """A conversation that goes on right now and one of this morning."""
    morning = teller.begin(teller.now - 4 * HOUR, "telegram", title="Lunch", model=HAIKU)
    morning.tell(teller.rows(_talk("soup or salad?", "Soup. It is nine degrees and you skipped breakfast.")))
    live = teller.begin(teller.now - 15 * MINUTE, "cli", title="Before the demo", model=SONNET, project="infra")
    live.tell(_ending_at(teller.rows(LIVE), live.started, teller.now - 20))


def _ending_at(rows: list[Row], start: float, end: float) -> list[Row]:
    """The same rows, their pauses scaled so that they fill the time from start to end."""
    scale: float = (end - start) / sum(row.pause for row in rows)
    return [Row(row.role, row.content, row.pause * scale, row.cells) for row in rows]
