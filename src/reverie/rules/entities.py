"""Entities of a text: names with capitals, acronyms, @handles, #tags, and identifiers such as foo_bar.py."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reverie.rules.label_words import DATES, FINITE, OPENERS, PARTICLES, SHOUTED, TITLES
from reverie.rules.terms import SIGNS, STOP_WORDS

MOST_ENTITIES = 8
MOST_READ = 2_000
"""Characters of a text that are looked at; an embedding sees fewer."""

_LONGEST_NAME = 4
_LONGEST = 40
_MOST_DIGITS = 4
_FEWEST_SHOUTED = 4

_PLAIN = rf"[\w{SIGNS}]"
_TOKEN = re.compile(
    rf"(?P<mark>(?<!{_PLAIN})[@#]{_PLAIN}+(?:-+{_PLAIN}+)*)"
    rf"|(?P<word>{_PLAIN}+(?:['\u2019./:@-]+{_PLAIN}+)*)(?P<open>\()?"
    r"|(?P<stop>[.!?\u2026:\n(\"\u201c\u3002])"
    r"|(?P<sign>\S)"
)
_DOTTED = re.compile(r"[A-Za-z_]\w+(?:(?:\.|::)[a-z_0-9]\w*){1,6}")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+){2,10}|[\w-]+/[\w-]+\.\w+")
_IDENTIFIER = re.compile(r"[A-Za-z]\w*_\w+|_+[A-Za-z]\w+|[A-Za-z]+-?[0-9]{1,4}[A-Za-z]?")
_CAMEL = re.compile(r"[a-z][A-Z]")
_ADDRESS = re.compile(r"https?://(?:www\.)?([\w.-]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Word:
    """One word. ``opens``: a sentence; ``follows``: nothing but white space parts it from the word before."""

    text: str
    opens: bool
    follows: bool
    possessive: bool = False
    marked: bool = False

    @property
    def low(self) -> str:
        return self.text.lower()


def entities(text: str, speakers: Collection[str] = ()) -> tuple[str, ...]:
    """At most MOST_ENTITIES names in the text, as written, the most frequent first, then in their order.

    Words of a name are joined ("New York", "Lord of the Rings"); articles, possessive 's, weekdays and months
    belong to none. A word that opens a sentence is a name only where something says so: a capital in the
    middle of another sentence, a possessive 's, a verb behind it, or one of ``speakers`` (known people) is
    called so. Any string is welcome; MOST_READ characters are read.
    """
    words = list(_words(beginning(text)))
    known = {part.casefold() for speaker in speakers for part in speaker.split()}
    known |= {word.text.casefold() for word in words if not word.opens and word.text[0].isupper()}
    shouts = _shouts(words)
    counts: dict[str, int] = {}
    written: dict[str, str] = {}
    at = 0
    while at < len(words):
        end, name = _name(words, at, known, shouts=shouts)
        at = max(end, at + 1)
        if name and len(name) <= _LONGEST:
            folded = name.casefold()
            counts[folded] = counts.get(folded, 0) + 1
            written.setdefault(folded, name)
    ranked = sorted(written, key=lambda name: -counts[name])
    whole = [name for name in ranked if not any(_is_part(name, other) for other in ranked)]
    return tuple(written[name] for name in whole[:MOST_ENTITIES])


def beginning(text: str) -> str:
    """The text's first MOST_READ characters, cut at white space where there is some."""
    if len(text) <= MOST_READ:
        return text
    cut = text[:MOST_READ]
    return cut.rsplit(None, 1)[0] if len(cut.split(None, 1)) > 1 else cut


def _words(text: str) -> Iterator[_Word]:
    opens, follows, before = True, False, ""
    for found in _TOKEN.finditer(text):
        if found["mark"]:
            yield _Word(text=found["mark"], opens=False, follows=False, marked=True)
            follows = False
        elif found["word"]:
            before = found["word"].replace("\u2019", "'")
            bare = before.removesuffix("'s").removesuffix("'S")
            yield _Word(text=bare, opens=opens, follows=follows, possessive=bare != before)
            opens, follows = bool(found["open"]), bare == before and not found["open"]
        else:
            title = found["stop"] == "." and before.lower() in TITLES
            opens = (opens or bool(found["stop"])) and not title
            follows = title
            before = ""


def _shouts(words: Sequence[_Word]) -> bool:
    """Whether most of a text is in capitals, which then say nothing."""
    long = [word.text for word in words if len(word.text) > 1 and word.low not in SHOUTED]
    shouted = sum(word.isupper() for word in long)
    return shouted >= _FEWEST_SHOUTED and 2 * shouted > len(long)


def _name(words: Sequence[_Word], at: int, known: Collection[str], *, shouts: bool) -> tuple[int, str]:
    """Where the name that begins at a word ends, and the name; "" where none begins."""
    first = words[at]
    if first.marked:
        return at + 1, first.text
    identifier = _identifier(first.text)
    if identifier:
        return at + 1, identifier
    if shouts or not _is_capital(first) or (first.opens and not _is_opening_name(words, at, known)):
        return at, ""
    end = at + 1
    while end < len(words) and end - at < _LONGEST_NAME and not words[end - 1].possessive:
        step = _next_part(words, end)
        if not step:
            break
        end += step
    return end, " ".join(word.text for word in words[at:end])


def _next_part(words: Sequence[_Word], at: int) -> int:
    """How many words more belong to a name: 1 for a capital, 2 or 3 with particles before it, else 0."""
    for ahead in range(min(3, len(words) - at)):
        word = words[at + ahead]
        if not word.follows or word.marked:
            return 0
        if _is_capital(word) and not _identifier(word.text):
            return ahead + 1
        if word.text not in PARTICLES and not (ahead and word.text == "the"):
            return 0
    return 0


def _is_capital(word: _Word) -> bool:
    """Whether a word is written as names and acronyms are."""
    text, low = word.text, word.low
    if len(text) < 2 or not text[0].isupper() or not text.replace("'", "").replace("-", "").isalpha():
        return False
    if text.isupper():
        return text.upper() != text.lower() and len(text) <= 6 and low not in SHOUTED
    return low not in STOP_WORDS and low not in DATES


def _is_opening_name(words: Sequence[_Word], at: int, known: Collection[str]) -> bool:
    """Whether the word that opens a sentence is a name, and has its capital not from there alone."""
    word = words[at]
    behind = words[at + 1] if at + 1 < len(words) and words[at + 1].follows else None
    if word.text.casefold() in known and word.low not in STOP_WORDS:
        return True
    if word.low in OPENERS:
        return word.low == "new" and behind is not None and _is_capital(behind)  # New York
    if word.text.isupper() or word.possessive:
        return True
    if word.low.endswith(("ing", "ly")) or behind is None:
        return False
    return _is_capital(behind) or behind.text in FINITE or _is_verb(behind.text)


def _is_verb(text: str) -> bool:
    """Whether a word in small letters ends as verbs do behind a subject."""
    return len(text) > 3 and text.islower() and text.endswith(("s", "ed")) and not text.endswith("ss")


def _identifier(text: str) -> str:
    """The text if it is a file, a path, a name from a program or a product; the host of an address; else ""."""
    if text.isalpha() and (text.islower() or text[1:].islower()):
        return ""  # most words
    address = _ADDRESS.match(text)
    if address:
        return address[1]
    if len(text) > _LONGEST or not any(map(str.isalpha, text)) or sum(map(str.isdigit, text)) > _MOST_DIGITS:
        return ""
    if _CAMEL.search(text) and text.isalnum():
        return text
    patterns = (_DOTTED, _PATH, _IDENTIFIER)
    return text if any(pattern.fullmatch(text) for pattern in patterns) else ""


def _is_part(name: str, other: str) -> bool:
    """Whether a name is some words of a longer one."""
    return len(name) < len(other) and f" {name} " in f" {other} "
