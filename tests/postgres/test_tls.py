"""Encrypted connections, and where passwords come from: what `serve` makes of the URL and of a user's files.

The PostgreSQL of the tests is built without TLS; PgBouncer, which refuses connections that are not encrypted, stands
before it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from tests.api.serving import Json
from tests.postgres.certificates import Certificate, certificates
from tests.postgres.conftest import new_database
from tests.postgres.pooler import pooled
from tests.postgres.server import PostgresServer
from tests.processes import replica, run_command

PASSWORD = "a-password-that-nobody-shows"
READY = {"name": "team", "status": "READY", "reason": None}


@dataclass(frozen=True)
class Encrypted:
    """A store whose server has the certificate for 127.0.0.1 and takes only encrypted connections."""

    url: str
    own: Certificate
    another: Certificate

    def of(self, parameters: str) -> str:
        return f"{self.url}?pgbouncer=true&{parameters}"


@pytest.fixture(scope="module")
def encrypted(server: PostgresServer) -> Iterator[Encrypted]:
    url = asyncio.run(new_database(server))
    with certificates("127.0.0.1", "127.0.0.1") as [own, another]:
        settings = {"client_tls_sslmode": "require", "client_tls_cert_file": own.file, "client_tls_key_file": own.key}
        with pooled(server, further=settings) as port:
            yield Encrypted(url.replace(f":{server.port}/", f":{port}/"), own, another)


def state(folder: Path, url: str, environment: Mapping[str, str] | None = None) -> Json:
    """What a server of the URL says of its profile. Nothing of the URL or of a password is said or logged."""
    with replica(folder, "--profile", f"team={url}", environment=environment) as running:
        found = running.ask("{ profiles { name status reason: statusReason } }")["data"]["profiles"]
        refused = running.ask("{ conversations { totalCount } }")
        said = f"{running.log.read_text()}{found}{refused}"
    assert "Traceback" not in said, said
    assert "postgresql:" not in said
    assert PASSWORD not in said
    assert ("errors" in refused) == (found != [READY])
    return dict(found[0])


@pytest.fixture(scope="module")
def migrated(encrypted: Encrypted, tmp_path_factory: pytest.TempPathFactory) -> Encrypted:
    run_command(tmp_path_factory.mktemp("migrate"), "migrate", "--profile", f"team={encrypted.of('sslmode=require')}")
    return encrypted


def test_sslmode_require_encrypts(migrated: Encrypted, tmp_path: Path) -> None:
    assert state(tmp_path / "plain", migrated.of("sslmode=disable"))["status"] == "UNREACHABLE"
    assert state(tmp_path / "encrypted", migrated.of("sslmode=require")) == READY


def test_verify_full_trusts_its_authority_alone(migrated: Encrypted, tmp_path: Path) -> None:
    assert state(tmp_path / "own", migrated.of(f"sslmode=verify-full&sslrootcert={migrated.own.file}")) == READY
    foreign = state(tmp_path / "another", migrated.of(f"sslmode=verify-full&sslrootcert={migrated.another.file}"))
    assert foreign["status"] == "UNREACHABLE"
    assert "certificate" in foreign["reason"]


def test_verify_full_wants_the_name_of_the_host_that_verify_ca_does_not(migrated: Encrypted, tmp_path: Path) -> None:
    named = migrated.of(f"sslrootcert={migrated.own.file}").replace("127.0.0.1", "localhost")
    foreign = state(tmp_path / "full", f"{named}&sslmode=verify-full")
    assert foreign["status"] == "UNREACHABLE"
    assert "certificate" in foreign["reason"]
    assert state(tmp_path / "ca", f"{named}&sslmode=verify-ca") == READY


def test_a_file_of_certificates_that_is_not_there_is_said(migrated: Encrypted, tmp_path: Path) -> None:
    found = state(tmp_path / "missing", migrated.of(f"sslmode=verify-full&sslrootcert={tmp_path / 'missing.crt'}"))
    assert found["status"] != "READY"
    assert "sslrootcert" in found["reason"]
    (tmp_path / "none.crt").write_text("none")
    found = state(tmp_path / "none", migrated.of(f"sslmode=verify-full&sslrootcert={tmp_path / 'none.crt'}"))
    assert found["status"] != "READY"
    assert "sslrootcert" in found["reason"]


def test_a_server_without_tls_is_said_where_it_is_asked_for(url: str, tmp_path: Path) -> None:
    run_command(tmp_path, "migrate", "--profile", f"team={url}")
    found = state(tmp_path / "asked", f"{url}?sslmode=require")
    assert found["status"] == "UNREACHABLE"
    assert "TLS" in found["reason"]
    assert state(tmp_path / "preferred", f"{url}?sslmode=prefer") == READY


def test_a_server_that_goes_while_it_encrypts_cannot_be_reached(tmp_path: Path) -> None:
    def leave_when_asked(listener: socket.socket) -> None:
        with suppress(OSError):  # of a listener that was closed
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(100)
                    connection.sendall(b"S")
                    connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=leave_when_asked, args=(listener,), daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        found = state(tmp_path / "serving", f"postgresql://postgres@127.0.0.1:{port}/x?sslmode=require")
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=10)
    assert found["status"] == "UNREACHABLE"
    assert "cannot be reached" in found["reason"]
