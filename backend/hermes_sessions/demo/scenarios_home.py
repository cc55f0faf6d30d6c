"""Conversations of the profile `default`: travel, home, garden, kitchen, money, and small projects of one's own."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.script import Scenario, entries

WEEKEND = Scenario(
    "Weekend in $city",
    r"""
user: two days in $city in $month, we like walking, small museums and good bread. no car. suggestions?
call web_search: $city walking route old town small museums $month
result: Walking $city | https://walks.example.org/$city | A loop of 9 km through the old town and along the water
Small museums | https://museums.example.org/$city | Open on Sundays: print workshop, tram depot, botanical house
Bakeries | https://bread.example.org/$city | Sourdough from 7:30, closed on Mondays
agent: **Saturday**: the 9 km loop in the morning while it is quiet, the print workshop after lunch (it opens at 13:00).
**Sunday**: botanical house, then the tram depot; both are open on Sundays.

The bakery that everybody names opens at 7:30 and is sold out by ten.
user: how far is the station from the old town?
agent: 1.4 km, about twenty minutes on foot, or four stops by tram.
---
user: make me a packing list for it, hand luggage only
agent: - rain jacket (the forecast for $month is mixed)
- walking shoes, already on your feet
- two shirts, one warm layer
- charger, tickets, the small camera
- an empty bag for bread
---
image map: is the red line the walk you mean?
agent: Yes, that's the loop: it follows the shore to the north and comes back through the old town.
---
user: put the museum hours in my notes
call memory: $city: print workshop from 13:00 on Saturdays, botanical house and tram depot open on Sundays.
agent: Noted.
""",
    (
        {"city": "Ghent", "month": "October"},
        {"city": "Porto", "month": "February"},
        {"city": "Trieste", "month": "April"},
        {"city": "Bergen", "month": "June"},
        {"city": "Ljubljana", "month": "May"},
        {"city": "Aarhus", "month": "August"},
        {"city": "Girona", "month": "November"},
    ),
    ("telegram", "cli"),
)

SICK_PLANT = Scenario(
    "What is wrong with the $plant?",
    r"""
image leaf:
user: my $plant gets pale spots like this. it stands at the south window
call vision_analyze: What do the spots on this leaf look like?
result: {"success": true, "analysis": "Pale round spot with a dry rim on one half of the leaf; no insects, no powder."}
agent: A pale spot with a dry rim on the side that faces the window and no insects: that looks like **sunburn**, not a disease. The leaf won't recover but the plant will.

Move it a metre back or hang something thin in front of the window until autumn.
---
user: and how often should i water it in winter?
agent: When the top two centimetres are dry, about every ten days. More $plant die of water than of thirst.
---
user: two weeks later: new leaves are fine. thank you!
agent: Good to hear. You can cut the burnt leaf off now.
""",
    entries("plant", "lemon tree", "monstera", "fig", "calathea", "olive", "basil"),
    ("telegram",),
)

RECIPE = Scenario(
    "$dish for $people",
    r"""
user: $dish for $people people, one doesn't eat gluten. what do i need to buy? i have rice, eggs, onions
agent: For $people, without gluten:

| buy | how much |
|---|---|
| chickpeas, dried | 400 g |
| spinach | 600 g |
| tomatoes, tinned | 2 tins |
| smoked paprika | 1 small jar |
| lemons | 3 |

Soak the chickpeas tonight. Rice, eggs and onions you have.
user: no time to soak, tins?
agent: Three tins then, and half an hour less cooking.
---
user: what can be done the day before?
agent: Everything but the spinach. It tastes better on the second day anyway; warm it slowly and add the spinach at the end.
---
user: which wine?
agent: A dry white with some salt in it, an Albariño for example. For those who don't drink: cold verbena tea.
""",
    (
        {"dish": "Chickpea stew", "people": "8"},
        {"dish": "Espinacas con garbanzos", "people": "6"},
        {"dish": "Sunday curry", "people": "5"},
        {"dish": "Birthday dinner", "people": "12"},
    ),
    ("telegram", "cli"),
)

BUDGET = Scenario(
    "Where did the money go in $month?",
    r"""
user: the export of my account is in ~/bank/$month.csv. where did the money go in $month?
call execute_code: import csv, collections
sums = collections.Counter()
for row in csv.DictReader(open("/home/mira/bank/$month.csv")):
    sums[row["category"]] += float(row["amount"])
for name, total in sums.most_common(6):
    print(f"{name:<14}{total:>9.2f}")
result: rent           1180.00
groceries       512.35
train           214.80
repairs         187.00
restaurants     142.60
subscriptions    61.93
agent: Rent aside, groceries (512.35) and trains (214.80). **Repairs** is the unusual one: 187.00, against 20 on average.
---
image budget: i drew it for the fridge. is it right?
agent: Nearly: the fifth bar should be lower than the fourth. The order is by size otherwise.
---
user: which subscriptions are those?
agent: Newspaper 24.99, music 10.99, cloud storage 2.99, the gym that you said you'd cancel 22.96.
""",
    entries("month", "January", "February", "March", "April", "May", "June", "July", "September"),
    ("cli", "tui"),
)

HOME_AUTOMATION = Scenario(
    "The $device does not answer",
    r"""
user: $device hasn't answered since this morning, home assistant shows unavailable
call terminal: ping -c 2 192.168.7.31; journalctl -u mosquitto -n 3 --no-pager
result 1: 2 packets transmitted, 0 received, [31m100% packet loss[0m
mosquitto[611]: Client $device already connected, closing old connection.
mosquitto[611]: Client $device disconnected: session taken over.
think: Taken over: two devices with the same client id. Did she add one yesterday?
agent: The broker says that another device **took over its session**: two devices use the client id `$device`. Did you set up a second one yesterday, from the same configuration?
user: yes!! copied the yaml for the cellar
agent: That's it. Change `client_id` in the copy and restart both.
call patch: cellar.yaml
client_id: $device
=>
client_id: $device-cellar
agent: I changed the copy. Flash it and both will stay connected.
---
user: works. can you write down for next time what to change when i copy one?
call memory: When copying a device's YAML: change name, client_id and the static IP.
agent: In memory: name, client id, static IP.
""",
    entries("device", "heat pump", "garden pump", "door bell", "thermostat", "blind"),
    ("cli", "telegram"),
    "home",
)

LARDER_APP = Scenario(
    "Larder: $feature",
    r"""
user: in the larder app i want $feature. smallest thing that works
call read_file: larder/items.py
result: from dataclasses import dataclass
from datetime import date

@dataclass
class Item:
    name: str
    amount: float
    unit: str
    best_before: date | None = None
agent: The smallest thing: one function over the items and one line in the list view.
call todo: x Read the model
> $feature
- Test with an empty larder
call write_file: larder/feature.py
from hermes_sessions.demo.items import Item

def due(items: list[Item], today):
    return sorted((i for i in items if i.best_before), key=lambda i: i.best_before - today)
call terminal: python -m pytest -q
result: [32m17 passed[0m in 0.41s
call todo: x Read the model
x $feature
x Test with an empty larder
agent: Done, 17 tests pass. Items without a date are left out on purpose: salt does not get old.
---
user: and the same in the terminal with colours?
call execute_code: print("\033[31mmilk    tomorrow\033[0m\n\033[33mquark   in 3 days\033[0m")
result: [31mmilk    tomorrow[0m
[33mquark   in 3 days[0m
agent: Red for tomorrow, yellow for this week.
---
user: commit, please
call terminal: git commit -am "Sort the larder by date"
result 1: fatal: not a git repository (or any of the parent directories): .git
agent: There is no repository here yet. Shall I `git init` and make this the first commit?
user: yes
call terminal: git init -q && git add -A && git commit -qm "Sort the larder by date" && git log --oneline
result: e2a94b0 Sort the larder by date
agent: The larder has a history now.
""",
    entries("feature", "a list of what gets old", "shopping from recipes", "a low stock warning", "units that convert"),
    ("cli", "tui"),
    "larder",
)

LETTER = Scenario(
    "Letter to the $whom",
    r"""
user: help me write to the $whom. $about. polite but firm
agent: > Dear Sir or Madam,
>
> I wrote to you on the 3rd and have not heard from you. $about. I ask you to put this right by the 30th and to confirm the date in writing.
>
> Kind regards

Shall I make it warmer or shorter?
user: one sentence warmer at the start
agent: > I hope that the renovation of your office went well.

It shows that you pay attention without giving anything away.
---
user: translate it to german
agent: > Sehr geehrte Damen und Herren,
>
> ich hoffe, der Umbau Ihres Büros ist gut verlaufen. Auf mein Schreiben vom 3. habe ich leider keine Antwort erhalten. Ich bitte Sie, die Sache bis zum 30. in Ordnung zu bringen und mir den Termin schriftlich zu bestätigen.
>
> Mit freundlichen Grüßen
""",
    (
        {"whom": "landlord", "about": "The heating in the kitchen has been off for two weeks"},
        {"whom": "railway", "about": "The refund for the cancelled night train is still missing"},
        {"whom": "council", "about": "The lamp in front of number 14 has been dark since May"},
        {"whom": "insurer", "about": "The claim for the bicycle has been open for three months"},
    ),
    ("cli", "telegram"),
)

LANGUAGE = Scenario(
    "Portuguese, lesson $n",
    r"""
user: lesson $n please: ten minutes, i want to order, ask for the way, and understand the answer
agent: Let's go. You are at a counter in Lisbon.

**Bom dia! O que deseja?**
user: queria um café e um pastel de nata, por favor
agent: Perfect, and *queria* is just right: more polite than *quero*.

**É para aqui ou para levar?**
user: para levar
agent: Good. Now the way: ask where the station is.
user: onde fica a estação?
agent: *Siga em frente e vire à direita na farmácia.* What do you do?
user: straight on, right at the pharmacy
agent: Exactly. Tomorrow: numbers and the time.
""",
    entries("n", *(str(number) for number in range(1, 13))),
    ("telegram",),
)

QUICK = Scenario(
    "$question",
    r"""
user: $question
agent: $answer
---
user: thanks
agent: You're welcome.
""",
    (
        {
            "question": "How long do eggs keep?",
            "answer": "About four weeks from laying. In water: one that floats is old.",
        },
        {"question": "Which bin for baking paper?", "answer": "Residual waste; the coating cannot be recycled."},
        {"question": "When is sunset on the equinox?", "answer": "About 18:20 where you are, within a few minutes."},
        {
            "question": "Tyre pressure for 32 mm at 70 kg?",
            "answer": "4.2 bar behind, 3.8 in front. A little less in rain.",
        },
        {"question": "What is 61.2 % of 1,340?", "answer": "820.08"},
        {"question": "Is tomorrow a holiday in Galicia?", "answer": "No. The next one is in nine days."},
        {"question": "How do I descale a kettle?", "answer": "Two spoons of citric acid, cold water, an hour."},
    ),
    ("telegram", "cli", "discord"),
)

SCENARIOS = (WEEKEND, SICK_PLANT, RECIPE, BUDGET, HOME_AUTOMATION, LARDER_APP, LETTER, LANGUAGE, QUICK)
