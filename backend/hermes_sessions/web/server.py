"""Starting and stopping the server: the socket, the workers, the READY line, the link, the drain."""

from __future__ import annotations

import errno
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from hermes_sessions.errors import HermesSessionsError, bad_input
from hermes_sessions.settings import Settings
from hermes_sessions.web import logs
from hermes_sessions.web.frames import WebSocketProtocol
from hermes_sessions.web.hosts import is_wildcard
from hermes_sessions.web.metrics import shared_by_workers
from hermes_sessions.web.protocol import Config
from hermes_sessions.web.token import with_token

START_SECONDS = 60
BACKLOG = 2048
COLLECT_AFTER = (10_000, 20, 50)
"""Python looks for circles of objects after every 700 that it has made more than freed: several times for a large
answer, which holds none and lives for milliseconds."""

Factory = Callable[[Settings], ASGIApp]

_log = logging.getLogger("hermes_sessions.web")


@dataclass(frozen=True, slots=True)
class Greeting:
    """What is said once requests are answered."""

    address: str
    token: str | None
    opens_browser: bool

    @classmethod
    def of(cls, settings: Settings, port: int, *, shows_token: bool) -> Greeting:
        host = _reached_at(settings.host)
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        opens_browser = sys.stdout.isatty() and not settings.no_open
        return cls(address, settings.token if shows_token else None, opens_browser)

    @property
    def link(self) -> str:
        return f"{self.address}/#token={self.token}" if self.token else f"{self.address}/"

    def say(self) -> None:
        """READY stands alone on its line; the link is for people and never goes to the log."""
        sys.stdout.write(f"READY {self.address}\nOpen {self.link}\n")
        sys.stdout.flush()
        if self.opens_browser:
            threading.Thread(target=webbrowser.open, args=(self.link,), daemon=True).start()


def run(factory: Factory, settings: Settings) -> None:
    """Serves until a signal to stop comes, then lets requests under way finish.

    `factory` makes the application in every worker, so that with several workers it has to be a plain function of a
    module. It gets the settings with their token. Raises BAD_USER_INPUT for settings that cannot be served.
    """
    # A token that somebody set is known to them, and output that is not a terminal may be kept by others.
    shows_token = settings.token is None or sys.stdout.isatty()
    settings = with_token(settings)
    logs.configure(settings)
    listener = listen(settings.host, settings.port)
    greeting = Greeting.of(settings, listener.getsockname()[1], shows_token=shows_token)
    signal.signal(signal.SIGTERM, _stop)
    try:
        if settings.workers == 1:
            application = factory(settings)
            _begin_collecting()
            _Server(uvicorn_config(lambda: application, settings), greeting).run(sockets=[listener])
        else:
            with shared_by_workers():
                _Workers(uvicorn_config(partial(_make, factory, settings), settings), listener, greeting).run()
    except KeyboardInterrupt:
        _log.info("stopped")
    finally:
        listener.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. BAD_USER_INPUT says why there is none: the port is taken, the address is not ours."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        both = host == "::" and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        raise bad_input(_why_not(error, host, port)) from error


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} on {host} is in use. Choose another with --port, or --port 0 for a free one."
        case errno.EACCES:
            return f"Port {port} needs more rights than this user has. Choose one above 1023 with --port."
        case _:
            return f"Cannot listen on {host}: {error.strerror}. Choose an address of this machine with --host."


def _reached_at(host: str) -> str:
    """A host that a client of this machine can use."""
    if is_wildcard(host):
        return "::1" if ":" in host else "127.0.0.1"
    return host


def uvicorn_config(make: Callable[[], ASGIApp], settings: Settings) -> uvicorn.Config:
    return Config(
        make,
        settings,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws=WebSocketProtocol,
        ws_max_size=settings.max_body_bytes,
        ws_ping_interval=None,  # web/websocket.py asks by itself, and also ends what a stalled client leaves behind
        timeout_keep_alive=settings.keep_alive_timeout,
        timeout_graceful_shutdown=settings.drain_timeout,
        timeout_worker_healthcheck=START_SECONDS,
    )


def _make(factory: Factory, settings: Settings) -> ASGIApp:
    """In a worker. Its supervisor gives up on this exit status, and would start any other one again for ever."""
    logs.configure(settings)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    try:
        application = factory(settings)
        _begin_collecting()
        return application
    except HermesSessionsError as error:
        _log.error("the application cannot start: %s", error.message)
    except Exception:
        _log.exception("the application cannot start")
    sys.exit(STARTUP_FAILURE)


def _begin_collecting() -> None:
    """From now on: what is loaded stays, and need not be looked through."""
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()


def _end_with_supervisor() -> None:
    """A worker whose supervisor was killed would hold the port for ever."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _stop(*_: object) -> None:
    """A stop that was asked for is no failure: uvicorn raises its signal again when all is finished."""
    sys.exit(0)


class _Server(uvicorn.Server):
    """One process."""

    def __init__(self, config: uvicorn.Config, greeting: Greeting) -> None:
        super().__init__(config)
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._greeting.say()


class _Workers(Multiprocess):
    """Several processes on one socket."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, greeting: Greeting) -> None:
        super().__init__(config, sockets=[listener])
        self._greeting = greeting
        self._said = False

    def init_processes(self) -> None:
        super().init_processes()
        if all(process.wait_until_ready(START_SECONDS, self.should_exit) for process in self.processes):
            self._said = True
            self._greeting.say()

    def keep_subprocess_alive(self) -> None:
        before = list(self.processes)
        super().keep_subprocess_alive()
        for worker in before:
            if worker not in self.processes:
                _log.error("worker %s has ended with %s, another one takes its place", worker.pid, worker.exitcode)

    def run(self) -> None:
        super().run()
        if not self._said:
            sys.exit(STARTUP_FAILURE)
