"""Score the candidates of a recall, order them, and explain their places."""

from __future__ import annotations

from reverie.memory.scoring import score
from reverie.memory.scoring.bm25 import BM25, DEFAULT, SESSION, idf, weights
from reverie.memory.scoring.candidates import (
    NEIGHBOURS,
    Context,
    EpisodeCandidates,
    Floats,
    Ints,
    MemoryCandidates,
)
from reverie.memory.scoring.order import (
    FEWER_WORDS,
    LOOKED_AT,
    REPEATED,
    STEP,
    Pair,
    lifts,
    outdated,
    repeated,
)
from reverie.memory.scoring.score import (
    Question,
    Scored,
    best_first,
    explained,
    memory_relevance,
    score_episodes,
    score_memories,
)

__all__ = [
    "BM25",
    "DEFAULT",
    "FEWER_WORDS",
    "LOOKED_AT",
    "NEIGHBOURS",
    "REPEATED",
    "SESSION",
    "STEP",
    "Context",
    "EpisodeCandidates",
    "Floats",
    "Ints",
    "MemoryCandidates",
    "Pair",
    "Question",
    "Scored",
    "best_first",
    "explained",
    "idf",
    "lifts",
    "memory_relevance",
    "outdated",
    "repeated",
    "score",
    "score_episodes",
    "score_memories",
    "weights",
]
