"""The whole application behind a real uvicorn, asked through the `gql` client.

One server serves a module; a case is a profile of its home, so that a case costs no start of a server.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import uvicorn
from gql import Client, gql
from gql.client import SyncClientSession
from gql.transport.exceptions import TransportQueryError
from gql.transport.httpx import HTTPXTransport

from hermes_sessions.app import create_app
from hermes_sessions.settings import Settings
from hermes_sessions.stores.postgres.address import Address
from hermes_sessions.web.server import listen, uvicorn_config
from tests.builders import StoreBuilder, store_path
from tests.postgres.builder import PostgresBuilder, aside
from tests.postgres.builder import fill as fill_tables
from tests.web.serving import BEARER, TOKEN, Served

Json = dict[str, Any]
Fill = Callable[[StoreBuilder], object]


class Refusal(AssertionError):
    """The errors of an answer; `data` is what came beside them."""

    def __init__(self, errors: list[Json], data: Json | None) -> None:
        super().__init__(f"{errors} beside {data}")
        self.errors = errors
        self.data = data

    @property
    def code(self) -> str:
        """Of the only error."""
        [error] = self.errors
        return str(error["extensions"]["code"])

    @property
    def message(self) -> str:
        return str(self.errors[0]["message"])

    @property
    def details(self) -> Json:
        return dict(self.errors[0]["extensions"])


@dataclass(frozen=True)
class Api:
    """One profile of a running server. One that is in PostgreSQL has an address, and beside its `path` a copy."""

    path: Path
    profile: str
    session: SyncClientSession
    address: Address | None = None

    def ask(self, query: str, /, **variables: Any) -> Json:
        """The data. Raises Refusal when the answer holds any error."""
        request = gql(query)
        request.variable_values = variables
        try:
            return self.session.execute(request)
        except TransportQueryError as error:
            raise Refusal(error.errors or [], error.data) from None

    def refusal(self, query: str, /, **variables: Any) -> Refusal:
        """Why the question is refused. Fails when it is answered."""
        try:
            data = self.ask(query, **variables)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"answered: {data}")

    def store(self) -> StoreBuilder:
        """A second connection to the store, beside the server's."""
        if self.address is None:
            return StoreBuilder(self.path)
        return PostgresBuilder(self.address, self.path.with_name(f"{uuid4().hex}.db"))


@dataclass(frozen=True)
class Server:
    """A running server on one Hermes home. `served` sends requests that `gql` would not. With `addresses`, which are
    those of its declared profiles, cases are in PostgreSQL."""

    home: Path
    state_dir: Path
    served: Served
    _clients: ExitStack
    addresses: Mapping[str, Address] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def profile(self, *fills: Fill, **options: Any) -> Api:
        """A new profile whose store these functions fill; `options` are those of StoreBuilder."""
        name = f"case-{next(self._numbers)}"
        with StoreBuilder(self._path(name), **options) as store:
            for fill in fills:
                fill(store)
            if name in self.addresses:
                aside(lambda: fill_tables(self.addresses[name], store))
        return self.api(name)

    def _path(self, profile: str) -> Path:
        if profile in self.addresses:
            return self.home.with_name(f"{self.home.name}-copies") / profile / "state.db"
        return store_path(self.home, profile)

    def api(self, profile: str = "default") -> Api:
        """A client whose requests are about a profile that is there already."""
        transport = HTTPXTransport(
            f"{self.served.url}/graphql?profile={profile}",
            headers=BEARER,
            timeout=httpx.Timeout(60),
            verify=False,  # plain http: loading certificates would cost more than a test
        )
        session = self._clients.enter_context(Client(transport=transport))
        return Api(self._path(profile), profile, session, self.addresses.get(profile))


@contextmanager
def serving(home: Path, state_dir: Path | None = None, **settings: Any) -> Iterator[Server]:
    """Serves the home on a free port for as long as the block runs; the bin is in `state_dir`, else beside the home."""
    home.mkdir(parents=True, exist_ok=True)
    state = state_dir or home.with_name(f"{home.name}-state")
    chosen = Settings(home=home, token=TOKEN, state_dir=state, **settings)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn_config(lambda: create_app(chosen), chosen))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    assert server.started
    try:
        with ExitStack() as clients:
            addresses = {name: Address.of(name, url) for name, url in chosen.profile}
            yield Server(home, state, Served(listener.getsockname()[1]), clients, addresses)
    finally:
        server.should_exit = True
        thread.join(timeout=15)
    assert not thread.is_alive()


@contextmanager
def process_serving(home: Path, timeout: float = 60, port: int = 0) -> Iterator[tuple[httpx.Client, int]]:
    """The command `serve` in a process of its own: a client for it, and its process id."""
    command = [sys.executable, "-m", "hermes_sessions", "serve", "--home", str(home), "--port", str(port), "--no-open"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(["backend", *filter(None, [os.environ.get("PYTHONPATH")])]),
        "HERMES_SESSIONS_TOKEN": TOKEN,
        "HERMES_SESSIONS_STATE_DIR": str(home / "state"),
    }
    root = Path(__file__).parents[2]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=root)
    assert process.stdout is not None
    with process, process.stdout:
        try:
            address = process.stdout.readline().removeprefix("READY ").strip()
            with httpx.Client(base_url=address, headers=BEARER, timeout=timeout, verify=False) as client:
                yield client, process.pid
        finally:
            process.kill()  # it may hang, which is what some tests look for


def peak_megabytes(pid: int) -> float:
    """The most memory that the process ever held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    [peak] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(peak) / 1000
