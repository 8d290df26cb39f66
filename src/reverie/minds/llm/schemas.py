"""What models are to answer. Imported with the first question: pydantic is part of the extra."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Part(BaseModel):
    """A part of an answer, whose names are s3's in camel case; what else a model writes into it says nothing."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Whole(BaseModel):
    """An answer as a whole: what wasn't asked for has no place in it, whatever it calls itself."""

    model_config = ConfigDict(extra="forbid")


def _listed(value: object) -> object:
    """Return one text where a list was asked for is a list of one; null is none."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Texts: TypeAlias = Annotated[list[str], BeforeValidator(_listed)]
"""A list of texts, as models write it."""


class Compressed(Whole):
    """The summary in sentences."""

    sentences: Texts


class Judged(Part):
    """One memory's lesson and importance."""

    id: str
    lesson: str
    importance: float


class Judging(Whole):
    """Of all that were asked for."""

    judgements: list[Judged]


class Told(Part):
    """One sentence, and the memories that it tells of."""

    text: str
    memories: Texts = Field(default_factory=list)


class Narrated(Whole):
    """The sentences in order of time."""

    sentences: list[Told]


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
