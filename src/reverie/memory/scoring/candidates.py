"""Candidates: what search hands to the scoring rules, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryCandidates:
    """Columns of equal length n, one row a candidate, in ascending order of storing.

    ``version`` is 0 for the current wording, else the number of a past one. ``semantic`` is the cosine (0
    without a vector), ``lexical`` the raw BM25 (≥ 0). Times are microseconds since 1970. ``importance`` is
    NaN where nobody judged; ``confidence`` is as last written, before the fade since ``fades_from``
    (Memory.fades_from); ``emotions`` is a set of bits (``domain.emotion.emotion_bits``). ``labels`` counts
    the query terms' matches in topics and entities (0 … number of terms). ``valid``: true in the world at the moment
    that is asked about (``valid_from``, ``valid_to``).
    """

    ids: Sequence[str]
    version: Ints
    semantic: Floats
    lexical: Floats
    importance: Floats
    confidence: Floats
    fades_from: Ints
    reinforcement_count: Ints
    created_at: Ints
    emotions: Ints
    labels: Ints
    superseded: NDArray[np.bool_]
    valid: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeCandidates:
    """As MemoryCandidates, for episodes. ``speaker`` indexes ``speakers`` (−1: nobody named); ``person``: somebody said
    it, not the agent itself, a tool or the system.

    The context: ``session`` is the BM25 of the whole conversation among the conversations (``bm25.SESSION``);
    ``around``, shape (n, 4), the cosines of the messages 2 and 1 before and 1 and 2 behind in the conversation, NaN
    where there is none (half precision is enough); ``before`` the BM25 of the message before (0 where there is none);
    ``among``: it is a person's, and the message before or behind is another person's; ``answers``: that before is, and
    asks; ``says_when`` as in ``language.says_when``. A Probe without context leaves them 0 (``around`` NaN).
    """

    ids: Sequence[str]
    semantic: Floats
    lexical: Floats
    importance: Floats
    time: Ints
    speaker: Ints
    speakers: Sequence[str]
    person: NDArray[np.bool_]
    labels: Ints
    session: Floats
    around: Floats
    before: Floats
    among: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    says_when: NDArray[np.bool_]


NEIGHBOURS = (-2, -1, 1, 2)
"""Where the messages of ``EpisodeCandidates.around`` stand in the conversation, from the candidate on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """The columns of ``EpisodeCandidates`` that look beyond the row."""

    session: Floats
    around: Floats
    before: Floats
    among: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    says_when: NDArray[np.bool_]

    @classmethod
    def none(cls, size: int) -> Self:
        """Return what ``size`` candidates have that nobody looked around."""
        zeros, no = np.zeros(size, np.float32), np.zeros(size, np.bool_)
        around = np.full((size, len(NEIGHBOURS)), np.nan, np.float32)
        return cls(session=zeros, around=around, before=zeros, among=no, answers=no, says_when=no)

    @property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """Each by its name among the candidates' columns."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
