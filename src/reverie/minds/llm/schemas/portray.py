"""The answer to a portrait."""

from __future__ import annotations

from pydantic import Field

from reverie.minds.llm.schemas.base import Part, Texts, Whole


class Bullet(Part):
    """One line, and the memories that carry it."""

    text: str
    memories: Texts = Field(default_factory=list)


class Portrayed(Part):
    """One section."""

    kind: str
    bullets: list[Bullet]


class Portrait(Whole):
    """All sections."""

    sections: list[Portrayed]
