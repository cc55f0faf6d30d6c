"""One story for each way in which sessions hang together, the broken ones included."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.draft import Draft
from hermes_sessions.demo.models import HAIKU, SONNET
from hermes_sessions.demo.script import Row
from hermes_sessions.demo.teller import HOUR, MINUTE, Teller

BOOKSHELF = """
user: i want to build a bookshelf for the niche, 83 cm wide, 240 high, 22 deep. pine or birch?
agent: Birch plywood, 18 mm. 83 cm is too wide for pine boards without a support in the middle; plywood sags 2 mm under books, pine 6.
user: cutting list please
call execute_code: width, height, depth, t = 830, 2400, 220, 18
print("sides 2 x", height, "x", depth); print("shelves 7 x", width - 2 * t, "x", depth)
result: sides 2 x 2400 x 220
shelves 7 x 794 x 220
agent: Two sides 2400 × 220, seven shelves 794 × 220, a back of 6 mm. Two sheets are enough, with a strip to spare.
"""
PAINT = "user: same shelf, but painted: which primer?\nagent: Shellac primer, two thin coats, sanded in between. Birch drinks water-based primer and its grain stands up."
OILED = (
    "user: and oiled instead?\nagent: Hard wax oil, thin, twice. It yellows a little; try it on the strip that is left."
)
DELIVERY = "user: can they deliver the sheets cut?\nagent: Yes, 1.20 a cut. Round up by nothing: their saw takes 4 mm, tell them finished sizes."
PRICES = """
user: Compare the prices of birch plywood 18 mm, 2500 × 1250, at three suppliers near Rotterdam.
call web_search: berkenmultiplex 18 mm 2500x1250 prijs Rotterdam
result: Houthandel Zuid | https://hout.example.org/zuid | 74.50 a sheet, cut for 1.20
De Plaat | https://hout.example.org/plaat | 81.00 a sheet, cutting included
Kade 9 | https://hout.example.org/kade9 | 69.90 a sheet, no cutting
agent: Kade 9 is the cheapest (69.90) but does not cut; De Plaat includes cutting (81.00).
"""
STOCK = """
user: Call up the stock of De Plaat for birch 18 mm, BB/BB grade.
call web_extract: https://hout.example.org/plaat
result: De Plaat, birch 18 mm BB/BB
Stock: 11 sheets. Delivery on Thursdays.
agent: 11 sheets in stock, delivery on Thursdays.
"""
LOST = """
user: Summarise the open tickets of the last sprint in five lines.
call terminal: gh issue list --milestone sprint-31 --state open
result: 2011  Position without shipment
2007  Retry of webhooks
1999  Form errors are silent
agent: Three are open: positions without a shipment, webhook retries, silent form errors.
"""
SCRATCH = "user: Render the plan as a picture.\nagent: The picture is in /tmp/plan.png, 1200 by 800."
HELLO = (
    "user: good morning, anything for me today?\nagent: Good morning. Dentist at 10:30, and the milk wants to be used."
)
AGAIN = "user: new topic: which film was it with the lighthouse and the two men?\nagent: *The Lighthouse* (2019), in black and white, nearly square."
NEXT_DAY = "user: remind me to water the neighbour's plants\nagent: Tonight at seven, I'll write to you."


def tell(teller: Teller, days_ago: float) -> None:
    """Add every kind of session to the profile, within some days from `days_ago` on."""
    _branches(teller, teller.ago(days_ago))
    _subagents(teller, teller.ago(days_ago - 1))
    _resets(teller, teller.ago(days_ago - 2))
    _siblings(teller, teller.ago(days_ago - 3))
    _broken(teller, teller.ago(days_ago - 4))


def _said(
    teller: Teller, moment: float, script: str, title: str | None, source: str = "cli", id: str | None = None
) -> Draft:
    draft = teller.begin(moment, source, title=title, id=id)
    draft.tell(teller.rows(script))
    return draft


def _branches(teller: Teller, moment: float) -> None:
    """A marked branch that was compressed, and one from the time before there were markers."""
    shelf = _said(teller, moment, BOOKSHELF, "Bookshelf")
    branch = teller.branch(shelf, shelf.now + MINUTE, "Bookshelf, painted", copied=2)
    branch.tell(teller.rows(PAINT))
    following = teller.compress(branch, "Bookshelf, painted #2", "## So far\nA painted shelf of birch, 83 × 240 × 22.")
    following.tell(teller.rows(OILED))
    following.end("cli_close")
    shelf.end("branched", after=MINUTE)

    legacy = _said(teller, moment + 3 * HOUR, BOOKSHELF, "Bookshelf for the hall")
    legacy.end("branched")
    other = _said(teller, legacy.now + MINUTE, DELIVERY, "Bookshelf for the hall, delivered")
    other.parented(legacy.id)
    other.end("cli_close")


def _subagents(teller: Teller, moment: float) -> None:
    """A subagent with one of its own, one whose parent is gone, and a tool's own session."""
    shelf = _said(teller, moment, BOOKSHELF, "Plywood", "tui")
    prices = teller.delegate(shelf, shelf.now, PRICES)
    teller.delegate(prices, prices.now, STOCK)
    shelf.end("tui_shutdown", after=HOUR)

    orphan = _said(teller, moment + 2 * HOUR, LOST, None)
    orphan.config["_delegate_from"] = "__orphaned__"
    orphan.end("agent_close")

    tool = _said(teller, moment + 3 * HOUR, SCRATCH, None, "tool")
    tool.parented(shelf.id)
    tool.end("agent_close")


def _resets(teller: Teller, moment: float) -> None:
    """A chat that was reset and went on twice: known by its key, and by its marker."""
    hello = _said(teller, moment, HELLO, "Good morning", "telegram")
    hello.end("session_reset", after=HOUR)
    by_key = _said(teller, hello.now + HOUR, AGAIN, "A film with a lighthouse", "telegram")
    by_key.parented(hello.id)
    by_key.end("idle", after=6 * HOUR)
    by_marker = _said(teller, by_key.now + 7 * HOUR, NEXT_DAY, None, "telegram")
    by_marker.parented(by_key.id, "_reset_from")
    by_marker.end("daily", after=HOUR)


def _siblings(teller: Teller, moment: float) -> None:
    """A compressed session with a continuation, an early child and a stale sibling without markers."""
    head = teller.begin(moment, "tui", title="Night train", model=SONNET)
    head.tell(
        teller.rows(HELLO)
        + teller.rows("user: night train to vienna in december?\nagent: Daily at 19:04, berths from 69.")
    )
    tip = teller.compress(head, "Night train #2", "## So far\nTo Vienna in December, 19:04, berths from 69.")
    for started in (head.started + 1, tip.started + 5):
        # Silent before the continuation says its first word: the newest message decides who goes on.
        side = teller.begin(started, "tui", model=HAIKU)
        side.parented(head.id)
        side.tell([Row("user", "night train to vienna?", 1), Row("assistant", "One moment.", 2)])
        side.end("ws_orphan_reap", after=1)
    tip.tell(
        teller.rows(
            "user: book a berth for the 12th\nagent: Lower berth, coach 262, the 12th. Shall I pay?\nuser: yes\nagent: Paid."
        )
    )
    tip.end("cli_close")


def _broken(teller: Teller, moment: float) -> None:
    """A parent that is gone, a child without a reason, and two sessions that are each other's parent."""
    dangling = _said(teller, moment, NEXT_DAY, "The neighbour's plants", "telegram")
    dangling.parented("20250101_080000_000000")
    dangling.end("idle")

    parent = _said(teller, moment + HOUR, HELLO, None)
    parent.end("cli_close")
    child = _said(teller, moment + 2 * HOUR, DELIVERY, "Delivery of the sheets")
    child.parented(parent.id)
    child.end("cli_close")

    one = _said(teller, moment + 3 * HOUR, OILED, "Oil or wax")
    other = _said(teller, moment + 4 * HOUR, PAINT, "Paint or oil")
    one.parented(other.id)
    other.parented(one.id)
    one.end("compression")
    other.end("compression")
