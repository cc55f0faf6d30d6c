"""Previews of sessions that are kept for as long as the session's messages stay as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence

from hermes_sessions.model.lineage import Forest

SPARE = 100
"""So many previews more than twice the sessions are kept before those of deleted ones go."""

_Stamp = tuple[float, ...]
Read = Callable[[Sequence[str]], Awaitable[Mapping[str, str | None]]]
"""Reads the previews of these sessions."""


class KeptPreviews:
    """Those of one store, whichever file or database that is just now."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Stamp, str | None]] = {}
        self._known_of: Hashable = None

    def __len__(self) -> int:
        return len(self._known)

    async def of(
        self, place: Hashable, forest: Forest, session_ids: Sequence[str], read: Read
    ) -> dict[str, str | None]:
        """Of those sessions that there are. Another `place` than before is another store, of which nothing is known."""
        if place != self._known_of:
            self._known, self._known_of = {}, place
        known = self._known  # of this place, also when another question meets a new store meanwhile
        sessions = forest.sessions
        stamps = {name: sessions[name].activity.stamp for name in session_ids if name in sessions}
        found = {name: known[name][1] for name, stamp in stamps.items() if name in known and known[name][0] == stamp}
        stale = [name for name in stamps if name not in found]
        if stale:
            fresh = await read([name for name in stale if sessions[name].activity.live])
            found.update({name: fresh.get(name) for name in stale})
            known.update({name: (stamps[name], found[name]) for name in stale})
            if len(known) > 2 * len(sessions) + SPARE:
                for name in known.keys() - sessions.keys():
                    del known[name]
        return {name: found[name] for name in stamps}
