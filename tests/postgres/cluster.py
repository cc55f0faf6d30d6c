"""A primary and a standby that has applied every commit before it is acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.postgres.server import QUICK, PostgresServer, run_program

SYNCHRONOUS = {**QUICK, "synchronous_standby_names": "*", "synchronous_commit": "remote_apply"}
"""Given to the primary alone, on its command line: a standby that takes over waits for nobody."""


class Standby(PostgresServer):
    """Follows its primary, which runs, until it is promoted."""

    def __init__(self, primary: PostgresServer) -> None:
        self._primary = primary
        super().__init__(QUICK)

    def _fill_data(self, password: str | None) -> None:
        source = ["--host", "127.0.0.1", "--port", str(self._primary.port), "--username", "postgres"]
        manner = ["--write-recovery-conf", "--checkpoint", "fast", "--no-sync"]
        run_program(["pg_basebackup", "--pgdata", str(self.data), *source, *manner])

    def promote(self) -> None:
        """Returns once it takes writes."""
        run_program(["pg_ctl", "promote", "--wait", "--timeout", "30", "--pgdata", str(self.data)])


class Cluster:
    """Acknowledged commits outlive the primary: each waits until the standby shows it."""

    def __init__(self) -> None:
        self.primary = PostgresServer(SYNCHRONOUS)
        try:
            self.primary.start()
            self.standby = Standby(self.primary)
        except BaseException:
            self.primary.close()
            raise

    def start(self) -> None:
        self.standby.start()

    def url(self, database: str = "postgres", parameters: str = "target_session_attrs=read-write") -> str:
        """Names both, the primary first."""
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in (self.primary, self.standby))
        return f"postgresql://postgres@{hosts}/{database}?{parameters}"

    def close(self) -> None:
        """The primary last: it waits until a standby that runs has got everything."""
        self.standby.close()
        self.primary.close()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()
