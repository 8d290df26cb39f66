"""Whether the same words in another order say something else: the part of the duplicates' guard that knows syntax.

"A beat B" and "B beat A" exchange two words across a third: three shared words stand in exactly the reverse order.
A clause or an adjunct that moves as a whole ("tomorrow …") reverses no three.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.memory.dedupe.reading import SAYING, WordRole, WordToken, same

_MOST_COMPARED = 2000  # pairs of words; beyond it no synonyms are looked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    """``pairs``: where each shared word stands in the left and the right text, in the left text's order."""

    left: Sequence[WordToken]
    right: Sequence[WordToken]
    pairs: Sequence[tuple[int, int]]

    @property
    def over(self) -> tuple[list[WordToken], list[WordToken]]:
        """The words that only the left text has, and only the right."""
        here, there = {one for one, _ in self.pairs}, {other for _, other in self.pairs}
        return (
            [token for place, token in enumerate(self.left) if place not in here],
            [token for place, token in enumerate(self.right) if place not in there],
        )


def align(left: Sequence[WordToken], right: Sequence[WordToken]) -> Alignment:
    """Pair equal words in their order, then words that say the same."""
    where: dict[str, list[int]] = defaultdict(list)
    for place in reversed(range(len(right))):
        where[right[place].key].append(place)
    pairs = []
    ours = []
    for here, token in enumerate(left):
        if where.get(token.key):
            pairs.append((here, where[token.key].pop()))
        else:
            ours.append(here)
    theirs = sorted(place for places in where.values() for place in places)
    for here in ours if len(ours) * len(theirs) <= _MOST_COMPARED else ():
        there = next((one for one in theirs if same(left[here].key, right[one].key)), None)
        if there is not None:
            pairs.append((here, there))
            theirs.remove(there)
    return Alignment(left=left, right=right, pairs=sorted(pairs))


def longest_rise(values: Sequence[int]) -> int:
    """Return the length of a longest increasing subsequence, by patience sorting."""
    tops: list[int] = []
    for value in values:
        pile = bisect_left(tops, value)
        tops[pile : pile + 1] = [value]
    return len(tops)


_WIDEST_LIST = 60  # words within which two lists are compared
_HEADS = 3  # words around a list that its members may share: a private or a public limited company
_NEAR_AGENT = 3
_FAR_VERB = 12


def order_differs(alignment: Alignment, *, ordered: bool = False) -> bool:
    """Return whether two shared words change places, or a word goes over to another; neither within a list of equals
    (a and b, b and a), nor where passive turns into active, as it must. With ``ordered`` any change of order counts.
    """
    if ordered:
        return longest_rise([-there for _, there in alignment.pairs]) > 1
    passives = [*_passives(alignment)]
    if not all(turned for _, turned in passives):
        return True
    verb = next((here for here, _ in passives), None)
    ranks = [
        -there
        for here, there in alignment.pairs
        if here != verb and not _attributes(alignment.left, here) and not _attributes(alignment.right, there)
    ]
    exchanged = longest_rise(ranks) >= 3
    if not exchanged and (passives or not _a_word_goes_over(alignment)):
        return False
    return not _is_relisted(alignment.left, alignment.right)


def _attributes(tokens: Sequence[WordToken], place: int) -> bool:
    """Return whether it is the "said" of a quotation: it stands before or behind it and means the same."""
    if tokens[place].key not in SAYING:
        return False
    return tokens[place].cut or place + 1 == len(tokens) or tokens[place + 1].cut


def _passives(alignment: Alignment) -> Iterator[tuple[int, bool]]:
    """Yield each verb that one text has in the passive ("is held by Anna"), the other not: where it stands on the left,
    and whether the one who does it stands before it in the other text, as it must.
    """
    to = dict(alignment.pairs)
    back = {there: here for here, there in alignment.pairs}
    for verb, turned in _passive_here(alignment.left, alignment.right, to):
        yield verb, turned
    for verb, turned in _passive_here(alignment.right, alignment.left, back):
        yield back[verb], turned


def _passive_here(
    passive: Sequence[WordToken], active: Sequence[WordToken], to: dict[int, int]
) -> Iterator[tuple[int, bool]]:
    for place, token in enumerate(passive):
        if token.word != "by" or place in to:
            continue
        agent = next((near for near in range(place + 1, place + 1 + _NEAR_AGENT) if near in to), None)
        verb = next(
            (
                near
                for near in range(place - 1, place - 1 - _FAR_VERB, -1)
                if near in to
                and passive[near].role is WordRole.CONTENT
                and (
                    passive[near].word != active[to[near]].word
                    or (near == place - 1 and passive[near].word.endswith(("d", "n", "t")))
                )
            ),
            None,
        )
        if verb is not None and agent is not None:
            yield verb, to[agent] < to[verb]


def _a_word_goes_over(alignment: Alignment) -> bool:
    """Return whether a word leans on another shared word than in the other text: a straw hat, a straw cigarette."""
    to = dict(alignment.pairs)
    taken = set(to.values())
    left, right = alignment.left, alignment.right
    return any(
        left[here].role is WordRole.CONTENT
        and _leans_on(left, here + 1)
        and _leans_on(right, there + 1)
        and here + 1 in to
        and there + 1 in taken
        and to[here + 1] != there + 1
        for here, there in alignment.pairs
    )


def _leans_on(tokens: Sequence[WordToken], place: int) -> bool:
    return place < len(tokens) and tokens[place].leans and tokens[place].role is not WordRole.FUNCTION


def _is_relisted(left: Sequence[WordToken], right: Sequence[WordToken]) -> bool:
    """Return whether the texts are the same but for the order of things that and, or, versus or commas join."""
    one, other = _with_bars(left), _with_bars(right)
    if len(one) != len(other):
        return False
    start, end = 0, len(one)
    while start < end and one[start] == other[start]:
        start += 1
    while end > start and one[end - 1] == other[end - 1]:
        end -= 1
    if end - start > _WIDEST_LIST:
        return False
    for before in range(min(start, _HEADS) + 1):
        for behind in range(min(len(one) - end, _HEADS) + 1):
            members = _members(one[start - before : end + behind])
            if len(members) > 1 and members == _members(other[start - before : end + behind]):
                return True
    return False


def _with_bars(tokens: Sequence[WordToken]) -> list[str]:
    """Return their keys, with an empty one before each that is joined to what stands before it."""
    return [key for token in tokens for key in (("", token.key) if token.joined else (token.key,))]


def _members(keys: Sequence[str]) -> list[list[str]]:
    members: list[list[str]] = [[]]
    for key in keys:
        if key:
            members[-1].append(key)
        else:
            members.append([])
    return sorted(filter(None, members))
