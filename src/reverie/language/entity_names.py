"""Entities of a text: names with capitals, acronyms, @handles, #tags, and identifiers such as foo_bar.py."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from reverie.domain.text_cache import text_cache
from reverie.language.label_words import DATES, FINITE, OPENERS, PARTICLES, SHOUTED, TITLES
from reverie.language.lexical_terms import SIGNS, STOP_WORDS

MOST_ENTITIES = 8
MOST_READ = 2_000
"""Characters of a text that are looked at; an embedding sees fewer."""

_LONGEST_NAME = 4
_LONGEST = 40
_MOST_DIGITS = 4
_FEWEST_SHOUTED = 4


def _tokens(plain: str) -> re.Pattern[str]:
    """Build the pattern of tokens. Its groups: a word, the bracket that opens right behind it, @mark or #mark,
    what opens a sentence; none: a sign.
    """
    return re.compile(
        rf"({plain}+(?:['\u2019./:@-]+{plain}+)*)(\()?"
        rf"|((?<!{plain})[@#]{plain}+(?:-+{plain}+)*)"
        r"|([.!?\u2026:\n(\"\u201c\u3002])"
        r"|\S"
    )


_TOKEN, _ASCII_TOKEN = _tokens(rf"[\w{SIGNS}]"), _tokens("[A-Za-z0-9_]")
_IS_DOTTED = re.compile(r"[A-Za-z_]\w+(?:(?:\.|::)[a-z_0-9]\w*){1,6}").fullmatch
_IS_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+){2,10}|[\w-]+/[\w-]+\.\w+").fullmatch
_IS_IDENTIFIER = re.compile(r"[A-Za-z]\w*_\w+|_+[A-Za-z]\w+|[A-Za-z]+-?[0-9]{1,4}[A-Za-z]?").fullmatch
_CAMEL = re.compile(r"[a-z][A-Z]")
_ADDRESS = re.compile(r"https?://(?:www\.)?([\w.-]+)")


class _Words(NamedTuple):
    """A text's words, and the places of those that are not like most: an object a word would cost more than all else.

    ``opens``: a sentence; ``apart``: something else than white space parts it from the word before; ``possessive``:
    had an 's; ``marked``: @ or #.
    """

    texts: list[str]
    opens: set[int]
    apart: set[int]
    possessive: set[int]
    marked: set[int]


def entities(text: str, speakers: Collection[str] = ()) -> tuple[str, ...]:
    """Return at most MOST_ENTITIES names in the text, as written, the most frequent first, then in their order.

    Words of a name are joined ("New York", "Lord of the Rings"); articles, possessive 's, weekdays and months
    belong to none. A word that opens a sentence is a name only where something says so: a capital in the
    middle of another sentence, a possessive 's, a verb behind it, or one of ``speakers`` (known people) is
    called so. Any string is welcome; MOST_READ characters are read.
    """
    words = _words(beginning(text))
    # Most words are in small letters: no name begins with one, and none is an identifier
    telling = [
        at
        for at, word in enumerate(words.texts)
        if not (word.isalpha() and word.islower()) or at in words.marked
    ]
    known = _names_of(tuple(speakers)).union(
        words.texts[at].casefold() for at in telling if at not in words.opens and words.texts[at][0].isupper()
    )
    shouts = _shouts(words.texts, telling)
    counts: dict[str, int] = {}
    written: dict[str, str] = {}
    taken = 0
    for at in telling:
        if at < taken:
            continue
        taken, name = _name(words, at, known, shouts=shouts)
        if name and len(name) <= _LONGEST:
            folded = name.casefold()
            counts[folded] = counts.get(folded, 0) + 1
            written.setdefault(folded, name)
    ranked = sorted(written, key=lambda name: -counts[name])
    longer = [f" {name} " for name in ranked if " " in name]
    whole = [name for name in ranked if not any(_is_part(name, other) for other in longer)]
    return tuple(written[name] for name in whole[:MOST_ENTITIES])


@text_cache(64)
def _names_of(speakers: tuple[str, ...]) -> frozenset[str]:
    """Return the folded parts of their names; a whole batch of messages has the same speakers."""
    return frozenset(part.casefold() for speaker in speakers for part in speaker.split())


def beginning(text: str) -> str:
    """Return the text's first MOST_READ characters, cut at white space where there is some."""
    if len(text) <= MOST_READ:
        return text
    cut = text[:MOST_READ]
    return cut.rsplit(None, 1)[0] if len(cut.split(None, 1)) > 1 else cut


def _words(text: str) -> _Words:
    words = _Words([], set(), set(), set(), set())
    texts = words.texts
    opens, follows, before = True, False, ""
    for word, bracket, mark, stop in (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text):
        if word:
            if opens:
                words.opens.add(len(texts))
            if not follows:
                words.apart.add(len(texts))
            before = word
            opens, follows = bool(bracket), not bracket
            if "'" in word or "\u2019" in word:
                before = word.replace("\u2019", "'")
                word = before.removesuffix("'s").removesuffix("'S")
                if word != before:
                    words.possessive.add(len(texts))
                    follows = False
            texts.append(word)
        elif mark:
            words.apart.add(len(texts))
            words.marked.add(len(texts))
            texts.append(mark)
            follows = False
        else:
            title = stop == "." and before.lower() in TITLES
            opens = (opens or bool(stop)) and not title
            follows = title
            before = ""
    return words


def _shouts(texts: Sequence[str], telling: Sequence[int]) -> bool:
    """Return whether most of a text is in capitals, which then say nothing; ``telling``: where those words stand."""
    if sum(texts[at].isupper() for at in telling) < _FEWEST_SHOUTED:
        return False
    long = [word for word in texts if len(word) > 1 and word.lower() not in SHOUTED]
    shouted = sum(word.isupper() for word in long)
    return shouted >= _FEWEST_SHOUTED and 2 * shouted > len(long)


def _name(words: _Words, at: int, known: Collection[str], *, shouts: bool) -> tuple[int, str]:
    """Return where the name that begins at a word ends, and the name; "" where none begins."""
    first = words.texts[at]
    if at in words.marked:
        return at + 1, first
    identifier = _identifier(first)
    if identifier:
        return at + 1, identifier
    if shouts or not _is_capital(first) or (at in words.opens and not _is_opening_name(words, at, known)):
        return at, ""
    end = at + 1
    while end < len(words.texts) and end - at < _LONGEST_NAME and end - 1 not in words.possessive:
        step = _next_part(words, end)
        if not step:
            break
        end += step
    return end, " ".join(words.texts[at:end])


def _next_part(words: _Words, at: int) -> int:
    """Return how many words more belong to a name: 1 for a capital, 2 or 3 with particles before it, else 0."""
    for ahead in range(min(3, len(words.texts) - at)):
        word = words.texts[at + ahead]
        if at + ahead in words.apart:
            return 0
        if _is_capital(word) and not _identifier(word):
            return ahead + 1
        if word not in PARTICLES and not (ahead and word == "the"):
            return 0
    return 0


def _is_capital(text: str) -> bool:
    """Return whether a word is written as names and acronyms are."""
    if len(text) < 2 or not text[0].isupper() or not text.replace("'", "").replace("-", "").isalpha():
        return False
    low = text.lower()
    if text.isupper():
        return text.upper() != low and len(text) <= 6 and low not in SHOUTED
    return low not in STOP_WORDS and low not in DATES


def _is_opening_name(words: _Words, at: int, known: Collection[str]) -> bool:
    """Return whether the word that opens a sentence is a name, and has its capital not from there alone."""
    text = words.texts[at]
    low = text.lower()
    behind = words.texts[at + 1] if at + 1 < len(words.texts) and at + 1 not in words.apart else None
    if text.casefold() in known and low not in STOP_WORDS:
        return True
    if low in OPENERS:
        return low == "new" and behind is not None and _is_capital(behind)  # New York
    if text.isupper() or at in words.possessive:
        return True
    if low.endswith(("ing", "ly")) or behind is None:
        return False
    return _is_capital(behind) or behind in FINITE or _is_verb(behind)


def _is_verb(text: str) -> bool:
    """Return whether a word in small letters ends as verbs do behind a subject."""
    return len(text) > 3 and text.islower() and text.endswith(("s", "ed")) and not text.endswith("ss")


def _identifier(text: str) -> str:
    """Return the text if it is a file, a path, a name from a program or a product; the host of an address; else ""."""
    if text.isalpha() and (text.islower() or text[1:].islower()):
        return ""  # most words
    address = _ADDRESS.match(text)
    if address:
        return address[1]
    if len(text) > _LONGEST or not any(map(str.isalpha, text)) or sum(map(str.isdigit, text)) > _MOST_DIGITS:
        return ""
    if _CAMEL.search(text) and text.isalnum():
        return text
    return text if _IS_DOTTED(text) or _IS_PATH(text) or _IS_IDENTIFIER(text) else ""


def _is_part(name: str, longer: str) -> bool:
    """Return whether a name is some words of a longer one, which has a space around it."""
    return len(name) + 2 < len(longer) and f" {name} " in longer
