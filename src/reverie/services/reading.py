"""reading: what a mind sees in messages while they are observed, where their caller said nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.message import EpisodeMetadata, Message
from reverie.domain.snippet import Reading
from reverie.ports.store import Vector
from reverie.services.desk import Desk


def read(
    desk: Desk, part: Sequence[Message], episodes: Mapping[int, Episode], vectors: Mapping[int, Vector]
) -> list[Message]:
    """The messages, those at the places of ``episodes`` with task type, emotional tone and importance.

    ``episodes`` are those messages as they will be stored, ``vectors`` theirs. A mind that is away is not asked at each
    message.
    """
    read = list(part)
    mind = desk.mind
    places = [place for place in episodes if _is_open(part[place].metadata)]
    if mind is None or not mind.is_local or not places:
        return read
    rows = np.stack([vectors[place] for place in places])
    felt = desk.felt([part[place].content for place in places], rows)
    for place, seen in zip(places, mind.read([episodes[place] for place in places], rows, felt), strict=True):
        read[place] = replace(part[place], metadata=_filled(part[place].metadata, seen))
    return read


def _is_open(known: EpisodeMetadata) -> bool:
    return known.task_type is None or known.emotional_tone is None or known.importance is None


def _filled(known: EpisodeMetadata, seen: Reading) -> EpisodeMetadata:
    return replace(
        known,
        task_type=known.task_type or seen.task_type,
        emotional_tone=known.emotional_tone or seen.emotional_tone,
        importance=seen.importance if known.importance is None else known.importance,
    )
