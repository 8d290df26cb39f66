"""Metrics: what the server did, for Prometheus. No names of agents or banks, which may be people's."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

__all__ = ["CONTENT_TYPE", "Metrics"]
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """One server's counters."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "route")
        self._requests = Counter(
            "reverie_requests", "Requests answered.", (*labels, "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "reverie_request_seconds", "Time to answer.", labels, registry=self._registry, buckets=_SECONDS
        )

    def seen(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request. ``route``: its path with names for values."""
        method = method if method in _METHODS else "other"  # else strangers could make series without end
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """Return all in Prometheus's format."""
        return generate_latest(self._registry)
