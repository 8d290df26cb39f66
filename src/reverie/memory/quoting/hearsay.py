"""Hearsay: how a narrative says whose word it is, so that what others said never becomes what is so."""

from __future__ import annotations

from reverie.domain.trust import SourceTrust

_SENTENCE = {SourceTrust.OTHER: "Others said: ", SourceTrust.EXTERNAL: "Outside sources said: "}
_HEADING = {SourceTrust.OTHER: ", as others said", SourceTrust.EXTERNAL: ", from outside sources"}
MARKS = "|".join(_HEADING.values())
"""The pattern of what ``heading_of`` gives."""


def sentence_of(text: str, trust: SourceTrust) -> str:
    """Return the sentence with whose word it is, where that isn't the agent's own or a principal's."""
    mark = _SENTENCE.get(trust, "")
    return text if any(text.startswith(one) for one in _SENTENCE.values()) else mark + text


def heading_of(trust: SourceTrust) -> str:
    """Return what stands behind the day of a line: whose word it is; empty for the agent's own and a principal's."""
    return _HEADING.get(trust, "")
