"""Judges: what each sentence of a message is, as calibrated probabilities. Services decide what follows."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Protocol

from reverie.domain.kinds import Kind
from reverie.language import Sentence
from reverie.memory.quoting import forged_blocks
from reverie.ports.search import Floats

OWN = 0.6
"""Least probability that a sentence is its speaker's own and meant, for it to be kept."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Heard:
    """A message to be judged: its text, its vector (the bank's embedder's, shape (dimensions,); None: not at hand), and
    what another had said right before. ``apart``: the places of its sentences that are embedded by themselves, which
    makes their verdict surer; None: all.
    """

    text: str
    vector: Floats | None = None
    asked: str = ""
    apart: Set[int] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One sentence with what the judges say of it: probabilities in [0, 1], the likeliest kind, and importance in
    [0, 1].

    ``own``: own, sincere words of who speaks. ``lasting``: worth knowing in a month. ``standing``: tells the agent how
    to behave from now on. ``health``: tells an allergy, intolerance, illness, medicine or medical diet of a person.
    """

    sentence: Sentence
    own: float
    lasting: float
    standing: float
    health: float
    kind: Kind
    importance: float


def unforged(text: str, judged: Sequence[Judged]) -> Sequence[Judged]:
    """Return a message's judged sentences; those in what pretends to be a block of ours are nobody's own."""
    forged = forged_blocks(text)
    if not forged:
        return judged
    return [
        replace(one, own=0.0)
        if any(start < one.sentence.end and one.sentence.start < end for start, end in forged)
        else one
        for one in judged
    ]


class Judges(Protocol):
    """Thread-safe and deterministic. Never called within a transaction: it may have to embed."""

    def judge(self, messages: Sequence[Heard]) -> list[list[Judged]]:
        """Return each message's sentences (``language.segments``) in order, judged. Raise DamagedModel."""
        ...
