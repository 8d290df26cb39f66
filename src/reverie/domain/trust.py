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


_ORDER = tuple(SourceTrust)


def least_trusted(sources: Iterable[SourceTrust]) -> SourceTrust:
    """The trust of what is derived from several sources. No source at all is EXTERNAL."""
    return max(sources, key=_ORDER.index, default=SourceTrust.EXTERNAL)
