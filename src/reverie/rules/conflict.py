"""Conflict: whether two statements can't both be so, or one takes the other's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reverie.rules.before import BEFORE, now_of
from reverie.rules.changing import is_marked, is_news, is_turned, replaced
from reverie.rules.claim import same_subject
from reverie.rules.claims import claims
from reverie.rules.claims_subject import subjects_of
from reverie.rules.dedupe import differs
from reverie.rules.slots import Told, is_otherwise, thing_of
from reverie.rules.terms import terms

SAME_THING = 0.3
"""The least cosine of two that contradict each other."""
ALIKE = 0.75
"""From this cosine on two that differ in a number, a name, a "not" or an opposite are told apart by nothing else."""
TURNED = 0.6
"""From this one on what says that something is otherwise now means the other."""

_TOLD_APART = frozenset({"number", "negation", "name", "opposite"})


def are_in_conflict(one: str, other: str, cosine: float, *, said: Sequence[str] = ()) -> bool:
    """Whether the two give one attribute of the same one different values, one says that the other is over, or little
    but a number, a name, a "not" or an opposite stands between them. ``said``: what either was said by tonight.
    """
    mine, theirs = (frozenset(terms(text)) for text in (one, other))
    if cosine < SAME_THING or mine.isdisjoint(theirs):
        return False
    if other_value(one, other) or _was_before(one, other) or _was_before(other, one):
        return True
    if any(old <= words for text, words in ((one, theirs), (other, mine)) for old in replaced(text)):
        return True
    if not same_subject(subjects_of(one), subjects_of(other)):
        return False
    told = Told(
        text="",
        changed=any(is_marked(text) or is_news(text) for text in (one, other, *said)),
        around=" ".join(said),
        names=_common(one, other),
        turned=any(map(is_turned, (one, other, *said))),
        nearest=True,
    )
    if any(
        is_otherwise(replace(told, text=each, thing=thing_of(each)), rest, cosine)
        for each, rest in ((one, other), (other, one))
    ):
        return True
    if cosine < TURNED:
        return False
    reason = differs(one, other)
    if cosine >= ALIKE and reason in _TOLD_APART:
        return True
    return reason is not None and any(map(is_turned, (one, other, *said)))


def _was_before(one: str, other: str) -> bool:
    """Whether the first names all that the other says as what was before it, and the other says nothing else."""
    now, mark, before = one.partition(BEFORE)
    said = frozenset(terms(now_of(other)))
    return (
        bool(mark and said)
        and len(said - frozenset(terms(before))) <= 1
        and not said <= frozenset(terms(now))
    )


def _common(one: str, other: str) -> frozenset[str]:
    """Whom both are about."""
    return frozenset(word for name in subjects_of(one) & subjects_of(other) for word in name.split())


def other_value(one: str, other: str) -> bool:
    """Whether one gives an attribute of the same one another value than the other, so that both can't hold at once."""
    return any(
        mine.about(theirs) and (mine.replaces(theirs) or theirs.replaces(mine))
        for mine in claims(one)
        for theirs in claims(other)
    )
