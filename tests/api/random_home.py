"""A random home, and beside it in plain Python what its conversations are."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.builders import StoreBuilder, T

SOURCES = ["cli", "telegram", "cron", "discord", "api_server"]
AUTOMATION = {"cron", "tool", "subagent", "api_server"}
MODELS = ["a/one", "b/two", None]
FOLDERS = ["/srv/app", "/srv/app/api", "/srv/apple", "/home", None]
REASONS = ["cli_close", "session_reset", None]
TITLES = ["apple", "Banana", "cherry pie", "Über", "zebra", None, None]


@dataclass
class Segment:
    """One session as it is written."""

    id: str
    start: float
    messages: list[float]
    tokens: int
    cost: float | None
    title: str | None
    archived: bool


@dataclass
class Talk:
    """A conversation as it should be shown: `segments` from head to tip."""

    profile: str
    source: str
    model: str | None
    folder: str | None
    reason: str | None
    kind: str
    parent: str | None
    segments: list[Segment] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.segments[0].id

    @property
    def tip(self) -> Segment:
        return self.segments[-1]

    @property
    def title(self) -> str | None:
        return next((segment.title for segment in reversed(self.segments) if segment.title), None)

    @property
    def started(self) -> float:
        return self.segments[0].start

    @property
    def active(self) -> float:
        return max((at for segment in self.segments for at in segment.messages), default=self.started)

    @property
    def messages(self) -> int:
        return sum(len(segment.messages) for segment in self.segments)

    @property
    def tokens(self) -> int:
        return sum(segment.tokens for segment in self.segments)

    @property
    def cost(self) -> float | None:
        known = [segment.cost for segment in self.segments if segment.cost is not None]
        return round(sum(known), 9) if known else None

    @property
    def texts(self) -> list[str]:
        """What a filter by text looks at."""
        previews = [f"words of {segment.id}" for segment in self.segments if segment.messages]
        return [*(segment.id for segment in self.segments), *(s.title for s in self.segments if s.title), *previews]


def random_talks(seed: int, profile: str, number: int) -> list[Talk]:
    """Conversations with one to three segments, a fifth of them branches; many values are equal on purpose."""
    dice = random.Random(f"{seed} {profile}")
    titles = iter(dice.sample([f"{title} {n}" for n in range(number) for title in TITLES if title], number * 3))
    talks: list[Talk] = []
    for at in range(number):
        parent = dice.choice(talks).id if talks and dice.random() < 0.2 else None
        talk = Talk(
            profile=profile,
            source=dice.choice(SOURCES),
            model=dice.choice(MODELS),
            folder=dice.choice(FOLDERS),
            reason=dice.choice(REASONS),
            kind="BRANCH" if parent else "ROOT",
            parent=parent,
        )
        start = T + dice.randrange(10) * 1000
        for part in range(dice.choice([1, 1, 2, 3])):
            talk.segments.append(
                Segment(
                    id=f"{dice.choice('ab')}{at:03}-{part}",
                    start=start + part * 100,
                    messages=[start + dice.randrange(5000) for _ in range(dice.choice([0, 0, 1, 2, 5]))],
                    tokens=dice.choice([0, 100, 2500]),
                    cost=dice.choice([None, 0.25, 0.5]),
                    title=next(titles) if dice.random() < 0.6 else None,
                    archived=dice.random() < 0.25,
                )
            )
        talks.append(talk)
    return talks


def writing(talks: list[Talk]) -> Callable[[StoreBuilder], None]:
    """Writes the conversations, and on every seventh one a subagent and a stale sibling."""

    def fill(store: StoreBuilder) -> None:
        for number, talk in enumerate(talks):
            for segment in talk.segments:
                write_segment(store, talk, segment)
            if number % 7 == 0:
                store.session(f"sub{number}", parent=talk.tip.id, delegate_from=talk.tip.id, start=T)
                if len(talk.segments) > 1:
                    side = {"start": T, "end": T + 1, "end_reason": "ws_orphan_reap"}
                    store.session(f"side{number}", parent=talk.id, **side)

    return fill


def write_segment(store: StoreBuilder, talk: Talk, segment: Segment) -> None:
    place = talk.segments.index(segment)
    before = talk.segments[place - 1].id if place else talk.parent
    is_tip = segment is talk.tip
    reason = talk.reason if is_tip else "compression"
    store.session(
        segment.id,
        talk.source,
        start=segment.start,
        end=segment.start + 50 if reason else None,
        end_reason=reason,
        parent=before,
        branched_from=talk.parent,
        title=segment.title,
        input=segment.tokens,
        cost=segment.cost,
        archived=int(segment.archived),
        model=talk.model if is_tip else "other/model",
        cwd=talk.folder if is_tip else "/elsewhere",
    )
    for at in segment.messages:
        store.message(segment.id, content=f"words of {segment.id}", at=at)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


MEASURES: dict[str, Callable[[Talk], Any]] = {
    "STARTED": lambda talk: talk.started,
    "LAST_ACTIVE": lambda talk: talk.active,
    "MESSAGES": lambda talk: talk.messages,
    "TOKENS": lambda talk: talk.tokens,
    "COST": lambda talk: talk.cost,
    "TITLE": lambda talk: talk.title.casefold() if talk.title else None,
}


def ordered(talks: list[Talk], order: str, *, descending: bool) -> list[Talk]:
    """What has no measure stands last when descending; equal measures are told apart by id, then by profile."""

    def key(talk: Talk) -> tuple[Any, ...]:
        measure = MEASURES[order](talk)
        return (measure is not None, measure if measure is not None else 0, talk.id, talk.profile)

    return sorted(talks, key=key, reverse=descending)
