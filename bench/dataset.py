"""One set of invented memories and questions with their vectors, the same for every engine that is compared.

The filters are marks that chance gives: what passes has nothing to do with what a memory says.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.filling import filler
from bench.invented import MOST_KINDS, Invented, invent
from reverie.embedders.minilm import MiniLM
from reverie.ports.embedder import Embedder

Vectors = NDArray[np.float32]
SHARES = {"90%": 0.9, "10%": 0.1, "1%": 0.01}


def _tag(share: str) -> str:
    return f"mark{share[:-1]}"


@dataclass(frozen=True, kw_only=True)
class Data:
    """``memories`` in the order of storing, all texts distinct, in equal blocks one for each agent."""

    memories: Sequence[Invented]
    vectors: Vectors
    chances: NDArray[np.float64]
    banks: int
    questions: Sequence[Invented]
    asked: Vectors

    def agent(self, place: int) -> str:
        """Whose memory it is."""
        return self.agents[place * self.banks // len(self.memories)]

    @cached_property
    def agents(self) -> tuple[str, ...]:
        return tuple(f"agent-{number:05}" for number in range(self.banks))

    def asks(self, question: int) -> str:
        """Whose bank a question is put to: each agent's in turn."""
        return self.agents[question % self.banks]

    def draft(self, place: int) -> dict[str, object]:
        """As ``remember`` takes it: the marks are tags."""
        return self.memories[place].draft(tags=[_tag(share) for share in self._shares(place)])

    def metadata(self, place: int) -> dict[str, str]:
        """The same for a peer that keeps a mapping beside each text."""
        shares = self._shares(place)
        return {"kind": str(self.memories[place].kind)} | {
            _tag(share): "y" if share in shares else "n" for share in SHARES
        }

    def passing(self, filter: str) -> NDArray[np.bool_]:
        """Which memories pass one of FILTERS."""
        if filter == "kinds":
            return np.array([str(one.kind) in MOST_KINDS for one in self.memories])
        return self.chances < SHARES.get(filter, 1.0)

    def nearest(self, question: int, stored: NDArray[np.bool_], k: int) -> list[int]:
        """The k nearest of the asked agent's memories among ``stored``, by float32 over all of them, best first."""
        each = len(self.memories) // self.banks
        first = (question % self.banks) * each
        places = first + np.flatnonzero(stored[first : first + each])
        cosines = self.vectors[places] @ self.asked[question]
        best: list[int] = places[np.argsort(-cosines, kind="stable")[:k]].tolist()
        return best

    def write(self, folder: Path) -> None:
        """For a peer's process: data.json, memories.npy, questions.npy."""
        np.save(folder / "memories.npy", self.vectors)
        np.save(folder / "questions.npy", self.asked)
        memories = [
            {"text": one.text, "agent": self.agent(place), "metadata": self.metadata(place)}
            for place, one in enumerate(self.memories)
        ]
        said = {"memories": memories, "questions": [one.question for one in self.questions]}
        (folder / "data.json").write_text(json.dumps(said), encoding="utf-8")

    def _shares(self, place: int) -> list[str]:
        return [share for share, bound in SHARES.items() if self.chances[place] < bound]


FILTERS: dict[str, dict[str, object]] = {
    "none": {},
    "kinds": {"kinds": MOST_KINDS},
    **{share: {"tags": _tag(share)} for share in SHARES},
}
"""Filters by name, as ``recall`` takes them; "kinds" is what `bench speed` asks with."""
PEER_FILTERS: dict[str, dict[str, object]] = {
    "none": {},
    "kinds": {"kind": {"in": list(MOST_KINDS)}},
    **{share: {_tag(share): "y"} for share in SHARES},
}
"""The same over ``Data.metadata``."""


def made(memories: int, banks: int, seed: int, questions: int) -> Data:
    """So many memories over so many agents. Vectors are the real model's up to filling's bound, clustered beyond."""
    texts: dict[str, Invented] = {}
    for one in invent(seed, 0, memories * 2 + 10):
        texts.setdefault(one.text, one)
        if len(texts) == memories:
            break
    asked: dict[str, Invented] = {}
    for one in invent(seed + 2, 0, questions * 2 + 10):
        asked.setdefault(one.question, one)
        if len(asked) == questions:
            break
    model = MiniLM()
    return Data(
        memories=tuple(texts.values()),
        vectors=filler(memories, seed).embed(list(texts)),
        chances=np.random.default_rng(seed).random(memories),
        banks=banks,
        questions=tuple(asked.values()),
        asked=np.stack([model.embed_query(text) for text in asked]),
    )


class Looking:
    """An embedder that bears the real model's id and has every vector of the data at hand."""

    def __init__(self, model: Embedder, data: Data) -> None:
        self._model = model
        self._texts = {one.text: place for place, one in enumerate(data.memories)}
        self._questions = {one.question: place for place, one in enumerate(data.questions)}
        self._data = data

    @property
    def id(self) -> str:
        return self._model.id

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    @property
    def most_tokens(self) -> int:
        return self._model.most_tokens

    def embed(self, texts: Sequence[str]) -> Vectors:
        found: Vectors = self._data.vectors[[self._texts[text] for text in texts]]
        return found

    def embed_query(self, text: str) -> Vectors:
        found: Vectors = self._data.asked[self._questions[text]]
        return found

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)
