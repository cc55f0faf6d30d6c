"""Make a demo home: three profiles with a year of believable sessions, in stores that Hermes itself opens."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hermes_sessions.demo import (
    jobs,
    lineages,
    oddities,
    scenarios_cjk,
    scenarios_home,
    scenarios_ops,
    scenarios_research,
    scenarios_work,
    story_long,
    story_portugal,
)
from hermes_sessions.demo.draft import stamp
from hermes_sessions.demo.script import Scenario, Slots
from hermes_sessions.demo.teller import DAY, HOUR, Teller
from hermes_sessions.errors import bad_input
from hermes_sessions.stores.create import new_store

SCENARIOS: Mapping[str, tuple[Scenario, ...]] = {
    "default": scenarios_home.SCENARIOS + scenarios_cjk.SCENARIOS,
    "work": scenarios_work.SCENARIOS + scenarios_ops.SCENARIOS,
    "research": scenarios_research.SCENARIOS + scenarios_cjk.SCENARIOS[:1],
}
SHARES = {"default": 0.5, "work": 0.32, "research": 0.18}
RUNS_OF_JOBS = 0.22
WITHOUT_TITLE = 0.18
ARCHIVED = 0.09
WITH_SUBAGENT = 0.05


@dataclass(frozen=True)
class ProfileSummary:
    """One store that was made."""

    path: Path
    sessions: int
    messages: int


@dataclass(frozen=True)
class DemoSummary:
    """What `make_demo` made, by profile name."""

    home: Path
    profiles: Mapping[str, ProfileSummary]

    @property
    def sessions(self) -> int:
        return sum(profile.sessions for profile in self.profiles.values())

    @property
    def messages(self) -> int:
        return sum(profile.messages for profile in self.profiles.values())


def make_demo(home: Path, sessions: int = 400, now: float | None = None, seed: int = 7) -> DemoSummary:
    """Make the demo home `home` with about `sessions` ordinary sessions and some of every special kind.

    `now` (seconds since the epoch, by default the present) is where the year of sessions ends. The same `now` and seed
    make the same rows. A home that has a store is refused with BAD_USER_INPUT and stays as it is.
    """
    paths = {name: home / "state.db" if name == "default" else home / "profiles" / name / "state.db" for name in SHARES}
    for path in paths.values():
        if path.exists():
            raise bad_input(f"{home} is a Hermes home with sessions in it. Choose a new or empty folder for the demo.")
    moment = time.time() if now is None else now
    made = {name: _make(name, path, sessions, moment, seed) for name, path in paths.items()}
    return DemoSummary(home, made)


def _make(profile: str, path: Path, sessions: int, now: float, seed: int) -> ProfileSummary:
    teller = Teller(profile, seed, now)
    _ordinary(teller, round(sessions * SHARES[profile]))
    _special(teller)
    with new_store(path) as store:
        teller.write(store)
    return ProfileSummary(path, len(teller.drafts), sum(len(draft.messages) for draft in teller.drafts))


def _ordinary(teller: Teller, sessions: int) -> None:
    """Runs of the profile's jobs, then conversations; some without a title, some archived, some with a subagent."""
    runs = round(sessions * RUNS_OF_JOBS)
    _run_jobs(teller, runs)
    for scenario, slots in islice(_dealt(teller), sessions - runs):
        draft = teller.telling(scenario, slots, teller.moment())
        if teller.rng.random() < WITHOUT_TITLE:
            draft.title = None
        if teller.rng.random() < ARCHIVED:
            draft.cells["archived"] = 1
        if teller.rng.random() < WITH_SUBAGENT:
            teller.delegate(draft, draft.started + 60, lineages.PRICES)


def _dealt(teller: Teller) -> Iterator[tuple[Scenario, Slots]]:
    """Scenarios with their slots without end, each once before any comes again."""
    deck = [(scenario, slots) for scenario in SCENARIOS[teller.profile] for slots in scenario.slots]
    while True:
        yield from teller.rng.sample(deck, len(deck))


def _run_jobs(teller: Teller, runs: int) -> None:
    """The latest runs of each job, in turn, each at its own pace backwards from this or yesterday's morning."""
    mine = [job for job in jobs.JOBS if job.profile == teller.profile]
    latest = (teller.now - 7 * HOUR) // DAY * DAY + 6.5 * HOUR
    for number in range(runs):
        job, back = mine[number % len(mine)], number // len(mine)
        moment = latest - back * job.every
        draft = teller.begin(moment, "cron", model=job.model, id=f"cron_{job.id}_{stamp(moment)}")
        prompt, *rows = teller.rows(job.script, {name: str(teller.rng.randrange(8, 22)) for name in "abc"})
        prompt.pause = 1
        draft.tell([prompt, *rows])
        draft.end("cron_complete", after=1)


def _special(teller: Teller) -> None:
    """The stories of each profile; the default profile has every kind."""
    match teller.profile:
        case "default":
            story_portugal.tell(teller)
            story_long.tell_garden(teller, days_ago=200)
            lineages.tell(teller, days_ago=24)
            oddities.tell(teller, days_ago=45)
        case "work":
            story_long.tell_renaming(teller, days_ago=12)
            story_long.tell_migration(teller, days_ago=70)
        case "research":
            story_long.tell_related_work(teller, days_ago=33)
