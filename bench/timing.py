"""Time and memory: percentiles, what the embedder took of a call, resident size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder


def percentile(seconds: Sequence[float] | NDArray[np.float64], rank: float) -> float:
    """That percentile in milliseconds."""
    return float(np.percentile(seconds, rank)) * 1000


def resident_mb() -> float:
    """What this process keeps in memory, in MB (10⁶ bytes); not a number where the system doesn't say."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return float("nan")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / 1e6


class TimedEmbedder:
    """An embedder that keeps account of the time spent in it."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.seconds = 0.0

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def most_tokens(self) -> int:
        return self.inner.most_tokens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        start = time.perf_counter()
        vectors = self.inner.embed(texts)
        self.seconds += time.perf_counter() - start
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        start = time.perf_counter()
        vector = self.inner.embed_query(text)
        self.seconds += time.perf_counter() - start
        return vector

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)


class Calls:
    """Times of calls, whole and without what the embedder took of each. Figures in milliseconds."""

    def __init__(self, embedder: TimedEmbedder) -> None:
        self._embedder = embedder
        self._whole: list[float] = []
        self._embedding: list[float] = []

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Times its block."""
        spent, start = self._embedder.seconds, time.perf_counter()
        yield
        self._whole.append(time.perf_counter() - start)
        self._embedding.append(self._embedder.seconds - spent)

    def whole(self, rank: float) -> float:
        """That percentile of whole calls."""
        return percentile(self._whole, rank)

    def embedding(self, rank: float) -> float:
        """That percentile of what the embedder took."""
        return percentile(self._embedding, rank)

    def rest(self, rank: float) -> float:
        """That percentile of what each call took besides its own embedding."""
        return percentile(np.subtract(self._whole, self._embedding), rank)

    def mean(self) -> float:
        """The mean of whole calls."""
        return float(np.mean(self._whole)) * 1000
