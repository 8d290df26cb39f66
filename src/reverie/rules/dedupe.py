"""When two essences are the same: the guard that makes a cosine threshold safe.

A cosine of 0.92 alone merges "beats 3 to 1" with "beats 1 to 3" and half of all contradictions (FACTS.md),
so texts that differ in a number, a negation or a proper name are never duplicates, however near. The guard
errs towards keeping both: two near memories cost a line, a wrong merge loses a fact.
"""

from __future__ import annotations

import re
import unicodedata

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.trust import least_trusted
from reverie.rules.terms import STOP_WORDS

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
_WORD = re.compile(r"(?:(?<!\w)[-\u2212])?\d+(?:[.,:/\-]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_MARKS = re.compile("[\u0300-\u036f]")
_SENTENCE_END = re.compile(r"[.!?:;\u2026\n\"\u201c\u201d]\s*$")
_UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty""".split()
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_UNITS)} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "billion": "1000000000",
    "half": "1/2",
    "once": "1x",
    "twice": "2x",
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "fifth": "5",
}
_NEGATIONS = frozenset(
    """not no never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt arent
    wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt aint hardly barely unable refuses stopped quit
    avoids""".split()
)


def compatible(one: Kind, other: Kind) -> bool:
    """Whether memories of these kinds can be the same insight: the same kind, or both plain statements."""
    return one is other or (one in _STATEMENTS and other in _STATEMENTS)


def apart(known: Memory, new: Memory) -> str | None:
    """Why two near memories are not one, or None if they are: kinds, scope, validity, trust, then the
    wording.

    ``known`` may swallow ``new`` only if it is at least as trusted: a principal's word isn't hidden in
    external text; and less trusted text neither rewrites its lesson nor pins it.
    """
    if not compatible(known.kind, new.kind):
        return "kind"
    if set(known.scope) != set(new.scope):
        return "scope"
    if (known.valid_from, known.valid_to) != (new.valid_from, new.valid_to):
        return "validity"
    if least_trusted((known.source_trust, new.source_trust)) is known.source_trust is not new.source_trust:
        return "trust"
    if new.source_trust is not known.source_trust and (
        (new.lesson and new.lesson != known.lesson) or (new.pinned and not known.pinned)
    ):
        return "trust"
    return differs(known.essence, new.essence)


def differs(one: str, other: str) -> str | None:
    """What tells two near wordings apart: ``"number"``, ``"negation"``, ``"name"``, or None for nothing.
    Symmetric.
    """
    first, second = _read(one), _read(other)
    if first.numbers != second.numbers:
        return "number"
    if first.negations != second.negations:
        return "negation"
    if (first.names - second.words.keys()) or (second.names - first.words.keys()):
        return "name"
    names = (first.names | second.names) & first.words.keys() & second.words.keys()
    if [word for word in first.words if word in names] != [word for word in second.words if word in names]:
        return "name"  # who did what to whom
    # A capital at a sentence's beginning may be a name or any word: it counts where both have one of their
    # own, or where one has no such word at all ("Anna likes tea", "she likes tea").
    own, others = first.openings - second.words.keys(), second.openings - first.words.keys()
    fewer = len(first.openings) - len(second.openings)
    if (own and others) or (own and fewer > 0) or (others and fewer < 0):
        return "name"
    return None


class _Reading:
    """What the guard looks at in one text."""

    __slots__ = ("names", "negations", "numbers", "openings", "words")

    def __init__(self) -> None:
        self.numbers: list[str] = []  # in their order: 3 to 1 is not 1 to 3
        self.negations = 0
        self.names: set[str] = set()
        self.words: dict[str, None] = {}  # in the order of their first appearance
        self.openings: set[str] = set()


def _read(text: str) -> _Reading:
    reading = _Reading()
    text = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    for place, match in enumerate(_WORD.finditer(text)):
        raw = match.group()
        plain = raw.casefold().replace("\u2019", "'")
        word = plain.removesuffix("'s")
        bare = plain.replace("'", "")
        reading.words[word] = None
        if raw[-1].isdigit():
            reading.numbers.append(re.sub(r",(?=\d{3}\b)", "", plain).replace("\u2212", "-"))
        elif word in _NUMBER_WORDS and word != "one":
            reading.numbers.append(_NUMBER_WORDS[word])
        elif bare in _NEGATIONS:
            reading.negations += 1
        elif raw[0].isupper() and word not in STOP_WORDS:
            opens = place == 0 or bool(_SENTENCE_END.search(text[max(match.start() - 8, 0) : match.start()]))
            if not opens or any(letter.isupper() for letter in raw[1:]):
                reading.names.add(word)
            else:
                reading.openings.add(word)
    return reading
