"""PgBouncer before a server: each transaction gets another connection of a few."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.debian import find_program
from tests.postgres.server import PostgresServer, as_nobody, free_port, open_folder

START_SECONDS = 10.0


@contextmanager
def pooled(
    server: PostgresServer, pool_size: int = 3, patience: int = 60, further: Mapping[str, object] | None = None
) -> Iterator[int]:
    """The port of a pooler in transaction mode, for every database of the server. A client waits for so many seconds
    for one of the connections. `further` are settings of PgBouncer's own."""
    folder = open_folder("hermes-sessions-pooler-")
    port = free_port()
    (folder / "pgbouncer.ini").write_text(
        f"""
        [databases]
        * = host=127.0.0.1 port={server.port} user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = {pool_size}
        max_client_conn = 200
        server_login_retry = 0.2
        query_wait_timeout = {patience}
        """.replace("        ", "")
        + "".join(f"{name} = {value}\n" for name, value in (further or {}).items())
    )
    with (folder / "log").open("wb") as log:
        command = [find_program("pgbouncer"), str(folder / "pgbouncer.ini")]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **as_nobody())
    try:
        _until_it_listens(process, port)
        yield port
    except OSError as error:
        raise RuntimeError(f"PgBouncer did not start:\n{(folder / 'log').read_text()[-2000:]}") from error
    finally:
        process.kill()
        process.wait(START_SECONDS)
        shutil.rmtree(folder)


def _until_it_listens(process: subprocess.Popen[bytes], port: int) -> None:
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
