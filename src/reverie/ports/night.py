"""Night: what a mind is shown of the day, to make knowledge of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory

Look = Callable[[NDArray[np.float32]], Sequence[tuple[Memory, NDArray[np.float32]]]]
"""What the bank knows near to some vectors (n, dimensions): memories with their vectors, each once, by id. A value that
has changed is near to what is said of it in the third person, and seldom to the message that says so.
"""


def _nothing(vectors: NDArray[np.float32]) -> Sequence[tuple[Memory, NDArray[np.float32]]]:  # noqa: ARG001
    return ()


def _at_leisure() -> None:
    """Nobody wants it to end."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Cluster:
    """What belongs together: the new episodes of one conversation.

    ``episodes`` are new, at least one, in order of (time, id); ``earlier`` were slept on before and are near to them,
    in the same order: what recurs can only be seen with them. ``known``: the memories that the cluster touches, best
    first. Vectors are the bank's, float32 of unit length, shape (rows, dimensions), one for each.
    """

    episodes: tuple[Episode, ...]
    vectors: NDArray[np.float32]
    earlier: tuple[Episode, ...]
    earlier_vectors: NDArray[np.float32]
    known: tuple[Memory, ...]
    known_vectors: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Night:
    """A batch of the day's episodes. ``agent_id`` is whose memory it is, ``zone`` its time zone: evenings and
    "yesterday" are read in it. No episode is in two clusters; a memory may be. ``look`` shows more of the bank; a
    change may name what it showed. ``core`` is shown in any night: standing rules, open goals, what matters most of who
    somebody is. ``go_on`` is to be called between two long steps, such as questions that cost: it raises what ends the
    work, where another has taken it over.
    """

    agent_id: str
    zone: tzinfo
    now: datetime
    clusters: tuple[Cluster, ...]
    look: Look = _nothing
    go_on: Callable[[], None] = _at_leisure
    core: tuple[Memory, ...] = ()
