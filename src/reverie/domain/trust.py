"""Whose word a text is: the trust of its source."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class SourceTrust(StrEnum):
    """From most to least trusted."""

    PRINCIPAL = "principal"
    AGENT = "agent"
    OTHER = "other"
    EXTERNAL = "external"

    @property
    def rank(self) -> int:
        """Its place: 0 is the most trusted."""
        return tuple(SourceTrust).index(self)


def least_trusted(sources: Iterable[SourceTrust]) -> SourceTrust:
    """Return the trust of what is derived from several sources. No source at all is EXTERNAL."""
    return max(sources, key=lambda one: one.rank, default=SourceTrust.EXTERNAL)
