"""Marking: what of a text stands elsewhere word for word, and how two wordings differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

Pieces = Sequence[tuple[bool, str]]
"""A text in pieces, each with whether it is marked."""
_WORDS = re.compile(r"\s+|\w+|[^\w\s]+")
_MOST_WORDS = 2_000


def marked(text: str, quotes: Iterable[str]) -> Pieces:
    """Return a text with what these quote of it marked."""
    spans = sorted((start, start + len(one)) for one in quotes if one and (start := text.find(one)) >= 0)
    pieces: list[tuple[bool, str]] = []
    at = 0
    for start, end in spans:
        if end <= at:
            continue
        start = max(start, at)
        pieces += [(False, text[at:start]), (True, text[start:end])]
        at = end
    return [one for one in [*pieces, (False, text[at:])] if one[1]]


def differences(before: str, after: str) -> Sequence[tuple[str, str]]:
    """Return how one wording becomes another: (``same``, ``gone`` or ``new``, words), in order."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) + len(new) > _MOST_WORDS:
        return [("gone", before), ("new", after)]
    found: list[tuple[str, str]] = []
    for act, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if act == "equal":
            found.append(("same", "".join(old[a:b])))
            continue
        found += [one for one in (("gone", "".join(old[a:b])), ("new", "".join(new[c:d]))) if one[1]]
    return found
