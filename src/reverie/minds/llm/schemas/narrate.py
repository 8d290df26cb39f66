"""The answer to a narration."""

from __future__ import annotations

from pydantic import Field

from reverie.minds.llm.schemas.base import Part, Texts, Whole


class Told(Part):
    """One sentence, and the memories that it tells of."""

    text: str
    memories: Texts = Field(default_factory=list)


class Narrated(Whole):
    """The sentences in order of time."""

    sentences: list[Told]
