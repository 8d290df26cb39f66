"""What tells two brief statements apart though their telling words are the same: tenses and prepositions.

"Anna lived in Porto", "Anna lives in Porto" and "Anna lives near Porto" are three facts. A longer text tells its
time and place more than once, and reports freely in another tense: there these rules would cost more than they
save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from reverie.rules.dedupe_align import Alignment
from reverie.rules.dedupe_reading import Role, Token
from reverie.rules.dedupe_words import RELATIVE_DAYS, TIMES, same

_PREPOSITIONS = frozenset(
    """about above across after against along alongside among amongst around as at before behind below beneath
    beside between beyond by despite during except for from in inside into like near of off on onto opposite out
    outside over per round since through throughout till to toward towards under underneath until up upon via
    with within without""".split()
)
_ALIKE = """
in into inside within | on onto upon | to toward towards | near beside by | around round about | until till |
among amongst between | under underneath beneath below | over above | through throughout across | during in |
along alongside
"""
_UNSAID = frozenset("of to".split())  # all (of) the tests, helps (to) cook
_BEFORE_TIMES = frozenset("on in at".split())  # she came (on) Monday
_DAYS = TIMES | RELATIVE_DAYS | frozenset("morning noon afternoon evening night weekend weekends".split())


def tenses_differ(alignment: Alignment) -> bool:
    """Whether what one text tells as past the other tells as present: worked, works; paid, is paying; fell, is
    falling. "Is held" and "holds" are both present, and a form that tells no time goes with either.
    """
    return any(
        _tense_differs(alignment.left[here], alignment.right[there]) for here, there in alignment.pairs
    )


def _tense_differs(one: Token, other: Token) -> bool:
    if one.key != other.key:
        return {one.past, other.past} == {True, False} and same(one.key, other.key)
    return {one.past, other.past} == {True, False} or _is_germanic_past(*sorted((one.word, other.word)))


def _is_germanic_past(short: str, long: str) -> bool:
    """Werkt, werkte: the stemmer, which is English, takes them for one."""
    return long == f"{short}e" and short.endswith("t")


def prepositions_differ(alignment: Alignment) -> bool:
    """Whether one preposition stands for another (in Porto, near Porto), or stands between two words that are
    next to each other in the other text (left for Rome, left Rome).
    """
    for gap in alignment.gaps:
        ours, theirs = ([t.word for t in side if t.word in _PREPOSITIONS] for side in (gap.left, gap.right))
        if ours and theirs and not any(_alike(one, other) for one in ours for other in theirs):
            return True
    to = dict(alignment.pairs)
    back = {there: here for here, there in alignment.pairs}
    return any(_comes_between(alignment.left, to)) or any(_comes_between(alignment.right, back))


def _comes_between(tokens: Sequence[Token], to: dict[int, int]) -> Iterator[bool]:
    for place in range(1, len(tokens) - 1):
        word, after = tokens[place].word, tokens[place + 1]
        if place in to or word not in _PREPOSITIONS or word in _UNSAID:
            continue
        if word in _BEFORE_TIMES and (after.role is Role.NUMBER or after.word in _DAYS):
            continue
        yield place - 1 in to and place + 1 in to and to[place + 1] == to[place - 1] + 1


def _alike(one: str, other: str) -> bool:
    groups = _groups()
    return not groups.get(one, frozenset()).isdisjoint(groups.get(other, frozenset()))


@lru_cache(1)
def _groups() -> dict[str, frozenset[int]]:
    groups = [frozenset(group.split()) for group in _ALIKE.split("|")]
    words = frozenset().union(*groups)
    return {word: frozenset(n for n, group in enumerate(groups) if word in group) for word in words}
