"""Search: candidates by meaning and by words. It never scores; ``memory.scoring.score`` alone does.

Laws on every engine: a view includes every write that any process was told had succeeded before ``view``
was called; only the asked agent's rows that pass the filter come back; the ``limit`` nearest by meaning and
the ``limit`` best by words are all there (ties by row order), and each candidate of either list carries
both its cosine and its BM25.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from reverie.domain.query import Filter
from reverie.memory.scoring import EpisodeCandidates, Floats, Ints, MemoryCandidates

__all__ = ["EpisodeCandidates", "Floats", "Ints", "MemoryCandidates", "Probe", "Search", "View"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """What to look for.

    ``vector``: unit, shape (dimensions,), or None for no search by meaning; ``terms``: stemmed query terms
    (``language.lexical_terms.query_terms``), empty for no search by words. With neither, every row that passes is a
    candidate, the latest ``limit`` by time. ``limit`` is per list. ``now`` is for the fade of confidence.
    ``as_of``: only wordings believed and valid at that moment, past ones included (states are not looked at
    then). ``labels``: the ``limit`` rows whose topics and entities hold most of the terms are candidates too;
    False spares counting them, and they come as 0. ``context``: False spares looking at the conversations around
    episodes (see ``EpisodeCandidates``).
    """

    filter: Filter
    now: datetime
    vector: Floats | None = None
    terms: Sequence[str] = ()
    limit: int = 100
    as_of: datetime | None = None
    labels: bool = True
    context: bool = True


class View(Protocol):
    """One agent's bank. Cheap to hold. Each call answers from one state of it: that of ``rev``, or a later one."""

    @property
    def rev(self) -> int:
        """The revision that it shows at least."""
        ...

    @property
    def embedder(self) -> tuple[str, int] | None:
        """Id and dimensions of the embedder that made the bank's vectors; None while there are none."""
        ...

    @property
    def speakers(self) -> Mapping[str, int]:
        """Everyone who spoke in the bank's episodes, with how many of them."""
        ...

    def memories(self, probe: Probe) -> MemoryCandidates:
        """Candidates among the memories."""
        ...

    def episodes(self, probe: Probe) -> EpisodeCandidates:
        """Candidates among the episodes."""
        ...

    def nearest(
        self, vectors: Floats, *, filter: Filter, now: datetime, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """For each row of ``vectors`` (n, dimensions) the nearest current memories that pass, with cosines,
        best first; where given only those with a cosine of at least ``least``, which takes less time.
        """
        ...

    def nearest_episodes(
        self, vectors: Floats, *, filter: Filter, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return the same of episodes; ``vectors``, cosines and ``least`` as ``nearest`` has them."""
        ...


class Search(Protocol):
    """Opens views."""

    def view(self, agent_id: str) -> View:
        """Return the bank as it is now; see the laws above."""
        ...

    def close(self) -> None:
        """Drops what is held in memory."""
        ...
