"""A worker's metrics for Prometheus, over HTTP: what it did, and what waits. No names of agents, and no contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from reverie.domain.turned import Backlog, Turned
from reverie.errors import InvalidInput, ReverieError

_FIELD, _LAST_PORT = "--metrics", 65_535
_HERE = "127.0.0.1"


class WorkerMetrics:
    """One worker's counters. ``backlog`` is asked at each scrape: what waits, for all workers of the bank together."""

    def __init__(self, backlog: Callable[[], Backlog]) -> None:
        self.registry = CollectorRegistry()
        self._turns = Counter("reverie_worker_turns", "Agents attended to.", registry=self.registry)
        self._jobs = Counter(
            "reverie_worker_jobs", "Jobs that ended, by what they were.", ("job", "outcome"),
            registry=self.registry,
        )  # fmt: skip
        self.registry.register(_Waiting(backlog))

    def seen(self, done: Turned) -> None:
        """Count a turn."""
        self._turns.inc()
        for outcome, jobs in (("done", done.done), ("failed", done.failed)):
            for job in jobs:
                self._jobs.labels(job, outcome).inc()


class _Waiting(Collector):
    def __init__(self, backlog: Callable[[], Backlog]) -> None:
        self._backlog = backlog

    def describe(self) -> Iterator[Metric]:
        """Tell nothing beforehand: registering must not ask the store."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield what waits; nothing while the store is out of reach."""
        try:
            now = self._backlog()
        except ReverieError:
            return
        for name, text, value in (
            ("due_agents", "Agents of which something is due.", now.due),
            ("lag_seconds", "For how long the one that waits longest has waited.", now.lag),
            ("dead_jobs", "Jobs and conversations that are not tried by themselves any more.", now.dead),
            ("model_calls_24h", "Calls of models in the last 24 hours, by all processes.", now.calls),
        ):
            yield GaugeMetricFamily(f"reverie_worker_{name}", text, value=value)


@contextmanager
def served(metrics: WorkerMetrics, place: str) -> Iterator[str]:
    """Serve them at ``HOST:PORT`` or ``PORT`` (on this machine alone), and give the address. Raise InvalidInput."""
    host, port = _place(place)
    try:
        server, thread = start_http_server(port, addr=host, registry=metrics.registry)
    except OSError as error:
        raise InvalidInput(
            _FIELD, f"{place!r:.60} can't be listened on ({error})", "choose another"
        ) from None
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _place(place: str) -> tuple[str, int]:
    host, _, port = place.strip().rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= _LAST_PORT):
        raise InvalidInput(_FIELD, f"{place!r:.60} names no port", "give PORT or HOST:PORT, such as 9464")
    return host.strip("[]") or _HERE, int(port)
