"""Names of people in a question: who is asked about, and the question without them.

People's names pull a question's vector towards everything that mentions them, so known speakers' names are
taken out of what is embedded and scored as a boost instead (FACTS.md: + 28 points of dense recall on
LoCoMo).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from reverie.domain.text_cache import text_cache
from reverie.language.lexical_terms import STOP_WORDS

_SPACES = re.compile(r"\s+")


def named_speakers(query: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Return the known speakers whom the query names, in full or by one of their names of three letters and more,
    sorted.

    Case doesn't matter, save for names that are also stop words ("Will"): these count only with a capital.
    """
    said = re.findall(r"[^\W\d_]+", query)
    words = {word.casefold() for word in said if word[0].isupper() or word.casefold() not in STOP_WORDS}
    folded = query.casefold()
    found = []
    for speaker in speakers:
        parts = _parts(speaker)
        if any(part in words for part in parts) or (not parts and _stands_in(speaker, query, folded)):
            found.append(speaker)
    return tuple(sorted(found))


def without_names(query: str, named: Collection[str]) -> str:
    """Return the query without these names (and their possessive 's); unchanged where nothing else would be left."""
    if not named:
        return query
    rest = _SPACES.sub(" ", _pattern(tuple(sorted(named))).sub(" ", query)).strip()
    return rest if re.search(r"\w", rest) else query


def name_words(named: Iterable[str]) -> frozenset[str]:
    """Return the casefolded words that make up these names."""
    return frozenset(part for name in named for part in (*_parts(name), name.casefold()))


def _stands_in(speaker: str, query: str, folded: str) -> bool:
    """Return whether a name without longer parts is in the query: as a word of its own ("Al" is not in "talk");
    in scripts without upper case, which may be written without spaces, anywhere.
    """
    name = speaker.casefold()
    if speaker.upper() == speaker.lower():
        return name in folded
    if name in STOP_WORDS:
        return bool(
            re.search(rf"(?<!\w){re.escape(speaker[:1].upper())}{re.escape(speaker[1:])}(?!\w)", query)
        )
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded))


@text_cache(65536)
def _parts(speaker: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"[^\W\d_]+", speaker) if len(word) >= 3)


@text_cache(1024)
def _pattern(named: tuple[str, ...]) -> re.Pattern[str]:
    names = sorted({name for full in named for name in (full, *_parts(full))}, key=len, reverse=True)
    return re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?:['\u2019]s)?(?!\w)", re.IGNORECASE
    )
