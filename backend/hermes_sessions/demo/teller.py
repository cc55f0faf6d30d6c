"""Tells the sessions of one profile: who talks where, when sessions begin and end, and how they follow each other."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from hermes_sessions.demo import summaries
from hermes_sessions.demo.draft import Draft, session_id
from hermes_sessions.demo.models import Model, some_model
from hermes_sessions.demo.script import Player, Row, Scenario, Slots
from hermes_sessions.stores.create import NewStore

DAY, HOUR, MINUTE = 86_400.0, 3_600.0, 60.0
YEAR = 360 * DAY

ROOT = "/home/mira"
PROJECTS = {
    "booking-api": ("work/booking-api", ("main", "fix/expiry", "feature/surcharges")),
    "webapp": ("work/webapp", ("main", "a11y/forms")),
    "infra": ("work/infra", ("main", "certs")),
    "larder": ("code/larder", ("main", "by-date")),
    "home": ("code/home", ("main",)),
    "evalbench": ("research/evalbench", ("main", "bootstrap")),
    "coast": ("research/coast", ("main", "offsets")),
}

PLACES: dict[str, dict[str, str]] = {
    "telegram": {"user_id": "48213377", "chat_id": "48213377", "chat_type": "dm", "display_name": "Mira"},
    "discord": {
        "user_id": "771204",
        "chat_id": "990017",
        "chat_type": "group",
        "thread_id": "31",
        "display_name": "#ops",
    },
    "slack": {"user_id": "U04MIRA", "chat_id": "C0BOOKING", "chat_type": "group", "display_name": "#booking"},
}

END_REASONS: dict[str, tuple[str | None, ...]] = {
    "cli": ("cli_close", "cli_close", "cli_close", "new_session", "resumed_other"),
    "tui": ("cli_close", "tui_shutdown", "ws_orphan_reap"),
    "telegram": ("session_reset", "idle", "daily", "session_switch"),
    "discord": ("idle", "session_reset", "daily"),
    "slack": ("idle", "daily", "session_reset"),
    "api_server": ("agent_close",),
    "cron": ("cron_complete",),
}
SYSTEM_PROMPT = (
    "You are Hermes, an agent that works for Mira with tools on her machines. Be brief, say what you did and what you"
    " did not do, and ask before anything that cannot be undone.\n\nProfile: {profile}. Platform: {source}.\n\n"
    "# Memory\nMira lives in Rotterdam and works on freight booking. She prefers trains and short answers.\n"
)


class Teller:
    """Collects the drafts of one profile. The same seed, profile and `now` tell the same story."""

    def __init__(self, profile: str, seed: int, now: float) -> None:
        self.profile = profile
        self.now = now
        self.rng = Random(f"{seed}:{profile}")
        self.drafts: list[Draft] = []
        self._player = Player(self.rng)

    def begin(
        self,
        moment: float,
        source: str = "cli",
        *,
        title: str | None = None,
        model: Model | None = None,
        project: str | None = None,
        id: str | None = None,
    ) -> Draft:
        """A new session that starts at this moment and belongs to the profile from now on."""
        draft = Draft(
            id or session_id(self.rng, moment), source, model or some_model(self.rng), round(moment, 3), title
        )
        draft.cells |= {"profile_name": None if self.profile == "default" else self.profile}
        draft.cells |= {"system_prompt": SYSTEM_PROMPT.format(profile=self.profile, source=source)}
        draft.cells |= self._place(source) | self._folder(source, project)
        self.drafts.append(draft)
        return draft

    def rows(self, script: str, slots: Slots | None = None) -> list[Row]:
        """The rows of a script, every section of it."""
        return self._player.play(script, slots, whole=True)

    def telling(self, scenario: Scenario, slots: Slots, moment: float) -> Draft:
        """One telling of a scenario: source and sections by chance, closed as sessions of that source are."""
        source = self.rng.choice(scenario.sources)
        draft = self.begin(moment, source, title=Player.fill(scenario.title, slots), project=scenario.project)
        draft.tell(self._player.play(scenario.script, slots))
        draft.end(self.rng.choice(END_REASONS[source]), after=self.rng.uniform(5, 600))
        return draft

    def moment(self) -> float:
        """Some moment of the last year by day, more often a recent one, and far enough from now to talk for hours."""
        age: float = 5 * HOUR + (YEAR - 5 * HOUR) * self.rng.random() ** 1.6
        midnight = (self.now - age) // DAY * DAY
        hour = self.rng.triangular(6, 23, 17)
        return min(midnight + hour * HOUR, self.now - 5 * HOUR)

    def ago(self, days: float) -> float:
        return self.now - days * DAY

    def compress(self, draft: Draft, title: str | None, summary: str, pause: float = 2.0) -> Draft:
        """Close a session by compression and go on in its continuation, which begins with copies and a summary."""
        draft.end("compression", after=pause)
        ended: float = draft.cells["ended_at"]
        following = self.begin(ended, draft.source, title=title, model=draft.model)
        inherited = ("user_id", "chat_id", "chat_type", "thread_id", "session_key", "display_name", "cwd", "git_branch")
        following.cells |= {name: draft.cells[name] for name in (*inherited, "git_repo_root") if name in draft.cells}
        following.config = dict(draft.config)
        following.parented(draft.id)
        first, last = summaries.kept(draft.messages)
        following.copy(first)
        following.messages.append(summaries.message(summary, following.now))
        following.copy(last)
        following.auxiliary("compression", draft.model, 48_000 + self.rng.randrange(20_000), 1_900)
        return following

    def delegate(self, parent: Draft, moment: float, script: str, *, id: str | None = None) -> Draft:
        """A subagent that works for `parent` from this moment on."""
        subagent = self.begin(moment, parent.source, model=parent.model, id=id)
        subagent.parented(parent.id, "_delegate_from")
        subagent.tell(self.rows(script))
        subagent.end("agent_close", after=1)
        return subagent

    def branch(self, parent: Draft, moment: float, title: str, *, copied: int = 4) -> Draft:
        """A branch of `parent` with its first messages, marked in `model_config`."""
        branch = self.begin(moment, parent.source, title=title, model=parent.model)
        branch.parented(parent.id, "_branched_from")
        branch.copy(parent.messages[:copied])
        return branch

    def write(self, store: NewStore) -> None:
        """Write everything in the order in which it began, each title once."""
        taken: set[str] = set()
        for draft in sorted(self.drafts, key=lambda draft: (draft.started, draft.id)):
            draft.title = free_title(draft.title, taken)
            draft.write(store)

    def _place(self, source: str) -> dict[str, Any]:
        place = PLACES.get(source)
        if place is None:
            return {}
        key = ":".join(("agent:main", source, place["chat_type"], place["chat_id"]))
        return {**place, "session_key": key}

    def _folder(self, source: str, project: str | None) -> dict[str, Any]:
        if project is None:
            return {"cwd": ROOT} if source in ("cli", "tui") else {}
        folder, branches = PROJECTS[project]
        root = f"{ROOT}/{folder}"
        return {"cwd": root, "git_repo_root": root, "git_branch": self.rng.choice(branches)}


def free_title(title: str | None, taken: set[str]) -> str | None:
    """The title, numbered as Hermes does when an earlier session has it."""
    if title is None:
        return None
    free, number = title, 2
    while free in taken:
        free, number = f"{title} #{number}", number + 1
    taken.add(free)
    return free


def last_march(now: float) -> float:
    """17 March 2026, 09:40 UTC, or the same day of the latest year that is not ahead of `now`."""
    year = min(2026, datetime.fromtimestamp(now, UTC).year)
    moment = datetime(year, 3, 17, 9, 40, tzinfo=UTC).timestamp()
    return moment if moment < now - 7 * DAY else datetime(year - 1, 3, 17, 9, 40, tzinfo=UTC).timestamp()
