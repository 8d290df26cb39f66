"""What was so before: a wording that takes another's place may name what it replaced, so that it is found by it."""

from __future__ import annotations

import re

from reverie.rules.heard import is_in_own_words
from reverie.rules.slots import slot_of

BEFORE = " Before that: "
_MOST = 22
"""Words of what is named."""
_SHARE = 0.3


def now_of(text: str) -> str:
    """A wording without what was before."""
    return text.partition(BEFORE)[0]


def _first(text: str) -> str:
    """The plain sentence that leads it, or its first clause where it is long."""
    lead, mark, _ = text.partition(": ")
    if mark and not is_in_own_words(text):
        text = lead
    if text.count(" ") >= _MOST:
        text = text.partition(", ")[0]
    return f"{text.rstrip('.')}."


def with_before(new: str, old: str, names: frozenset[str]) -> str:
    """The new wording; with the old one behind it, where it lacks some of what that tells of: "the new wall is Ost"
    says nothing of climbing. ``names``: of whom both are, in small letters.
    """
    old = _first(now_of(old))
    words = old.split()
    topics = slot_of(old).topics - slot_of(" ".join(sorted(names))).topics
    missing = topics - slot_of(new).topics
    if not topics or len(words) > _MOST or len(missing) < _SHARE * len(topics):
        return new
    return f"{new}{'' if new[-1:] in '.!?' else '.'}{BEFORE}{old}"


_MOST_OF_REST = 45
"""Words of a rest that is kept."""
_LEAD = re.compile(r"^[A-Z][^:]{2,60}: (?=[A-Z\w])")


def lead_of(text: str) -> str:
    """The plain sentence that leads a wording; empty where none does."""
    match = None if is_in_own_words(text) else _LEAD.match(text)
    return match.group().rstrip(": ") if match is not None else ""


def with_rest(new: str, old: str) -> str:
    """The new wording with all that the old one told behind it, but for the plain sentence that led that; with its
    first clause alone where it is long.
    """
    old = now_of(old)
    rest = old if is_in_own_words(old) else _LEAD.sub("", old, count=1)
    if rest.count(" ") >= _MOST_OF_REST:
        rest = _first(old)
    return f"{new}{'' if new[-1:] in '.!?' else '.'}{BEFORE}{rest.rstrip('.')}."
