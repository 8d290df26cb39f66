"""The embedder that Reverie uses unless told otherwise."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import numpy as np

from reverie.embedders.minilm.network import MOST_TOKENS, Compute, Network
from reverie.embedders.minilm.weights import read_vocabulary
from reverie.embedders.minilm.wordpiece import WordPiece
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FEWEST_FOR_THREADS = 8


class MiniLM:
    """all-MiniLM-L6-v2 out of the package: 384 dimensions, English first, no network.

    ``compute`` is "int8" (the default: products in int8, more than twice as fast) or "f32" (the same rounded
    weights, products in float32). The two give close but different vectors, so their ids differ. ``threads``
    is how many texts ``embed`` works on at once, by default two where there are as many processors; it
    changes no vector.

    Making one costs nothing; vocabulary and network are loaded when first needed. Within one machine the same
    text gives the same bytes in every process. Between machines int8 vectors differ by as much as rounding does
    (cosine about 0.999), also where a processor lacks 8-bit dot products (VNNI): there they take a fifth longer.
    """

    def __init__(self, compute: Compute = "int8", threads: int | None = None) -> None:
        if compute not in ("int8", "f32"):
            raise InvalidInput("compute", f"{compute!r} is not known", 'use "int8" or "f32"')
        if threads is not None and threads < 1:
            raise InvalidInput("threads", f"{threads!r} is below 1", "give 1 or more, or None")
        self._compute: Compute = compute
        self._threads = threads or min(2, os.cpu_count() or 1)
        self._lock = threading.Lock()
        self._tokenizer: WordPiece | None = None
        self._network: Network | None = None

    @property
    def id(self) -> str:
        """Model, arithmetic and edition, as in "minilm-l6-v2-int8/1"."""
        return f"minilm-l6-v2-{self._compute}/1"

    @property
    def dimensions(self) -> int:
        """384."""
        return 384

    @property
    def most_tokens(self) -> int:
        """254: the model reads 256 tokens, of which two are its own marks; what follows is left out."""
        return MOST_TOKENS - 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (n, 384), row i for text i; (0, 384) for no texts.

        Raises ``InvalidInput`` if ``texts`` is one string or holds something that is no string.
        """
        if isinstance(texts, str):
            raise InvalidInput("texts", "is one string", "give a list of strings, or use embed_query")
        for number, text in enumerate(texts):
            _check(f"texts[{number}]", text)
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        workers = self._threads if len(texts) >= _FEWEST_FOR_THREADS else 1
        if workers == 1:
            self._fill(vectors, texts, 0, 1, threading.Event())
            return vectors
        stop = threading.Event()
        with ThreadPoolExecutor(workers, thread_name_prefix="reverie-embed") as pool:
            try:
                # Every worker takes each n-th text, so that neither gets all the long ones.
                jobs = [
                    pool.submit(self._fill, vectors, texts, first, workers, stop) for first in range(workers)
                ]
                # Not by leaving the pool: up to Python 3.12 a join that Ctrl-C interrupts takes a running thread for
                # ended, and the process aborts when it ends before that.
                wait(jobs)
            finally:
                stop.set()
        for job in jobs:
            job.result()
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of one text, shape (384,), the same as ``embed`` gives it."""
        _check("text", text)
        return self._loaded_network().vector(self._loaded_tokenizer().ids(text, MOST_TOKENS))

    def count_tokens(self, text: str) -> int:
        """Return the model's tokens in the whole text, without truncation and without [CLS] and [SEP].

        It measures nothing but this model: 10,000 characters without a space are one token to it.
        """
        _check("text", text)
        return self._loaded_tokenizer().count(text)

    def _fill(
        self, vectors: NDArray[np.float32], texts: Sequence[str], first: int, step: int, stop: threading.Event
    ) -> None:
        tokenizer, network = self._loaded_tokenizer(), self._loaded_network()
        for number in range(first, len(texts), step):
            if stop.is_set():
                return
            vectors[number] = network.vector(tokenizer.ids(texts[number], MOST_TOKENS))

    def _loaded_tokenizer(self) -> WordPiece:
        if self._tokenizer is None:
            with self._lock:
                if self._tokenizer is None:
                    self._tokenizer = WordPiece(read_vocabulary())
        return self._tokenizer

    def _loaded_network(self) -> Network:
        if self._network is None:
            with self._lock:
                if self._network is None:
                    self._network = Network(self._compute)
        return self._network


def _check(field: str, text: object) -> None:
    if not isinstance(text, str):
        raise InvalidInput(field, f"is {type(text).__name__}, not text", "give a string")
