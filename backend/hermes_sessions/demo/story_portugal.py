"""The conversation of March: three segments, two subagents, a branch; 8.20 USD in all.

One word of it, RARE_WORD, stands in a tool's result and nowhere else.
"""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.draft import Draft
from hermes_sessions.demo.models import SONNET
from hermes_sessions.demo.teller import HOUR, MINUTE, Teller, last_march

RARE_WORD = "Bordalo"
OWN_COSTS = (1.35, 2.05, 3.60)
SUBAGENT_COSTS = (0.50, 0.70)

FIRST = """
user: we want to go to portugal for nine days in may, two adults, by train as far as possible, no flying inside the country. where do we start?
think: Rotterdam to Portugal by train is two days with a night in Paris or San Sebastian. Ask about the way there first.
agent: Two questions decide everything else:

1. Do you want to *arrive* by train too? It takes two days with a night on the way.
2. Coast, towns, or both?
user: arrive by train yes. towns first, two days of coast at the end
agent: Then: Rotterdam – Paris – Hendaye on day one (arrive 20:10), San Sebastián for the night, then Vigo and the **Celta** to Porto on day two.
call web_search: Celta train Vigo Porto timetable May
result: Celta | https://rail.example.org/celta | Two trains a day: 08:58 and 19:56 from Vigo, 2 h 22 to Porto Campanhã
Seat reservations | https://rail.example.org/celta/seats | From 60 days ahead, 14.95 one way
agent: Two trains a day. The evening one fits (19:56 from Vigo). Reservations open 60 days ahead, so from the **middle of March** on: now.
user: one of us collects ceramics. is there something on the way between porto and lisbon?
call web_search: ceramics museum factory visit between Porto and Lisbon by train
result: Tile museum | https://museums.example.org/azulejo | In a convent in Lisbon, closed on Mondays
Factory museum at Caldas | https://museums.example.org/caldas | Cabbage plates and lobsters by Rafael Bordalo Pinheiro, factory shop next door
Aveiro | https://towns.example.org/aveiro | Tiled station, canals, an hour from Porto
agent: Yes: the factory museum in **Caldas da Rainha**, on the western line, with a shop beside it. Aveiro's tiled station is on the way as well. The tile museum in Lisbon is closed on Mondays, so put it on a Tuesday.
user: perfect. make a plan of the nine days
call todo: x Way there: Paris, San Sebastian, Vigo
> Porto, 2 nights
- Aveiro, half a day
- Caldas da Rainha, 1 night
- Lisbon, 2 nights, tile museum on Tuesday
- Coast, 2 nights
agent: | day | where |
|---|---|
| 1–2 | Rotterdam, San Sebastián, Porto |
| 3–4 | Porto |
| 5 | Aveiro, on to Caldas |
| 6 | Caldas, in the evening Lisbon |
| 7–8 | Lisbon (Tuesday: tiles) |
| 8–9 | Coast |

The way back needs two more days, or the night train from Lisbon to the border when it runs again.
"""

SECOND = """
user: porto: a place for two nights, quiet, walking distance from campanhã, under 110
call delegate_task: Find three quiet places to stay within 25 minutes on foot of Porto Campanhã, under 110 EUR a night, two nights in the middle of May.
result: 1. Casa do Jardim, Rua do Heroísmo, 96 EUR, garden rooms. 2. Quarto da Ana, Bonfim, 84 EUR, third floor without lift. 3. Hotel Oficina, 109 EUR, breakfast from 6:30.
agent: **Casa do Jardim**: the rooms to the garden are quiet, 96 a night, 14 minutes on foot. Hotel Oficina if you want breakfast before an early train.
user: casa do jardim. and the coast: where without a car, not albufeira
agent: Two candidates that a train or an hourly bus reaches:

- **Ericeira**: bus from Lisbon, 75 minutes, surf, cliffs, fish
- **São Martinho do Porto**: on the western line, a round bay, calm water, half an hour from Caldas

Since you pass Caldas anyway, São Martinho saves you half a day.
user: then sao martinho after caldas and lisbon at the end. redo the table and add costs
think: Trains: Celta 14.95 each, regional about 9, Lisbon 12. Rooms: 96 x 2, 70, 2 x 88, 2 x 120.
agent: | day | where | bed | trains |
|---|---|---|---|
| 3–4 | Porto | 2 × 96 | 29.90 |
| 5 | Aveiro – Caldas | 70 | 24.40 |
| 6–7 | São Martinho | 2 × 88 | 5.60 |
| 8–9 | Lisbon | 2 × 120 | 22.60 |

Beds 678, trains in Portugal 82.50 for two.
user: great. email for casa do jardim in portuguese please
agent: > Boa tarde,
>
> gostaríamos de reservar um quarto com vista para o jardim para duas pessoas, por duas noites, de 14 a 16 de maio. Chegamos por volta das 22:30, de comboio. Seria possível?
>
> Com os melhores cumprimentos
"""

THIRD = """
user: they answered: garden room is free, late arrival ok. what do we book now and in which order?
call delegate_task: Check the order of bookings: which parts become more expensive or sell out first for May (Paris–Hendaye, Celta, São Martinho, Lisbon)?
result: Paris–Hendaye fares rise fastest (48 EUR now, 79 EUR in two weeks). Celta has 14 seats left on the chosen evening. Rooms in São Martinho are plentiful, Lisbon fills up for a festival on the 20th.
agent: In this order:

1. **Paris–Hendaye** today, 48 each; it rises to 79 within two weeks
2. **Celta** today, 14 seats left
3. **Lisbon** this week, there is a festival on the 20th
4. Casa do Jardim: confirm by mail
5. São Martinho: any time
user: booked 1 and 2. put the reminder for lisbon in
call todo: x Paris–Hendaye
x Celta, coach 1, seats 31 and 33
> Lisbon, two nights from the 18th
- São Martinho
agent: Noted. Seats 31 and 33 are on the side of the sea.
user: one more thing: how many azulejos can we carry home :)
agent: A tile of 14 cm weighs about 350 g. Two people with hand luggage: a dozen, wrapped in socks.
"""

BRANCH = """
user: same trip but with a car from porto on, just to compare
agent: With a car: Porto – Aveiro – Nazaré – Óbidos – Lisbon. You win half a day and the villages inland, you lose the Celta's view and 310 EUR for nine days plus tolls. Parking in Lisbon costs more than the tile museum.
user: no thanks, trains it is
agent: I thought so.
"""

LODGING = """
user: Find three quiet places to stay within 25 minutes on foot of Porto Campanhã, under 110 EUR a night, two nights in the middle of May.
call web_search: quiet guesthouse Bonfim Porto garden May
result: Casa do Jardim | https://stay.example.org/jardim | Garden rooms, Rua do Heroísmo, 96 EUR
Quarto da Ana | https://stay.example.org/ana | Third floor, no lift, 84 EUR
Hotel Oficina | https://stay.example.org/oficina | 109 EUR, breakfast from 6:30
agent: 1. Casa do Jardim, Rua do Heroísmo, 96 EUR, garden rooms. 2. Quarto da Ana, Bonfim, 84 EUR, third floor without lift. 3. Hotel Oficina, 109 EUR, breakfast from 6:30.
"""

ORDER = """
user: Check the order of bookings: which parts become more expensive or sell out first for May (Paris–Hendaye, Celta, São Martinho, Lisbon)?
call web_search: Paris Hendaye fares May
result: Fares | https://rail.example.org/hendaye | 48 EUR until the end of the month, then 79 EUR
call web_search: Lisbon festival May rooms
fails: Search backend timed out after 20 s
call web_search: Lisbon events 20 May
result: Festival of lights | https://events.example.org/lisbon | 20 to 22 May, many rooms are taken
agent: Paris–Hendaye fares rise fastest (48 EUR now, 79 EUR in two weeks). Celta has 14 seats left on the chosen evening. Rooms in São Martinho are plentiful, Lisbon fills up for a festival on the 20th.
"""


def tell(teller: Teller) -> None:
    """Add the conversation to a profile, in March."""
    first = teller.begin(last_march(teller.now), "telegram", title="Portugal by train", model=SONNET)
    first.tell(teller.rows(FIRST))
    second = teller.compress(
        first,
        "Portugal by train #2",
        "## Goal\nNine days in Portugal in May by train, ceramics on the way.\n\n## Decisions\nPorto, Aveiro, Caldas,"
        " Lisbon, coast. Evening train from Vigo.\n\n## Next\nRooms.",
    )
    lodging_at = second.now + 5 * MINUTE
    second.tell(teller.rows(SECOND))
    third = teller.compress(
        second,
        "Portugal by train #3",
        "## Goal\nNine days in Portugal in May by train.\n\n## Decisions\nCasa do Jardim in Porto, São Martinho instead"
        " of the south, Lisbon last.\n\n## Next\nBook in the right order.",
    )
    order_at = third.now + 3 * MINUTE
    third.tell(teller.rows(THIRD))
    third.end("session_reset", after=9 * HOUR)
    subagents = (teller.delegate(second, lodging_at, LODGING), teller.delegate(third, order_at, ORDER))
    for draft, cost in zip((first, second, third, *subagents), (*OWN_COSTS, *SUBAGENT_COSTS), strict=True):
        draft.costs(cost)
    _by_car(teller, second)


def _by_car(teller: Teller, second: Draft) -> None:
    branch = teller.branch(second, second.now - MINUTE, "Portugal by car", copied=2)
    branch.tell(teller.rows(BRANCH))
    branch.end("cli_close")
