"""The answer to a judging."""

from __future__ import annotations

from reverie.minds.llm.schemas.base import Part, Whole


class Judged(Part):
    """One memory's lesson and importance."""

    id: str
    lesson: str
    importance: float


class Judging(Whole):
    """Of all that were asked for."""

    judgements: list[Judged]
