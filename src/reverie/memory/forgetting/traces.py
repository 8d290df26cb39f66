"""What a forgotten memory takes with it: the sentences that hold it, and the mark that keeps it from coming
back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

from reverie.language import EVERYDAY, WEAK, shortened_marks, terms

# A full stop inside a number, an address or a name ends nothing: white space must follow, but in scripts without it.
# A run of marks is tried once and whole, so that a long one takes no longer than its length.
_SENTENCE_END = re.compile(
    r"(?:(?<![.!?])[.!?]++[\"'\u201d\u2019)\]]*+(?=\s|$)|[\u3002\uff01\uff1f]+[\u201d\u2019\u300d)]*|\n)\s*"
)
_CLAUSE_END = re.compile(
    r"(?:[;,] )?\band (?=(?:she|he|they|their|her|his|[A-Z][\w-]+(?:'s)?) \w)"
    r"|[;,] (?=(?:she|he|they|their|her|his) \w)|; |: (?=[A-Z])"
)
"""Where a clause with a subject of its own begins."""
_OPEN_END = re.compile(
    r"(?<![\s,;:])(?<!\band)(?:[\s,;:]|\band\b)++$"
)  # a run is tried once, at its beginning
_WORDS = re.compile(r"\w+")
HOLDS_SHARE = 0.75
"""Of a wording's content words: a sentence that has so many says the same."""
NEAR_SHARE = 0.5
"""Of them without the speaker's name: a sentence that has so many may say it."""


@cache
def _light() -> frozenset[str]:
    """Return the terms of words that tell nothing by themselves."""
    return frozenset(term for word in (*EVERYDAY, *WEAK) for term in terms(word))


def telling(text: str, names: Set[str] = frozenset()) -> frozenset[str]:
    """Return the terms of a text that tell something by themselves: none of everyday words, nor of the ``names`` (their
    terms) of who speaks, since everything is said to them or by them.
    """
    return frozenset(terms(text)) - _light() - names


def sentences(text: str) -> list[str]:
    """Return the text in sentences, each with the white space behind it; joined they are the text."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    cuts = [0, *ends, *([len(text)] if not ends or ends[-1] < len(text) else [])]
    return [text[start:end] for start, end in pairwise(cuts) if end > start]


def is_remainder(rest: str, whole: str) -> bool:
    """Return whether ``rest`` is what a forget can have left of ``whole``: sentences of it."""
    return all(part.strip() in whole for part in sentences(rest))


def parted(text: str, wordings: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return what is left of a text without the sentences that say what one of the wordings says; and these sentences.

    A sentence says it that is a run of its words; or that has three quarters of the distinct content words of the
    wording or of one of its sentences, or none but words of it, and at least two of them (or all, where there are
    fewer).
    """
    said = [_Said(part) for part in sentences(text)]
    gone = {place for wording in dict.fromkeys(wordings) for place in _Told(wording, said).same}
    return _without(said, gone)


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A message without a memory that rests on it: what is left (``rest``), the sentences that went (``gone``), and
    whether what is left may say it still (``unsure``).
    """

    rest: str
    gone: tuple[str, ...]
    unsure: bool


def source_without(
    text: str, wordings: Iterable[str], names: Set[str] = frozenset(), read: Callable[[str], str] = str
) -> Source:
    """Return the message without the sentences on which a memory rests that was worded so.

    Where a wording quotes the message, the quoted sentences go, and no others. Else, for each sentence of the wording,
    those go that say the same (``parted``), or those nearest to it, if they have half of its content words. A wording
    may tell the message as it stands, or as ``read`` reads it (with its dates made absolute). ``names``: the terms of
    the speaker's name, which a wording may put in place of "I".

    It is ``unsure`` where a wording was not found whole, or where a sentence that is left has half of the words too.
    """
    said = [_Said(part, read(part)) for part in sentences(text)]
    gone: set[int] = set()
    near: set[int] = set()
    found: list[bool] = []
    for wording in dict.fromkeys(wordings):
        told = _Told(wording, said, names)
        nearest = told.nearest
        gone |= told.quoted or told.same.union(*nearest)
        found.append(bool(told.quoted) or (bool(nearest) and all(nearest)))
        near |= told.near
    rest, lost = _without(said, gone)
    return Source(rest=rest, gone=lost, unsure=bool(rest) and not (all(found) and near <= gone))


def retold_without(essence: str, essences: Iterable[str]) -> str:
    """Return a memory's wording without the sentences that hold one of these; empty where it says nothing else."""
    rest, gone = parted(essence, essences)
    if not gone:
        return essence
    return rest if _WORDS.search(rest) else ""


def explained_without(wording: str, gone: Set[str], left: Set[str], names: Set[str]) -> str:
    """Return a wording that a later message brought without the clauses of which only the forgotten ones explain
    half or more; empty where it says nothing else. ``gone``, ``left``: the terms of the messages that go and of
    those that stay; ``names``: of whoever spoke them.
    """

    def stays(clause: str) -> bool:
        said = telling(clause, names)
        lost = len((said - left) & gone)
        return not lost or 2 * lost < len(said)

    rest = _kept_clauses(wording, stays)
    return rest if _WORDS.search(rest) else ""


def _kept_clauses(text: str, stays: Callable[[str], bool]) -> str:
    """Return the text without the clauses that don't stay, in whole sentences."""
    told: list[str] = []
    for sentence in sentences(text):
        ends = [0, *(match.end() for match in _CLAUSE_END.finditer(sentence)), len(sentence)]
        parts = [sentence[start:end] for start, end in pairwise(ends)]
        kept = [part for part in parts if stays(part)]
        if len(kept) == len(parts):
            told.append(sentence)
        elif kept:
            whole = _OPEN_END.sub("", "".join(kept))
            told.append(f"{whole[:1].upper()}{whole[1:]}{'' if whole[-1:] in '.!?' else '.'} ")
    return text if "".join(told) == text else "".join(told).strip()


class _Said:
    """A sentence of a text, in each way in which a memory may tell it."""

    def __init__(self, text: str, *otherwise: str) -> None:
        self.text = text
        self.canonical = [_canonical(way) for way in (text, *otherwise)]
        self.terms = {frozenset(terms(way)) for way in (text, *otherwise)}


class _Told:
    """The places of the sentences that tell a wording: ``quoted``, those of which it is a run of words; ``same``, those
    that say the same (``parted``); ``near``, those that have half of the content words of one of its sentences;
    ``nearest``, for each of its sentences, those that say it, or of the near ones those that have most.
    """

    def __init__(self, wording: str, said: Sequence[_Said], names: Set[str] = frozenset()) -> None:
        canonical = _canonical(wording)
        self.quoted = _quoted(canonical, said)
        padded = f" {canonical} "
        self.same = {
            place
            for place, one in enumerate(said)
            if any(way and f" {way} " in padded for way in one.canonical)
        }
        self.near: set[int] = set()
        units = dict.fromkeys(frozenset(terms(part)) for part in sentences(wording))
        self._units = [*filter(None, units)]
        self._said_by: list[set[int]] = [set() for _ in self._units]
        self._shares: list[dict[int, float]] = [{} for _ in self._units]
        self._names = names
        self._read(said, frozenset(terms(wording)))

    def _read(self, said: Sequence[_Said], whole: Set[str]) -> None:
        having: dict[str, list[int]] = {}  # the sentences of the wording that have a term
        for number, unit in enumerate(self._units):
            for term in unit:
                having.setdefault(term, []).append(number)
        for place, one in enumerate(said):
            for way in one.terms:
                if _says(way, whole, len(way & whole)):
                    self.same.add(place)
                for number, shared in Counter(n for term in way for n in having.get(term, ())).items():
                    self._compare(place, way, number, shared)

    def _compare(self, place: int, way: Set[str], number: int, shared: int) -> None:
        unit = self._units[number]
        if _says(way, unit, shared):
            self.same.add(place)
            self._said_by[number].add(place)
        if own := unit - self._names:
            shared = len(way & own)
        share = shared / len(own or unit)
        if share >= NEAR_SHARE and shared >= min(2, len(own or unit)):
            self.near.add(place)
            self._shares[number][place] = max(share, self._shares[number].get(place, 0.0))

    @property
    def nearest(self) -> list[set[int]]:
        """See above."""
        return [
            same or {place for place, share in shares.items() if share == max(shares.values())}
            for same, shares in zip(self._said_by, self._shares, strict=True)
        ]


def _quoted(canonical: str, said: Sequence[_Said]) -> set[int]:
    """Return the places of the sentences of which a text is a run of words."""
    found: set[int] = set()
    if not _WORDS.search(canonical):
        return found
    for told in zip(*(one.canonical for one in said), strict=True):
        starts = [*accumulate((len(one) + 1 for one in told), initial=1)]
        text = f" {' '.join(told)} "
        at = text.find(f" {canonical} ")
        while at >= 0:
            end = at + 1 + len(canonical)
            found.update(range(bisect_right(starts, at + 1) - 1, bisect_left(starts, end)))
            at = text.find(f" {canonical} ", end)
    return found


def _says(way: Set[str], unit: Set[str], shared: int) -> bool:
    enough = shared >= min(2, len(unit))
    return shared > 0 and enough and (shared >= HOLDS_SHARE * len(unit) or shared == len(way))


def _without(said: Sequence[_Said], gone: Set[int]) -> tuple[str, tuple[str, ...]]:
    rest = "".join(one.text for place, one in enumerate(said) if place not in gone).strip()
    return rest, tuple(one.text for place, one in enumerate(said) if place in gone)


def surviving_labels(labels: Iterable[str], before: str, after: str) -> tuple[str, ...]:
    """Return the labels of a text that may stay when sentences are taken out of it (``before``, ``after``): those of
    which no word went.
    """
    gone = set(terms(before)) - set(terms(after))
    told, left = before.casefold(), after.casefold()
    return tuple(
        label
        for label in labels
        if gone.isdisjoint(terms(label)) and (label.casefold() not in told or label.casefold() in left)
    )


def tombstone(secret: bytes, text: str) -> bytes:
    """Return the keyed digest (HMAC-SHA-256, 32 bytes) under which a forgotten text is known again, whatever its
    case, spacing and punctuation.
    """
    return hmac.new(secret, _canonical(text).encode(), hashlib.sha256).digest()


def message_tombstone(secret: bytes, conversation: str, name: str, content: str) -> bytes:
    """Return the digest under which one forgotten message of a conversation is known again: ``name`` is its ref, or
    its time where it has none. Other messages with the same words are not it.
    """
    mark = "\0".join(("message", conversation, name, _canonical(content)))  # no text of ours holds a \0
    return hmac.new(secret, mark.encode(), hashlib.sha256).digest()


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same but for case, spacing and punctuation."""
    return _canonical(one) == _canonical(other)


def _canonical(text: str) -> str:
    folded = unicodedata.normalize("NFKC", shortened_marks(text)).casefold()
    return " ".join(_WORDS.findall(folded)) or folded
