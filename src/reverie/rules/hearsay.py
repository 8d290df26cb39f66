"""Hearsay: how a narrative tells what others or outside sources said, so that it never becomes what is so."""

from __future__ import annotations

import re

from reverie.domain.trust import SourceTrust

_SENTENCE = {SourceTrust.OTHER: "Others said: ", SourceTrust.EXTERNAL: "Outside sources said: "}
_HEADING = {SourceTrust.OTHER: ", as others said", SourceTrust.EXTERNAL: ", from outside sources"}
_DAY = r"\d{1,2} [A-Z][a-z]+ \d{4}"
_LINE = re.compile(
    rf"(?P<day>{_DAY})(?: to {_DAY})?(?P<mark>{'|'.join(_HEADING.values())})?(?: \([^()]*\))?: "
)


def sentence_of(text: str, trust: SourceTrust) -> str:
    """A sentence that says whose word it is, where that isn't the agent's own or a principal's."""
    mark = _SENTENCE.get(trust, "")
    return text if any(text.startswith(one) for one in _SENTENCE.values()) else mark + text


def heading_of(trust: SourceTrust) -> str:
    """What the heading of a paragraph says of its source, behind the days."""
    return _HEADING.get(trust, "")


def line_of(line: str) -> tuple[str | None, SourceTrust | None, str]:
    """A line of a narrative: its first day as written, whose word it says that it is, and what it tells."""
    found = _LINE.match(line)
    if found is None:
        return None, _trust(line, _SENTENCE), line
    rest = line[found.end() :]
    marked = next((trust for trust, mark in _HEADING.items() if mark == found["mark"]), None)
    return found["day"], marked or _trust(rest, _SENTENCE), rest


def trust_of(sentence: str) -> SourceTrust | None:
    """Whose word a sentence says that it is; None where it says nothing of that."""
    return _trust(sentence, _SENTENCE)


def _trust(text: str, marks: dict[SourceTrust, str]) -> SourceTrust | None:
    return next((trust for trust, mark in marks.items() if text.startswith(mark)), None)
