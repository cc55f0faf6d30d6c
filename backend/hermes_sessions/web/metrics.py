"""What the server counts of its own work, for Prometheus (`/metrics`).

With several workers each writes its counts into files of a folder that all share, named by the variable of Prometheus'
library, and whichever worker is asked adds them up.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from hermes_sessions.errors import ErrorCode

#: Where the workers of one server share what they count. Prometheus' library looks for it when it is loaded.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

PREFIX = "hermes_sessions"
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "WEBSOCKET"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


@dataclass(frozen=True, slots=True)
class ProfileState:
    """Whether a profile can be read; `status` as the API names it, and a safe sentence where it is not READY. Sizes
    are bytes; None where there is no such file, or the store could not be looked at."""

    name: str
    ready: bool
    status: str
    reason: str | None = None
    size_bytes: int | None = None
    wal_bytes: int | None = None


@contextmanager
def shared_by_workers() -> Iterator[None]:
    """While the workers run that are started in the block, what they count is added up."""
    with TemporaryDirectory(prefix="hermes-sessions-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[SHARED_FOLDER]


class Metrics:
    """The counts of one application. Labels come from short lists: no text of a client's makes a new one."""

    def __init__(self, version: str) -> None:
        own = self._own = CollectorRegistry()
        self._version = version
        self._shared = os.environ.get(SHARED_FOLDER)
        self._requests = Counter(
            f"{PREFIX}_http_requests", "Requests answered.", ["route", "method", "status"], registry=own
        )
        self._seconds = Histogram(
            f"{PREFIX}_http_request_seconds",
            "Time from a request's headers to the end of its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=own,
        )
        self._operations = Counter(
            f"{PREFIX}_graphql_operations",
            "GraphQL operations executed, over HTTP and WebSocket.",
            ["kind"],
            registry=own,
        )
        self._errors = Counter(f"{PREFIX}_errors", "Errors answered, by extensions.code.", ["code"], registry=own)
        for code in ErrorCode:
            self._errors.labels(code.value)  # 0 from the start: Prometheus sees no increase in what begins with 1
        self._requests_under_way = _gauge("http_requests_under_way", "Requests that are being answered.", own)
        self._websockets = _gauge("websockets", "WebSockets that are open.", own)
        self._operations_under_way = _gauge("websocket_operations_under_way", "Operations on WebSockets.", own)
        if self._shared is None:
            ProcessCollector(registry=own)

    def count_request(self, route: str, method: str, status: int | None, seconds: float) -> None:
        """`status` is None where the client left before it was answered."""
        known = method if method in _METHODS else "other"
        self._requests.labels(route, known, "none" if status is None else str(status)).inc()
        if method != "WEBSOCKET":  # it lasts as long as its client likes
            self._seconds.labels(route).observe(seconds)

    def under_way(self, method: str) -> AbstractContextManager[None]:
        """While a request is answered, or a WebSocket open."""
        return _held(self._websockets if method == "WEBSOCKET" else self._requests_under_way)

    def operation_under_way(self) -> AbstractContextManager[None]:
        """While an operation goes on over a WebSocket."""
        return _held(self._operations_under_way)

    def count_operation(self, kind: str) -> None:
        self._operations.labels(kind).inc()

    def count_errors(self, codes: Iterable[str]) -> None:
        for code in codes:
            self._errors.labels(code).inc()

    def text(self, profiles: Sequence[ProfileState]) -> bytes:
        """Everything in Prometheus' text format, with how the profiles are at this moment."""
        registry = CollectorRegistry()
        registry.register(_Moment(self._version, profiles))
        if self._shared is None:
            return generate_latest(self._own) + generate_latest(registry)
        _forget_dead_workers(Path(self._shared))
        MultiProcessCollector(registry, self._shared)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


class _Moment(Collector):
    """What is known when it is asked for, and not counted."""

    def __init__(self, version: str, profiles: Sequence[ProfileState]) -> None:
        self._version = version
        self._profiles = profiles

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(f"{PREFIX}_build", "What is running.", value={"version": self._version})
        ready = GaugeMetricFamily(f"{PREFIX}_profile_ready", "1 where the profile can be read.", labels=["profile"])
        size = GaugeMetricFamily(f"{PREFIX}_store_bytes", "Size of the store's file.", labels=["profile"])
        log = GaugeMetricFamily(f"{PREFIX}_store_wal_bytes", "Size of its write-ahead log.", labels=["profile"])
        for profile in self._profiles:
            ready.add_metric([profile.name], profile.ready)
            if profile.size_bytes is not None:
                size.add_metric([profile.name], profile.size_bytes)
            if profile.wal_bytes is not None:
                log.add_metric([profile.name], profile.wal_bytes)
        yield from (ready, size, log)


@contextmanager
def _held(gauge: Gauge) -> Iterator[None]:
    gauge.inc()
    try:
        yield
    finally:
        gauge.dec()


def _gauge(name: str, help: str, registry: CollectorRegistry) -> Gauge:
    return Gauge(f"{PREFIX}_{name}", help, registry=registry, multiprocess_mode="livesum")


def _forget_dead_workers(folder: Path) -> None:
    """What is under way in a worker that was killed is so no longer; what it had counted stays."""
    for pid in {path.stem.rpartition("_")[2] for path in folder.glob("gauge_live*.db")}:
        if pid.isdecimal() and not _is_alive(int(pid)):
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
