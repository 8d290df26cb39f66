"""Fill what a mind sees in messages while they are observed, where their caller gave nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.message import EpisodeMetadata, Message
from reverie.domain.snippet import Reading
from reverie.errors import InvalidInput, MindFailed
from reverie.ports.mind import Mind
from reverie.ports.search import Floats
from reverie.ports.store import Vector
from reverie.services.runtime import Desk, asked

_log = logging.getLogger("reverie.reading")


def read(
    desk: Desk, part: Sequence[Message], episodes: Mapping[int, Episode], vectors: Mapping[int, Vector]
) -> list[Message]:
    """Return the messages, those at the places of ``episodes`` with task type, emotional tone and importance.

    ``episodes`` are those messages as they will be stored, ``vectors`` theirs. A mind that is away is not asked at each
    message, and one that fails leaves them as they are, which is logged.
    """
    read = list(part)
    mind = desk.quick
    places = [place for place in episodes if _is_open(part[place].metadata)]
    if mind is None or not places:
        return read
    rows = np.stack([vectors[place] for place in places])
    felt = desk.felt([part[place].content for place in places], rows)
    for place, seen in zip(
        places, _readings(mind, [episodes[place] for place in places], rows, felt), strict=True
    ):
        read[place] = replace(part[place], metadata=_filled(part[place].metadata, seen))
    return read


def _readings(
    mind: Mind, episodes: Sequence[Episode], rows: Floats, felt: Sequence[Emotions | None]
) -> Sequence[Reading | None]:
    """Return what the mind sees in each; None for all where it failed: messages are stored whatever a mind does."""
    try:
        seen = asked(mind, lambda: mind.read(episodes, rows, felt))
        if len(seen) != len(episodes):
            raise MindFailed(mind.id, f"it read {len(seen)} of {len(episodes)} messages")
    except MindFailed as error:
        _log.warning("messages stay unread: %s", type(error.__cause__ or error).__name__)
        return [None] * len(episodes)
    return seen


def _is_open(known: EpisodeMetadata) -> bool:
    return known.task_type is None or known.emotional_tone is None or known.importance is None


def _filled(known: EpisodeMetadata, seen: object) -> EpisodeMetadata:
    """Return the metadata with what the mind saw; as it was where that is nothing that may be stored: no mind is
    trusted.
    """
    if not isinstance(seen, Reading):
        return known
    try:
        return replace(
            known,
            task_type=known.task_type or seen.task_type,
            emotional_tone=known.emotional_tone or seen.emotional_tone,
            importance=seen.importance if known.importance is None else known.importance,
        )
    except InvalidInput:
        return known
