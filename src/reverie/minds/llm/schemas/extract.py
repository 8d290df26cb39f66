"""The answer to an extraction: s1's four dimensions, and what else a memory needs."""

from __future__ import annotations

from pydantic import Field

from reverie.minds.llm.schemas.base import Part, Texts, Whole


class Kept(Part):
    """What is worth keeping."""

    essence: str
    emotions: Texts = Field(default_factory=list)
    weight: float
    lesson: str | None = None
    kind: str = "observation"
    sources: Texts = Field(default_factory=list)
    stated: bool = True
    topics: Texts = Field(default_factory=list)
    entities: Texts = Field(default_factory=list)


class Extraction(Whole):
    """All of it, most important first."""

    memories: list[Kept]
