"""Dates in a question: which spans of time it names, and which of its characters say so.

A grammar of our own, for English, and for dates in digits beside any language. A library can't do it:
dateparser gives moments where spans are meant ("in May", "last weekend", "the week before 9 June"), finds
"We" and "May" when it searches, and costs more to import than the whole of recall (docs/why/dates.md).

What is left unsaid is read as people look back: "in May" is the latest May that has begun, "on Friday" the
latest Friday. "May", "March", "Sun" and their like count only where their place says that they are dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from reverie.domain.time import MICROS_PER_DAY, micros
from reverie.language.dates.days import day_text
from reverie.language.dates.phrases import VAGUE_WORDS, Phrase, phrases
from reverie.language.dates.points import FEAST_WORDS, NEAR_DAYS, SIGNS
from reverie.language.dates.spans import SEASONS, Span
from reverie.language.dates.words import MONTHS, WEEKDAYS, tokens

HALF_LIFE_AFTER_DAYS = 7.0
HALF_LIFE_BEFORE_DAYS = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A span of time in UTC, ``since`` inclusive, ``until`` exclusive, never empty.

    ``certainty`` in (0, 1]: how surely the words mean this span. 1 is a date said in full; below are years
    left unsaid, words with two readings, and open ends.
    """

    since: datetime
    until: datetime
    certainty: float = 1.0


def closeness(times: NDArray[np.int64], windows: Sequence[Window]) -> NDArray[np.float64]:
    """Return how well each time (microseconds since 1970) fits the windows, in [0, 1]; all 0 without windows.

    Inside a window it is the window's certainty. Outside it halves with every HALF_LIFE_AFTER_DAYS after
    its end and with every HALF_LIFE_BEFORE_DAYS before its start: people tell of things afterwards. Of
    several windows the best counts.
    """
    best = np.zeros(len(times))
    for window in windows:
        after = np.maximum(times - (micros(window.until) - 1), 0) / (HALF_LIFE_AFTER_DAYS * MICROS_PER_DAY)
        before = np.maximum(micros(window.since) - times, 0) / (HALF_LIFE_BEFORE_DAYS * MICROS_PER_DAY)
        np.maximum(best, window.certainty * 0.5 ** (after + before), out=best)
    return best


MAX_PHRASES = 16
MAX_TOKENS = 4096
"""More phrases, and more words and signs, are not read: a longer text is no question."""

_ASCII_WORD = re.compile("[a-z]+")
_NEEDED = frozenset(
    {
        *MONTHS,
        *WEEKDAYS,
        *SEASONS,
        *(word for words in FEAST_WORDS for word in words.split()),
        *NEAR_DAYS,
        *SIGNS,
    }
    | {"tonight", "ago", "back", "these", "other", *VAGUE_WORDS}
)
"""Of these words each date has one, unless it is in digits:"""
# A year, which every date in digits has, or "the 7th"; any other number needs a word beside it ("3 weeks ago").
_IN_DIGITS = re.compile(r"(?<![0-9])(?:19|20|21)[0-9]{2}(?![0-9])|[0-9](?:st|nd|rd|th)")

_RELATIVE = frozenset("yesterday today tonight tomorrow ago last next".split())
_INSTANT = timedelta(microseconds=1)
_MONTH = timedelta(days=31)
_WITHIN = re.compile(r"[^\W_],? [\"'\u201c\u2018\u00ab(*_]?$")
_CAPITALISED = re.compile(r" ([A-Z][a-z]+)")


def moments(text: str, now: datetime, zone: tzinfo = UTC) -> tuple[Window, ...]:
    """Return the spans of time that a text names, in its order and distinct; empty where it names none.

    ``now`` (with a zone) is the asker's time; days begin and end in ``zone``. Vague words ("recently") count
    only where nothing else is named. A span may lie in the future. Never raises for any text; what lies
    outside the years 1 to 9999 is left out, and what comes after MAX_PHRASES or MAX_TOKENS.
    """
    try:
        local = now.astimezone(zone).replace(tzinfo=None)
    except OverflowError:  # within hours of the year 1 or 9999
        return ()
    found = list(_read(text, local))
    firm = [phrase for phrase in found if not phrase.vague]
    windows = (_window(span, zone) for phrase in firm or found for span in phrase.spans)
    return tuple(dict.fromkeys(window for window in windows if window is not None))


def relative_days(text: str, at: datetime, zone: tzinfo = UTC) -> tuple[tuple[str, str], ...]:
    """Return the words of a text that name days from the time of speaking on ("yesterday", "next week"), each with what
    they mean: a day in ISO 8601, or the first and the last one with a slash between. Others stay unread: who says
    "on Friday" may mean either.
    """
    try:
        local = at.astimezone(zone).replace(tzinfo=None)
    except OverflowError:  # within hours of the year 1 or 9999
        return ()
    found: dict[str, str] = {}
    for phrase in _read(text, local):
        if len(phrase.spans) != 1 or _RELATIVE.isdisjoint(token.low for token in phrase.tokens):
            continue
        [span] = phrase.spans
        first, last = span.since.date(), max(span.since, span.until - _INSTANT).date()
        words = text[phrase.tokens[0].start : phrase.tokens[-1].end]
        found[words] = f"{first}" if first == last else f"{first}/{last}"
    return tuple(found.items())


def made_absolute(text: str, at: datetime, zone: tzinfo = UTC) -> str:
    """Return the text as one may tell it later, with days, months and years in the place of words for them that count
    from the time of speaking on ("yesterday", "last year"). Other spans stay as they are.
    """
    for words, days in relative_days(text, at, zone):
        first, _, last = days.partition("/")
        since, until = date.fromisoformat(first), date.fromisoformat(last or first) + timedelta(days=1)
        if not last:
            text = text.replace(words, day_text(since))
        elif (since.day, until.day) == (1, 1) and until - since <= _MONTH:
            text = text.replace(words, f"{since:%B} {since.year}")
        elif (since.month, since.day) == (until.month, until.day) == (1, 1) and until.year == since.year + 1:
            text = text.replace(words, f"{since.year}")
    return text


def _read(text: str, now: datetime) -> Iterator[Phrase]:
    low = text.lower()
    if _NEEDED.isdisjoint(_ASCII_WORD.findall(low)) and not _IN_DIGITS.search(low):
        return iter(())  # most questions name no date: 3 µs instead of 100
    found = phrases(list(islice(tokens(text), MAX_TOKENS)), now)
    return islice((phrase for phrase in found if not _is_title(text, phrase)), MAX_PHRASES)


def _is_title(text: str, phrase: Phrase) -> bool:
    """Return whether the words are part of a name, as in "we saw Tomorrow Never Dies": within a sentence all of them,
    the next one, too, begin with a capital, and two of them at least are no names of months and weekdays.
    """
    start, end = phrase.tokens[0].start, phrase.tokens[-1].end
    if not text[start].isupper() or not _WITHIN.search(text, max(0, start - 4), start):
        return False
    words = [text[one.start : one.end] for one in phrase.tokens if one.month is None and one.weekday is None]
    if (following := _CAPITALISED.match(text, end)) is not None:
        words.append(following[1])
    return len(words) > 1 and all(word.istitle() for word in words)


def _window(span: Span, zone: tzinfo) -> Window | None:
    try:
        since = span.since.replace(tzinfo=zone).astimezone(UTC)
        until = span.until.replace(tzinfo=zone).astimezone(UTC)
    except (OverflowError, ValueError):  # within hours of the year 1 or 9999
        return None
    if since >= until:  # a day that a zone left out
        return None
    return Window(since=since, until=until, certainty=round(span.certainty, 3))
