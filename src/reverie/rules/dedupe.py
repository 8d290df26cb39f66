"""When two essences are the same: the guard that makes a cosine threshold safe.

A cosine of 0.92 alone merges "beats 3 to 1" with "beats 1 to 3", so texts that differ in a number, in what is
negated, a proper name or identifier, the order of their words, a telling small word (before, under, only, may …)
or one word for another are never duplicates, however near. The guard errs towards keeping both: two near memories
cost a line, a wrong merge loses a fact. What it gives and costs: ``docs/why/duplicates.md``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.trust import least_trusted
from reverie.rules.terms import STOP_WORDS, shortened_marks, terms

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
    avoids lack lacks lacking forbidden denied rejected refused negative false former formerly nem nincs kein keine
    nicht nie niemals pas jamais non inte ikke niet ei não nao nélkül nelkul""".split()
)


_TELLING = frozenset(
    """above after again against all before below between can could down during few from further had he i if less
    may me might more most must my off once only or our out over own same she should some that their them they this
    through under until up us used was we were will would you your almost nearly partly fully always often sometimes
    usually rarely instead supposedly reportedly allegedly probably perhaps maybe pretends plans wants ex""".split()
)
_IDENTIFIER = re.compile(r"[@_/\\#]|[^\W\d_][.\-][^\W\d_]|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]")
_ORDINAL_OR_UNIT = re.compile(r"\W*\d[\d.,:]*[^\W\d_]{1,3}\W*")
_SIGN = re.compile(r"(?<=\w)-(?!\w)")
_SECRETS = re.compile(
    r"\b(?:pass(?:word|phrase|code)s?|codes?|keys?|tokens?|logins?|usernames?|pin)\b", re.IGNORECASE
)
_PUNCTUATION = ".,;:!?()[]{}\"'\u201c\u201d\u2019"
_REACH = 5  # words behind a negation among which it finds what it negates
Numbers = Sequence[tuple[str, str]]


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
    """What tells two near wordings apart: ``"number"``, ``"negation"``, ``"name"``, ``"order"`` (who does what to
    whom, what is preferred to what), ``"word"`` (one content word stands for another), or None for nothing.
    Symmetric.
    """
    first, second = _read(one), _read(other)
    if _numbers_differ(first.numbers, second.numbers):
        return "number"
    if first.negated != second.negated:
        return "negation"
    if _names_differ(first, second):
        return "name"
    shared = first.content.keys() & second.content.keys()
    if [word for word in first.content if word in shared] != [
        word for word in second.content if word in shared
    ]:
        return "order"
    if (
        first.telling != second.telling
        or first.symbols != second.symbols
        or _is_substitution(first, second, shared)
    ):
        return "word"
    return None


def _numbers_differ(first: Numbers, second: Numbers) -> bool:
    """Whether the numbers or their order differ, or a word that follows one on both sides (7 am, 7 pm)."""
    if [number for number, _ in first] != [number for number, _ in second]:
        return True
    units = zip(first, second, strict=True)
    return any(one != other and one and other for (_, one), (_, other) in units)


def _names_differ(first: _Reading, second: _Reading) -> bool:
    if not _same_identifiers(first.identifiers, second.identifiers):
        return True
    if (first.names - second.words) or (second.names - first.words):
        return True
    # A capital at a sentence's beginning may be a name or any word: it counts where both have one of their
    # own, or where one has no such word at all ("Anna likes tea", "she likes tea").
    own, others = first.openings - second.words, second.openings - first.words
    fewer = len(first.openings) - len(second.openings)
    return bool((own and others) or (own and fewer > 0) or (others and fewer < 0))


def _same_identifiers(first: Sequence[str], second: Sequence[str]) -> bool:
    """To the letter, but a text may be all in capitals."""
    return len(first) == len(second) and all(
        one == other or one.upper() == other or one == other.upper()
        for one, other in zip(first, second, strict=True)
    )


def _is_substitution(first: _Reading, second: _Reading, shared: Set[str]) -> bool:
    """Whether the texts are alike but for one word that stands for another: morning and evening, left and right,
    euros and dollars. No list of opposites is long enough, so any such pair counts.
    """
    return len(first.content.keys() - shared) == len(second.content.keys() - shared) == 1


def _stem(word: str) -> str:
    return "".join(terms(word))


class _Reading:
    """What the guard looks at in one text."""

    __slots__ = (
        "content",
        "identifiers",
        "names",
        "negated",
        "numbers",
        "openings",
        "symbols",
        "telling",
        "words",
    )

    def __init__(self) -> None:
        # With what follows each, in their order: 3 to 1 is not 1 to 3
        self.numbers: list[tuple[str, str]] = []
        self.negated: list[str] = []  # what each negation is followed by
        self.names: set[str] = set()
        self.openings: set[str] = set()
        self.words: set[str] = set()
        self.telling: list[str] = []  # small words that turn a statement, in their order
        self.symbols: list[str] = []  # emoji, signs, operators
        self.identifiers: list[str] = []  # addresses, passwords, paths: to the letter
        self.content: dict[str, None] = {}  # stems of content words, in the order of their first appearance


def _read(text: str) -> _Reading:
    reading = _Reading()
    text = _MARKS.sub("", unicodedata.normalize("NFKD", shortened_marks(text)))
    tells_secret = bool(_SECRETS.search(text))  # every word of it counts to the letter
    reading.symbols = [letter for letter in text if unicodedata.category(letter)[0] == "S"] + _SIGN.findall(
        text
    )
    reading.identifiers = [
        token.strip(_PUNCTUATION)
        for token in text.split()
        if (_IDENTIFIER.search(token) and not _ORDINAL_OR_UNIT.fullmatch(token)) or tells_secret
    ]
    found = list(_WORD.finditer(text))
    plain = [match.group().casefold().replace("\u2019", "'").removesuffix("'s") for match in found]
    for place, (match, word) in enumerate(zip(found, plain, strict=True)):
        raw, bare = match.group(), word.replace("'", "")
        reading.words.add(word)
        if raw[-1].isdigit():
            number = re.sub(r",(?=\d{3}\b)", "", word).replace("\u2212", "-")
            unit = plain[place + 1] if place + 1 < len(plain) else ""
            reading.numbers.append((number, "" if unit in STOP_WORDS and unit != "am" else unit))
        elif word in _NUMBER_WORDS and word != "one":
            reading.numbers.append((_NUMBER_WORDS[word], ""))
        elif bare in _NEGATIONS:
            after = plain[place + 1 : place + 1 + _REACH]
            reading.negated.append(_stem(next((other for other in after if other not in STOP_WORDS), "")))
        elif raw[0].isupper() and word not in STOP_WORDS:
            opens = place == 0 or bool(_SENTENCE_END.search(text[max(match.start() - 8, 0) : match.start()]))
            if not opens or any(letter.isupper() for letter in raw[1:]):
                reading.names.add(word)
            else:
                reading.openings.add(word)
        if word in _TELLING:
            reading.telling.append(word)
        elsewhere = word in STOP_WORDS or bare in _NEGATIONS or word in _NUMBER_WORDS or raw[-1].isdigit()
        if not elsewhere:
            reading.content[_stem(word)] = None
    return reading
