"""Marking: what of a text stands elsewhere word for word, and how two wordings differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

Pieces = Sequence[tuple[bool, str]]
"""A text in pieces, each with whether it is marked."""
_WORDS = re.compile(r"\s+|\w+|[^\w\s]+")
_MOST_WORDS = 2_000
_LEAST_SAME = 3
"""Words that stay as they are between two changes. Fewer are shown as changed, too: nobody reads a sentence of which
every second word is struck out.
"""


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
    was, now = _WORDS.findall(before), _WORDS.findall(after)
    if len(was) + len(now) > _MOST_WORDS:
        return [("gone", before), ("new", after)]
    found: list[tuple[str, str]] = []
    gone = new = ""
    steps = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    for place, (act, a, b, c, d) in enumerate(steps):
        is_between = 0 < place < len(steps) - 1
        if act == "equal" and not (is_between and sum(map(str.isalnum, was[a:b])) < _LEAST_SAME):
            found += [*_changed(gone, new), ("same", "".join(was[a:b]))]
            gone = new = ""
        else:
            gone, new = gone + "".join(was[a:b]), new + "".join(now[c:d])
    return [*found, *_changed(gone, new)]


def _changed(gone: str, new: str) -> Sequence[tuple[str, str]]:
    return [one for one in (("gone", gone), ("new", new)) if one[1]]
