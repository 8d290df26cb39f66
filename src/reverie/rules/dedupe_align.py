"""Two texts laid side by side for the duplicates' guard: what they share, in which order, and what stands between.

Equal words are paired, repeated ones by their neighbours, then words that say the same, and initials with what
they stand for. The pairs that keep their order (a longest increasing subsequence) anchor the gaps. Time
O(n log n), so that the longest essence is compared too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reverie.rules.dedupe_reading import Role, Token
from reverie.rules.dedupe_words import same

_MOST_COMPARED = 2000  # word by word; beyond it no synonyms are looked for
_NAMED = (Role.NAME, Role.OPENING)
_INITIALS = range(2, 6)
Key = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """What stands between two anchors and has no pair: in the left text, in the right text."""

    left: Sequence[Token]
    right: Sequence[Token]

    @property
    def telling(self) -> int:
        """How many words of the fuller side say something by themselves."""
        return max(sum(token.tells for token in side) for side in (self.left, self.right))


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    """``pairs``: where each shared word stands in the left and the right text, in the left text's order."""

    left: Sequence[Token]
    right: Sequence[Token]
    pairs: Sequence[tuple[int, int]]
    gaps: Sequence[Gap]


def align(left: Sequence[Token], right: Sequence[Token]) -> Alignment:
    """Pairs the words of two texts."""
    found = _Pairs(left, right)
    found.pair_equal()
    found.pair_same()
    found.pair_initials()
    pairs = sorted((here, there) for here, there in found.paired.items() if there >= 0)
    return Alignment(left=left, right=right, pairs=pairs, gaps=list(_gaps(found, pairs)))


def longest_rise(values: Sequence[int]) -> list[int]:
    """Where the members of a longest increasing subsequence stand, by patience sorting."""
    tops: list[int] = []
    ends: list[int] = []
    before = [-1] * len(values)
    for place, value in enumerate(values):
        pile = bisect_left(tops, value)
        before[place] = ends[pile - 1] if pile else -1
        if pile == len(tops):
            tops.append(value)
            ends.append(place)
        else:
            tops[pile], ends[pile] = value, place
    rise: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]


def _gaps(found: _Pairs, pairs: Sequence[tuple[int, int]]) -> Iterator[Gap]:
    anchors = [pairs[place] for place in longest_rise([there for _, there in pairs])]
    here = there = 0
    for anchor in [*anchors, (len(found.left), len(found.right))]:
        gap = Gap(
            left=[found.left[place] for place in range(here, anchor[0]) if place not in found.paired],
            right=[found.right[place] for place in range(there, anchor[1]) if place not in found.taken],
        )
        if gap.left or gap.right:
            yield gap
        here, there = anchor[0] + 1, anchor[1] + 1


class _Pairs:
    """Pairs while they are found: ``paired`` from left to right, ``taken`` on the right."""

    def __init__(self, left: Sequence[Token], right: Sequence[Token]) -> None:
        self.left, self.right = left, right
        self.paired: dict[int, int] = {}
        self.taken: set[int] = set()

    def _pair(self, here: int, there: int) -> None:
        self.paired[here] = there
        self.taken.add(there)

    def pair_equal(self) -> None:
        where: dict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(self.right):
            where[token.key].append(place)
        ours: dict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(self.left):
            if token.key in where:
                ours[token.key].append(place)
        for key, here in ours.items():
            there = where[key]
            if len(here) == len(there) == 1:
                self._pair(here[0], there[0])
            else:
                self._pair_repeated(here, there)

    def _pair_repeated(self, here: Sequence[int], there: Sequence[int]) -> None:
        """First those with the same neighbours; the rest in their order, but small words: too many are alike."""
        for neighbours in _NEIGHBOURS:
            waiting: dict[Key, list[int]] = defaultdict(list)
            for place in reversed(there):
                waiting[neighbours(self.right, place)].append(place)
            rest = []
            for place in here:
                found = waiting.get(neighbours(self.left, place))
                if found:
                    self._pair(place, found.pop())
                else:
                    rest.append(place)
            here, there = rest, [place for place in there if place not in self.taken]
        if here and self.left[here[0]].role is not Role.FUNCTION:
            for one, other in zip(here, there, strict=False):
                self._pair(one, other)

    def _alone(self) -> tuple[list[int], list[int]]:
        return (
            [place for place in range(len(self.left)) if place not in self.paired],
            [place for place in range(len(self.right)) if place not in self.taken],
        )

    def pair_same(self) -> None:
        """Words that say the same."""
        ours, theirs = self._alone()
        if len(ours) * len(theirs) > _MOST_COMPARED:
            return
        for here in ours:
            for there in theirs:
                if same(self.left[here].key, self.right[there].key):
                    self._pair(here, there)
                    theirs.remove(there)
                    break

    def pair_initials(self) -> None:
        """Initials and the name that they stand for: US, United States. The name's other words go with its first."""
        ours, theirs = self._alone()
        if len(ours) * len(theirs) > _MOST_COMPARED:
            return
        for here in ours:
            run = _spelt_out(self.left[here], self.right, theirs)
            if run:
                self._pair(here, run[0])
                self.taken.update(run)
                theirs = [place for place in theirs if place not in self.taken]
        ours, theirs = self._alone()
        for there in theirs:
            run = _spelt_out(self.right[there], self.left, ours)
            if run:
                self._pair(run[0], there)
                self.paired.update(dict.fromkeys(run[1:], -1))
                ours = [place for place in ours if place not in self.paired]


def _spelt_out(short: Token, tokens: Sequence[Token], places: Sequence[int]) -> Sequence[int]:
    """The places of the words whose initials ``short`` is; none if it isn't."""
    if short.role is not Role.NAME or len(short.word) not in _INITIALS:
        return ()
    spelt = "".join(tokens[place].word[0] if tokens[place].role in _NAMED else " " for place in places)
    at = spelt.find(short.word)
    return () if at < 0 else places[at : at + len(short.word)]


def _key(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].key if 0 <= place < len(tokens) else ""


_NEIGHBOURS: tuple[Callable[[Sequence[Token], int], Key], ...] = (
    lambda tokens, place: (_key(tokens, place - 1), _key(tokens, place + 1)),
    lambda tokens, place: (_key(tokens, place + 1),),
    lambda tokens, place: (_key(tokens, place - 1),),
)
