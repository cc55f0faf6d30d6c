"""Programs that change a store through the API, and what their answers promise of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tests.api.test_bulk import PAYLOAD
from tests.api.test_restoring import RESTORE
from tests.hermes.crowd import ARCHIVED, DELETED, RENAMED
from tests.postgres.writers import APPEND, CREATE, DELETE, RENAME
from tests.soak.programs import Program

OURS = "ours"
MANY = f"""
    mutation ($ids: [ID!]!, $archived: Boolean!) {{
      archiveSessions(input: {{ids: $ids, archived: $archived}}) {{ {PAYLOAD} }}
    }}"""
GO = f"mutation ($ids: [ID!]!) {{ deleteSessions(input: {{ids: $ids}}) {{ {PAYLOAD} }} }}"


@dataclass
class Promised:
    """By the answers, at the end."""

    said: list[str] = field(default_factory=list)
    """Ids of messages in `OURS`, in order."""
    titles: dict[str, str] = field(default_factory=dict)
    created: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    archived: bool = False
    rounds: int = 0

    def changers(self, ports: list[int], bulk_pause: float) -> list[Program]:
        turns = [(self.rename, 0.5), (self.append, 0.25), (self.create, 0.5), (self.clean_up, bulk_pause)]
        return [Program(ports[at % len(ports)], pause, turn) for at, (turn, pause) in enumerate(turns)]

    def rename(self, program: Program, number: int) -> None:
        id, title = RENAMED[number % len(RENAMED)], f"Name {number}"
        assert program.ask("rename", RENAME, id=id, title=title)["session"]["title"] == title
        self.titles[id] = title

    def append(self, program: Program, number: int) -> None:
        """Every fourth message is sent twice, as after an answer that got lost."""
        text = f"ours {number}"
        self.said += program.ask("append", APPEND, id=OURS, client=text, text=text)["newIds"]
        if number % 4 == 0:
            assert program.ask("append", APPEND, id=OURS, client=text, text=text)["newIds"] == []

    def create(self, program: Program, number: int) -> None:
        """Sessions come and go: of the last twenty all are there, of older ones none."""
        id = f"made-{number}"
        assert program.ask("create", CREATE, id=id)["changedIds"] == [id]
        self.created.append(id)
        if number >= 20:
            old = self.created[number - 20]
            assert program.ask("delete", DELETE, id=old)["deletedIds"] == [old]
            self.deleted.append(old)

    def clean_up(self, program: Program, number: int) -> None:
        """Archives or unarchives many, deletes others, and brings them back."""
        self.archived = number % 2 == 0
        changed, _ = self._all_of(program, "archive many", MANY, ids=ARCHIVED, archived=self.archived)
        assert sorted(changed) == ARCHIVED
        changed, bin_ids = self._all_of(program, "delete many", GO, ids=DELETED)
        assert sorted(changed) == DELETED
        time.sleep(4)  # longer than sessions are ever looked at
        restored: list[str] = []
        for bin_id in bin_ids:
            restored += program.ask("restore", RESTORE, binId=bin_id)["changedIds"]
        assert sorted(restored) == DELETED
        self.rounds += 1

    def _all_of(self, program: Program, name: str, document: str, **input: object) -> tuple[list[str], list[str]]:
        """Asks until all is done. Ids of the sessions that were changed, and of the entries of the bin."""
        changed: list[str] = []
        bin_ids: list[str] = []
        is_done = False
        while not is_done:
            done = program.ask(name, document, **input)
            changed += done["changedIds"]
            bin_ids = [*done["binIds"], *bin_ids]
            is_done = done["completed"]
        return changed, bin_ids
