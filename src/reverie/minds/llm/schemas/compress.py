"""The answer to a compression."""

from __future__ import annotations

from reverie.minds.llm.schemas.base import Texts, Whole


class Compressed(Whole):
    """The summary in sentences."""

    sentences: Texts
