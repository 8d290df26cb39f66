"""When two essences are the same: the guard that makes a cosine threshold safe.

A cosine of 0.92 alone merges "beats 3 to 1" with "beats 1 to 3". So near texts are laid side by side, and what is
left over decides. A number, a name, a negation or an opposite that stands in another's place tells them apart,
and so does an exchange of places. What one text merely has more of tells apart in a short statement, and where
nothing else differs; a longer text may say the same with more or other words. The guard errs towards keeping both:
two near memories cost a line, a wrong merge loses a fact. What it gives and costs: ``docs/why/duplicates.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin
from reverie.domain.trust import least_trusted
from reverie.rules.dedupe_align import Alignment, Gap, align
from reverie.rules.dedupe_brief import prepositions_differ, tenses_differ
from reverie.rules.dedupe_order import order_differs, roles_differ
from reverie.rules.dedupe_reading import Reading, Role, Token, is_sure, read
from reverie.rules.dedupe_windows import windows_exclude
from reverie.rules.dedupe_words import (
    HALF_NEGATIONS,
    RELATIVE_DAYS,
    TIMES,
    TITLES,
    TURNING,
    exclude,
    same,
)

_STATEMENTS = frozenset(
    {
        Kind.FACT,
        Kind.OBSERVATION,
        Kind.PATTERN,
        Kind.RELATIONSHIP,
        Kind.SKILL,
        Kind.ROUTINE,
        Kind.EMOTIONAL,
        Kind.PROJECT,
    }
)
BRIEF = 6
"""A statement of so many telling words or fewer consists of what it says: any difference counts."""

_FEW = 3  # telling words left over on both sides: the texts are nearly the same words
_COPY = 1  # … one is a copy of the other, but for a word
_SAME_PLACE = 2  # telling words of a gap in which a name stands in another's place
_SMALL_GAP = 3  # … in which one word excludes another
_SWAP = 3  # words of any kind left over for each that stands for another
_MOST_COMPARED = 2000


def compatible(one: Kind, other: Kind) -> bool:
    """Whether memories of these kinds can be the same insight: the same kind, or both plain statements."""
    return one is other or (one in _STATEMENTS and other in _STATEMENTS)


def apart(known: Memory, new: Memory) -> str | None:
    """Why two near memories are not one, or None if they are: kinds, scope, validity, trust, then the
    wording. A summary stands for others, and is never one with a memory; nor is what a neural link brought with
    what it didn't: whoever shared it may take it back, and the other must stay.

    ``known`` may swallow ``new`` only if it is at least as trusted: a principal's word isn't hidden in
    external text; and less trusted text neither rewrites its lesson nor pins it, nor says when it ends.
    """
    if not compatible(known.kind, new.kind):
        return "kind"
    if Origin.SELF_CARE in (known.origin, new.origin):
        return "summary"
    if known.learned_from != new.learned_from:
        return "learned"
    if set(known.scope) != set(new.scope):
        return "scope"
    if windows_exclude(known, new):
        return "validity"
    if least_trusted((known.source_trust, new.source_trust)) is known.source_trust is not new.source_trust:
        return "trust"
    if new.source_trust is not known.source_trust and (
        (new.lesson and new.lesson != known.lesson)
        or (new.pinned and not known.pinned)
        or new.valid_to != known.valid_to is None
    ):
        return "trust"
    return differs(known.essence, new.essence, ordered=known.kind is Kind.WORKFLOW)


def differs(one: str, other: str, *, ordered: bool = False) -> str | None:
    """What tells two near wordings apart, or None for nothing.

    ``"number"``, ``"negation"``, ``"name"`` (addresses, paths and secrets too), ``"opposite"``, ``"order"`` (who
    does what to whom, what is preferred to what), ``"word"`` (one word stands for another, or a small word turns
    the statement). With ``ordered`` the texts are steps: "test and build" is not "build and test". Symmetric and
    deterministic; takes time n log n in the length of the texts.
    """
    if one == other:
        return None
    pair = _Pair(*sorted((one, other)), ordered=ordered)
    checks = (
        ("number", pair.numbers_differ),
        ("negation", pair.negations_differ),
        ("name", pair.names_differ),
        ("opposite", pair.has_opposites),
        ("order", pair.order_differs),
        ("word", pair.words_differ),
    )
    return next((reason for reason, check in checks if check()), None)


class _Pair:
    """Two texts side by side, as they are read."""

    def __init__(self, one: str, other: str, *, ordered: bool) -> None:
        self.ordered = ordered
        self.first, self.second = read(one), read(other)
        self.brief = min(map(_size, (self.first, self.second))) <= BRIEF

    @cached_property
    def alignment(self) -> Alignment:
        """Which token stands for which. Made when asked for: numbers alone tell "ping 1 ok" from "ping 2 ok", in 16 µs
        and not 42.
        """
        return align(self.first.tokens, self.second.tokens)

    @cached_property
    def left(self) -> list[Token]:
        """The tokens that only the first has."""
        return [token for gap in self.alignment.gaps for token in gap.left]

    @cached_property
    def right(self) -> list[Token]:
        """The tokens that only the second has."""
        return [token for gap in self.alignment.gaps for token in gap.right]

    @cached_property
    def telling(self) -> tuple[list[Token], list[Token]]:
        """Of both the telling ones."""
        return _telling(self.left), _telling(self.right)

    @cached_property
    def loose(self) -> int:
        """How many these are."""
        return sum(map(len, self.telling))

    def numbers_differ(self) -> bool:
        """Other values; a value more, in a short statement or a copy; their order, or what they count."""
        ours, theirs = self.first.numbers, self.second.numbers
        more, less = _surplus([value for value, _ in ours], [value for value, _ in theirs])
        if more or less:
            return bool(more and less) or self.brief or self.loose <= _COPY
        if self.brief and [value for value, _ in ours] != [value for value, _ in theirs]:
            return True
        units = [
            (one, other)
            for (_, one), (_, other) in zip(sorted(ours), sorted(theirs), strict=True)
            if one != other and one and other
        ]
        return any(exclude(*unit) or (self.brief and not same(*unit)) for unit in units)

    def negations_differ(self) -> bool:
        """One negation more, or one that is about something else that both texts name."""
        ours, theirs = self.first, self.second
        if _denials(ours) != _denials(theirs):
            return True
        if len(ours.negated) != len(theirs.negated):
            return self.brief or self.loose <= _FEW
        more, less = _surplus(ours.negated, theirs.negated)
        if not more:
            return False
        known, others = ({token.key for token in text.tokens} for text in (ours, theirs))
        return any(not key or key in others for key in more) and any(not key or key in known for key in less)

    def names_differ(self) -> bool:
        """Other identifiers; a name in another's place; a name more, in a short statement or a copy."""
        if self._identifiers_differ():
            return True
        ours = [token for token in self.telling[0] if _is_name(token, self.second)]
        theirs = [token for token in self.telling[1] if _is_name(token, self.first)]
        if self.brief and (ours or theirs or self._openings_differ()):
            return True
        if self.loose <= _COPY and any(token.word not in TIMES for token in ours + theirs):
            return True
        named = set(ours) | set(theirs)
        return any(
            _has_name_for_name(gap, named) for gap in self.alignment.gaps if gap.telling <= _SAME_PLACE
        )

    def _identifiers_differ(self) -> bool:
        """To the letter, but a text may be all in capitals; a longer text may have more of them, unless they are
        addresses or paths.
        """
        ours, theirs = self.first.identifiers, self.second.identifiers
        if self.brief or self.first.secret or self.second.secret:
            return len(ours) != len(theirs) or not all(
                one == other or one.upper() == other or one == other.upper()
                for one, other in zip(ours, theirs, strict=True)
            )
        more, less = _surplus(map(_plain, ours), map(_plain, theirs))
        return bool(more and less) or any(map(is_sure, more + less))

    def _openings_differ(self) -> bool:
        """A capital at a sentence's beginning may be a name or any word: it counts where both have one of their
        own, or where one has no such word at all ("Anna likes tea", "she likes tea").
        """
        own, others = (sum(token.role is Role.OPENING for token in side) for side in self.telling)
        fewer = _openings(self.first) - _openings(self.second)
        return bool((own and others) or (own and fewer > 0) or (others and fewer < 0))

    def has_opposites(self) -> bool:
        """A word that excludes another stands in its place, or anywhere where little else differs."""
        strict = self.brief or self.loose <= _FEW
        if strict and max(map(len, self.telling)) <= _FEW and _excludes(self.left, self.right):
            return True
        return any(
            _excludes(gap.left, gap.right)
            if strict
            else gap.telling <= _SMALL_GAP and _excludes(*map(_telling, (gap.left, gap.right)))
            for gap in self.alignment.gaps
        )

    def order_differs(self) -> bool:
        """Other roles or another order, where the words are nearly the same ones."""
        if (self.brief or self.loose <= _FEW) and roles_differ(self.alignment):
            return True
        near = self.loose <= (_FEW if self.brief else _COPY)
        return near and order_differs(self.alignment, ordered=self.ordered)

    def words_differ(self) -> bool:
        """One word stands for another, a small word turns the statement, a sign differs; of a brief statement the
        tense or a preposition.
        """
        more, less = _surplus(self.first.symbols, self.second.symbols)
        if (more and less) or (self.brief and (more or less)):
            return True
        more, less = _surplus(self.first.turning, self.second.turning)
        turned = more + less
        if self.brief and self.loose <= _FEW and turned:
            return True
        rest = (token for side in self.telling for token in side if token.word not in TURNING)
        if any(word in TURNING for word in turned) and next(rest, None) is None:
            return True
        if self.brief:
            return all(self.telling) or self._details_differ()
        return self._is_swap()

    def _details_differ(self) -> bool:
        """Tense, preposition, or what one is stands for what one has."""
        more, less = _surplus(self.first.verbs, self.second.verbs)
        return bool(more and less) or tenses_differ(self.alignment) or prepositions_differ(self.alignment)

    def _is_swap(self) -> bool:
        """Whether each word left over stands in the place of one other, but for a weekday that was "today"."""
        swaps = [
            {gap.left[0].word, gap.right[0].word}
            for gap in self.alignment.gaps
            if len(gap.left) == len(gap.right) == 1 and gap.left[0].tells and gap.right[0].tells
        ]
        if not swaps or self.loose != 2 * len(swaps) or len(self.left) + len(self.right) > _SWAP * len(swaps):
            return False
        return not all(words & RELATIVE_DAYS and words & TIMES for words in swaps)


def _size(text: Reading) -> int:
    return sum(token.role is not Role.FUNCTION for token in text.tokens)


def _surplus(ours: Iterable[str], theirs: Iterable[str]) -> tuple[list[str], list[str]]:
    """What either has more of."""
    one, other = Counter(ours), Counter(theirs)
    return [*(one - other).elements()], [*(other - one).elements()]


def _denials(text: Reading) -> int:
    return sum(token.role is Role.NEGATION and token.word not in HALF_NEGATIONS for token in text.tokens)


def _openings(text: Reading) -> int:
    return sum(token.role is Role.OPENING for token in text.tokens)


def _plain(identifier: str) -> str:
    return identifier.replace("\u2019", "'").removesuffix("'s").upper()


def _is_name(token: Token, other: Reading) -> bool:
    return token.role is Role.NAME and token.word not in other.words and token.word not in TITLES


def _has_name_for_name(gap: Gap, named: set[Token]) -> bool:
    ours, theirs = (
        [token.word for token in side if token in named and token.word not in TIMES]
        for side in (gap.left, gap.right)
    )
    return any(not any(map(_is_misspelt, theirs, [one] * len(theirs))) for one in ours) and any(
        not any(map(_is_misspelt, ours, [one] * len(ours))) for one in theirs
    )


def _is_misspelt(one: str, other: str) -> bool:
    """Whether two longish names are one letter apart, not the first: Fallujah, Falluja."""
    short, long = sorted((one, other), key=len)
    if len(short) < 5 or short[0] != long[0] or len(long) - len(short) > 1:
        return False
    if len(short) == len(long):
        return sum(map(str.__ne__, short, long)) == 1
    return any(long[:place] + long[place + 1 :] == short for place in range(len(long)))


def _telling(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.tells]


def _excludes(ours: Iterable[Token], theirs: Iterable[Token]) -> bool:
    one, other = {token.key for token in ours}, {token.key for token in theirs}
    if len(one) * len(other) > _MOST_COMPARED:
        return False
    return any(exclude(mine, yours) for mine in one for yours in other)
