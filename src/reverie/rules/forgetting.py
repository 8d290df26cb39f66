"""What a forgotten memory takes with it: the sentences that hold it, and the mark that keeps it from coming
back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Iterable, Set
from itertools import pairwise

from reverie.rules.before import BEFORE
from reverie.rules.everyday_words import EVERYDAY
from reverie.rules.heard import WHOEVER
from reverie.rules.label_words import WEAK
from reverie.rules.terms import shortened_marks, terms

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

_LIGHT = frozenset(term for word in (*EVERYDAY, *WEAK) for term in terms(word))
"""Words that tell nothing by themselves."""


def telling(text: str, names: Set[str] = frozenset()) -> frozenset[str]:
    """The terms of a text that tell something by themselves: none of everyday words, nor of the ``names`` (their terms)
    of who speaks, since everything is said to them or by them.
    """
    return frozenset(terms(text)) - _LIGHT - names


def sentences(text: str) -> list[str]:
    """The text in sentences, each with the white space behind it; joined they are the text."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    cuts = [0, *ends, *([len(text)] if not ends or ends[-1] < len(text) else [])]
    return [text[start:end] for start, end in pairwise(cuts) if end > start]


def is_rest(rest: str, whole: str) -> bool:
    """Whether ``rest`` is what ``without`` can have left of ``whole``: sentences of it."""
    return all(part.strip() in whole for part in sentences(rest))


def holds(sentence: str, essence: str) -> bool:
    """Whether a sentence tells what the essence tells: it has three quarters of the essence's distinct content
    words, or none but words of the essence; and at least two of them (or all, where there are fewer).
    """
    return _Told(essence).by(sentence)


def without(text: str, essence: str) -> str:
    """The text without the sentences that hold the essence; empty if none is left."""
    return parted(text, [essence])[0]


def parted(
    text: str, essences: Iterable[str], read: Callable[[str], str] | None = None
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """What is left of a text without the sentences that hold one of the essences, as they stand or as ``read`` reads
    them (with their dates made absolute, say); and these sentences.
    """
    told = [_Told(essence) for essence in dict.fromkeys(essences)]
    kept: list[str] = []
    gone: list[str] = []
    for part in sentences(text):
        ways = [part] if read is None or not told else list(dict.fromkeys((part, read(part))))
        (gone if any(one.by(way) for way in ways for one in told) else kept).append(part)
    return "".join(kept).strip(), tuple(gone)


def retold_without(essence: str, essences: Iterable[str]) -> str:
    """A memory's wording without the sentences that hold one of these; whose words it is in stays told. Empty where it
    says nothing else.
    """
    who = WHOEVER.match(essence)
    head = who.group() if who else ""
    rest, gone = parted(essence[len(head) :], essences)
    if not gone:
        return essence
    says = rest and not rest.startswith(
        BEFORE.lstrip()
    )  # what was so before stands for what is so now no more
    return f"{head}{rest}" if says and _WORDS.search(rest) else ""


def explained_without(wording: str, gone: Set[str], left: Set[str], names: Set[str], *, alone: bool) -> str:
    """A wording that a later message brought without what only the forgotten ones explain; empty where it says nothing
    else. ``gone``, ``left``: the terms of the messages that go and of those that stay; ``names``: of whoever spoke
    them. What was so before goes with the first such word; a clause of what is so now where most of its words are such.
    ``alone``: what was so before rests on the forgotten messages alone, in whatever words.
    """
    now, mark, before = wording.partition(BEFORE)

    def stays(clause: str, *, quoted: bool) -> bool:
        said = telling(clause, names)
        unexplained = said - left
        if quoted and alone and (unexplained or not said):
            return False
        lost = len(unexplained & gone)
        return not lost if quoted else 2 * lost <= len(said)

    now = _kept_clauses(now, lambda one: stays(one, quoted=False))
    before = _kept_clauses(before, lambda one: stays(one, quoted=True))
    if not _WORDS.search(now):
        return ""
    return f"{now}{mark}{before}" if _WORDS.search(before) else now


def _kept_clauses(text: str, stays: Callable[[str], bool]) -> str:
    """The text without the clauses that don't stay, in whole sentences."""
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


class _Told:
    """What an essence tells, read once for many sentences."""

    def __init__(self, essence: str) -> None:
        self._terms = set(terms(essence))
        self._canonical = _canonical(essence)

    def by(self, sentence: str) -> bool:
        """See ``holds``."""
        said = set(terms(sentence))
        if not said or not self._terms:
            return bool(_WORDS.findall(sentence)) and _canonical(sentence) == self._canonical
        shared = len(said & self._terms)
        enough = shared >= min(2, len(said), len(self._terms))
        return enough and (shared >= HOLDS_SHARE * len(self._terms) or shared == len(said))


def surviving(labels: Iterable[str], before: str, after: str) -> tuple[str, ...]:
    """The labels of a text that may stay when sentences are taken out of it (``before``, ``after``): those of which
    no word went.
    """
    gone = set(terms(before)) - set(terms(after))
    told, left = before.casefold(), after.casefold()
    return tuple(
        label
        for label in labels
        if gone.isdisjoint(terms(label)) and (label.casefold() not in told or label.casefold() in left)
    )


def tombstone(secret: bytes, text: str) -> bytes:
    """The keyed digest (HMAC-SHA-256, 32 bytes) under which a forgotten text is known again, whatever its
    case, spacing and punctuation.
    """
    return hmac.new(secret, _canonical(text).encode(), hashlib.sha256).digest()


def message_tombstone(secret: bytes, conversation: str, name: str, content: str) -> bytes:
    """The digest under which one forgotten message of a conversation is known again: ``name`` is its ref, or
    its time where it has none. Other messages with the same words are not it.
    """
    mark = "\0".join(("message", conversation, name, _canonical(content)))  # no text of ours holds a \0
    return hmac.new(secret, mark.encode(), hashlib.sha256).digest()


def alike(one: str, other: str) -> bool:
    """Whether two texts are the same but for case, spacing and punctuation."""
    return _canonical(one) == _canonical(other)


def _canonical(text: str) -> str:
    folded = unicodedata.normalize("NFKC", shortened_marks(text)).casefold()
    return " ".join(_WORDS.findall(folded)) or folded
