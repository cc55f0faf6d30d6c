"""One session as stored, and its kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hermes_sessions.model.usage import Cost, Usage

LIVE_WINDOW_SECONDS = 300.0


class SessionKind(Enum):
    """What a session is to its parent."""

    ROOT = "ROOT"
    CONTINUATION = "CONTINUATION"
    BRANCH = "BRANCH"
    SUBAGENT = "SUBAGENT"
    TOOL = "TOOL"
    RESET = "RESET"
    SIDE = "SIDE"
    UNCLASSIFIED = "UNCLASSIFIED"


@dataclass(frozen=True, slots=True)
class Activity:
    """What the rows of `messages` say about one session, counted without reading any content.

    `newest` is the newest plausible moment among their timestamps. `live_ids` is the sum of the ids of live
    messages. `stamp` changes whenever rows come, go or change state, so that what was derived from them can be kept
    until then.
    """

    live: int = 0
    compacted: int = 0
    rewound: int = 0
    newest: float | None = None
    last_id: int = 0
    live_ids: float = 0.0

    @property
    def shown(self) -> int:
        """Rows that a transcript shows: live and compacted ones."""
        return self.live + self.compacted

    @property
    def rows(self) -> int:
        return self.live + self.compacted + self.rewound

    @property
    def stamp(self) -> tuple[float, ...]:
        return (self.live, self.compacted, self.rewound, self.last_id, self.live_ids)


NO_ACTIVITY = Activity()
NO_USAGE = Usage()
UNKNOWN_COST = Cost(unknown_sessions=1)


@dataclass(frozen=True, slots=True)
class Session:
    """The narrow columns of one row of `sessions`, coerced. Moments are seconds since 1970 in UTC.

    The markers are those of `model_config`, None where absent or malformed. `warnings` says in words what could
    not be read as stored. `usage` and `cost` hold the session's auxiliary calls; where there are any,
    `without_auxiliary` has both without them.
    """

    id: str
    source: str
    parent_id: str | None = None
    branched_from: str | None = None
    delegate_from: str | None = None
    reset_from: str | None = None
    session_key: str | None = None
    title: str | None = None
    model: str | None = None
    user_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    git_repo_root: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    has_ended: bool = False
    end_reason: str | None = None
    last_activity_at: float | None = None
    archived: bool = False
    counted_messages: int = 0
    tool_call_count: int = 0
    usage: Usage = NO_USAGE
    cost: Cost = UNKNOWN_COST
    without_auxiliary: tuple[Usage, Cost] | None = None
    activity: Activity = NO_ACTIVITY
    warnings: tuple[str, ...] = ()

    @property
    def workspace(self) -> str | None:
        """The git repository's root where known, else the working directory: what Hermes groups by, too."""
        return self.git_repo_root or self.cwd

    @property
    def own_usage(self) -> Usage:
        """Without auxiliary calls."""
        return self.without_auxiliary[0] if self.without_auxiliary is not None else self.usage

    @property
    def own_cost(self) -> Cost:
        """Without auxiliary calls."""
        return self.without_auxiliary[1] if self.without_auxiliary is not None else self.cost

    @property
    def message_count(self) -> int:
        """Live and compacted messages, counted from the rows: the stored counter forgets compacted ones."""
        return self.activity.shown

    @property
    def last_active_at(self) -> float | None:
        """The newest of message timestamps and `last_activity_at`, else the start."""
        newest, noted = self.activity.newest, self.last_activity_at
        if newest is None or (noted is not None and noted > newest):
            newest = noted
        return self.started_at if newest is None else newest

    def is_live(self, now: float) -> bool:
        """Not ended, and active within the last five minutes (a moment in the future does not count)."""
        at = self.last_active_at
        return not self.has_ended and at is not None and 0 <= now - at <= LIVE_WINDOW_SECONDS
