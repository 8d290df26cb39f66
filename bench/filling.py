"""Banks of invented memories, built once a run or kept between runs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.invented import Invented, invent
from reverie import Memory, Reverie
from reverie.embedders.minilm import MiniLM
from reverie.ports.embedder import Embedder
from reverie.store.sqlite.schema import migrations

KEY = bytes(range(32))
"""Nothing here is secret: the banks hold invented text."""
AGENT = "bench"
MOST_EMBEDDED = 10_000
"""Larger banks are filled with precomputed vectors; all queries and timed writes use the real model."""
Place = Path | str
"""A file, or the URL of a database that is prepared."""
_EDITION = 2
_CENTRES = 1000
_SPREAD = 0.85
_AT_ONCE = 4096
MOST_COMPARED = 200_000
"""More memories than this are filled in without comparing each with all before it."""


class ClusteredEmbedder:
    """Fills large banks quickly: vectors scattered around those that the real model gives to invented texts.

    It bears the real model's id, so that the bank opens with the real model afterwards. The scatter leaves a cosine of
    about 0.76 to the centre, so that vectors are clustered as real ones are and no two count as duplicates.
    """

    def __init__(self, model: Embedder, seed: int, n: int) -> None:
        self._model = model
        self._chance = np.random.default_rng(seed)
        self._centres = model.embed([one.text for one in invent(seed + 1, 0, min(_CENTRES, n // 10 + 1))])

    @property
    def id(self) -> str:
        return self._model.id

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    @property
    def most_tokens(self) -> int:
        return self._model.most_tokens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        centres = self._centres[self._chance.integers(0, len(self._centres), len(texts))]
        noise = self._chance.standard_normal(centres.shape, np.float32) * np.float32(
            _SPREAD / self.dimensions**0.5
        )
        vectors: NDArray[np.float32] = centres + noise
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._model.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)


def opened(place: Place, *, encrypted: bool = True, embedder: Embedder | None = None) -> Reverie:
    """The bank: a file with the key of all banks here, or a database by its URL."""
    if isinstance(place, str):
        return Reverie.open(place, embedder=embedder)
    return Reverie.open(place, key=KEY if encrypted else None, encrypted=encrypted, embedder=embedder)


def bank(folder: Path, n: int, seed: int, *, encrypted: bool = True, keep: Path | None = None) -> Path:
    """A bank of ``n`` invented memories in ``folder``, for the caller to change.

    With ``keep`` it is a copy of the one that lies there, which is built if it doesn't.
    """
    kept = None
    if keep is not None:
        schema = len(migrations())
        name = f"{n}-seed{seed}-{'encrypted' if encrypted else 'plain'}-schema{schema}-edition{_EDITION}.bank"
        keep.mkdir(parents=True, exist_ok=True)
        kept = keep / name
    path = folder / f"bench-{n}.bank"
    if kept is not None and kept.exists():
        shutil.copyfile(kept, path)
        return path
    build(path, n, seed, encrypted=encrypted)
    if kept is not None:
        partial = kept.with_suffix(".partial")
        shutil.copyfile(path, partial)
        partial.rename(kept)
    return path


def build(place: Place, n: int, seed: int, *, encrypted: bool = True) -> None:
    """Fills an empty bank with ``n`` invented memories."""
    with opened(place, encrypted=encrypted, embedder=filler(n, seed)) as reverie:
        fill(reverie, AGENT, list(invent(seed, 0, n)), talk=True)


def filler(n: int, seed: int) -> Embedder:
    """What embeds ``n`` memories: the real model, or for many the clustered vectors."""
    model = MiniLM()
    return model if n <= MOST_EMBEDDED else ClusteredEmbedder(model, seed, n)


def fill(reverie: Reverie, agent: str, many: Sequence[Invented], *, talk: bool = False) -> None:
    """Remembers them all; of very many the first as everybody does, the others past the search for duplicates."""
    start = said = time.perf_counter()

    def progress(done: int, most: int) -> None:
        nonlocal said
        if talk and time.perf_counter() - said > 10:
            said = time.perf_counter()
            print(f"  filling: {done:,} of {most:,} after {said - start:.0f} s", flush=True)

    compared = list(many) if len(many) <= MOST_COMPARED else list(many[:1])
    kept = reverie.agent(agent).remember_many([one.draft() for one in compared], on_progress=progress)
    for done in range(len(compared), len(many), _AT_ONCE):
        put(reverie, agent, kept[0].memory, many[done : done + _AT_ONCE])
        progress(done, len(many))


def put(reverie: Reverie, agent: str, model: Memory, some: Sequence[Invented]) -> None:
    """Stores memories that differ from ``model`` in what is invented: no two of them are near enough to compare."""
    desk = reverie._desk  # noqa: SLF001  # the door has no way past the comparison
    now = desk.clock()

    def memory(one: Invented) -> Memory:
        drafted: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in one.draft().items()
        }
        return replace(model, id=desk.ids(now), **drafted)

    memories = [memory(one) for one in some]
    vectors = desk.embedder.embed([memory.essence for memory in memories])
    with desk.store.write(agent) as unit:
        unit.memories.add(memories, vectors)
