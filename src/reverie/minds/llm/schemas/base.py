"""What all answers have in common."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel


class Part(BaseModel):
    """A part of an answer, whose names are s3's in camel case; what else a model writes into it says nothing."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Whole(BaseModel):
    """An answer as a whole: what wasn't asked for has no place in it, whatever it calls itself."""

    model_config = ConfigDict(extra="forbid")


def _listed(value: object) -> object:
    """One text where a list was asked for is a list of one; null is none."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Texts: TypeAlias = Annotated[list[str], BeforeValidator(_listed)]
"""A list of texts, as models write it."""
