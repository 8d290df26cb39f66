"""Dates as they were said, made absolute: "yesterday" becomes the day that it was.

Only what hangs on the time of speaking is replaced: "yesterday", "last week", "on Friday", "two days ago", "in three
weeks". "15 March" without a year stays, since it may be a birthday. Which Friday is meant hangs on the tense; where
that says nothing, the word stays too. The grammar is that of ``rules.dates``.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache

from reverie.rules import spans
from reverie.rules.datepoints import NEAR_DAYS, SIGNS, Reader, count, relative, simple
from reverie.rules.datewords import MONTHS, UNITS, Sure, tokens
from reverie.rules.spans import SEASONS, Span

_NEEDED = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|last|past|previous|this|next|coming|upcoming|ago|in"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(
    "on in at during over around about by since until till before after from to for of through as between".split()
)
_REACH = 8
"""Tokens before "and" in which its "between" stands."""
_FUTURE = frozenset(
    "will going shall plan plans planning tomorrow next upcoming i'll we'll he'll she'll they'll you'll gonna let's "
    "want wants need needs scheduled hoping hope book must should can".split()
)
_PAST = frozenset(
    "was were had did went yesterday last ago got made took came saw said told felt met bought gave found left "
    "finished started been lost broke fell ran won sold spent wrote ate drank drove flew came became began knew heard "
    "brought thought taught caught sent kept slept paid chose grew threw wore woke rode swam stood".split()
)
_NOT_PAST = frozenset(
    "need feed seed weed speed bleed breed indeed exceed proceed succeed hundred naked sacred".split()
)
_MONTH_NAMES = tuple(name.capitalize() for name in MONTHS if len(name) > 4 or name in ("may", "june", "july"))
_HOURS = frozenset({"morning", "afternoon", "evening", "night"})
_NAMED_SPANS = frozenset({*UNITS, *SEASONS, "weekend"})
_GOING = frozenset({"i'm", "we're", "he's", "she's", "they're", "am", "are", "is"})
_MOST_TOKENS = 400
_LONGEST_KNOWN = 2_000
"""Characters of a text that is remembered: sentences, for the most part."""
_IS = frozenset("the a an my your his her our their its this not been going just so too when where".split())
"""Before these "today's" is "today is"."""
PARTS_OF_DAYS = frozenset({"mornings", "afternoons", "evenings", "nights", "lunchtimes"})
"""Behind a weekday they tell of each: "on Friday evenings"."""
HABIT_WORDS = frozenset({"every", "each", "most", "all", "any", "some", "other", "alternate"})
_REGULARLY = frozenset(
    "every each weekly fortnightly monthly usually always normally regularly generally mostly".split()
)
_NEAR_HABIT = 6
"""Tokens on each side of a weekday among which such a word makes it each of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    """Tokens from ``at`` to ``end`` mean ``text``; ``joint`` is what stands before it where no preposition does."""

    end: int
    text: str
    joint: str


def dated(text: str, time: datetime, zone: tzinfo) -> str:
    """The text with words that say when in relation to ``time`` (with a zone) made absolute in ``zone``.

    Never raises for any text; what lies outside the years 1 to 9999 stays.
    """
    if not _NEEDED.search(text):
        return text
    return (_known if len(text) <= _LONGEST_KNOWN else _dated)(text, time, zone)


def _dated(text: str, time: datetime, zone: tzinfo) -> str:
    try:
        now = time.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return text
    read = [token for _, token in zip(range(_MOST_TOKENS), tokens(text), strict=False)]
    reader = Reader(tokens=read, now=now)
    pieces: list[str] = []
    done = at = 0
    while at < len(read):
        said, end = _safely(reader, at)
        if said is None:
            at = max(end, at + 1)
            continue
        start, written = _placed(reader, at, said, text)
        if start >= done:
            pieces += [text[done:start], written]
            done = read[said.end - 1].end
        at = said.end
    return "".join([*pieces, text[done:]])


_known = lru_cache(512)(_dated)


def _safely(reader: Reader, at: int) -> tuple[_Said | None, int]:
    try:
        return _said(reader, at)
    except (OverflowError, ValueError):  # outside the years 1 to 9999
        return None, at + 1


def _said(reader: Reader, at: int) -> tuple[_Said | None, int]:
    """What is said at a token, or None and where to read on: an absolute date is passed over whole."""
    token = reader.token(at)
    if token.low in NEAR_DAYS or token.low == "tonight":
        return _near(reader, at), at + 1
    if token.low in SIGNS:
        return _in_turn(reader, at), at + 1
    away = _away(reader, at)
    if away is not None:
        return away, at + 1
    if token.weekday is not None and token.sure is Sure.YES:
        return _weekday(reader, at)
    if token.number is not None or token.month is not None or token.dates:
        found = simple(reader, at)
        return None, found.end if found else at + 1
    return None, at + 1


def _near(reader: Reader, at: int) -> _Said:
    """today, yesterday evening, tonight."""
    token = reader.token(at)
    if token.low == "tonight":
        return _Said(end=at + 1, text=f"the evening of {_day(reader.now)}", joint="on")
    day = spans.day(reader.now, NEAR_DAYS[token.low]).since
    part = reader.low(at + 1)
    if part in _HOURS:
        return _Said(end=at + 2, text=f"the {part} of {_day(day)}", joint="on")
    return _Said(end=at + 1, text=_day(day), joint="on")


def _in_turn(reader: Reader, at: int) -> _Said | None:
    """last week, next Friday, this morning, this past weekend."""
    found = relative(reader, at)
    if found is None:
        return None
    named = [reader.token(place) for place in range(at, found.end)]
    if named[-1].low == "night" and len(named) == 2:  # "last night"
        return _Said(end=found.end, text=f"the night of {_day(found.spans[0].since)}", joint="on")
    part = named[-1].low
    if part in _HOURS:
        return _Said(end=found.end, text=f"the {part} of {_day(found.spans[0].since)}", joint="on")
    unit = next((word for token in reversed(named) if (word := token.low) in _NAMED_SPANS), "")
    written = _written(found.spans[0], unit)
    return None if written is None else _Said(end=found.end, text=written, joint=_joint(found.spans[0], unit))


def _away(reader: Reader, at: int) -> _Said | None:
    """two days ago, a week ago; in three weeks, in a month."""
    ahead = reader.low(at) == "in"
    amount = count(reader, at + ahead)
    if amount is None or amount[1] != amount[2]:
        return None
    end = amount[0]
    unit = UNITS.get(reader.low(end))
    if unit is None or unit in ("minute", "hour"):
        return None
    back = reader.low(end + 1) in ("ago", "back")
    if back == ahead or (ahead and not _is_ahead(reader, end + 1)):
        return None
    moved = spans.moved(reader.now, unit, amount[1] if ahead else -amount[1])
    if unit == "day":
        text, joint = _day(moved), "on"
    elif unit in ("week", "fortnight"):
        text, joint = f"the week of {_day(spans.week(moved).since)}", "in"
    elif unit == "month":
        text, joint = _month(moved), "in"
    else:
        text, joint = str(moved.year), "in"
    if ahead:
        return _Said(end=end + 1, text=f"{joint} {text}", joint="")
    return _Said(end=end + 2, text=text, joint=joint)


def _is_ahead(reader: Reader, at: int) -> bool:
    """Whether "in two weeks" says when, and not how long something takes."""
    after = reader.low(at)
    return (not after[:1].isalpha() or after in _PREPOSITIONS or after in ("when", "so", "but")) and (
        _tense(reader, at) > 0
    )


def _weekday(reader: Reader, at: int) -> tuple[_Said | None, int]:
    """Friday, Friday night: the last or the next, as the tense says; not "every Friday" or "Friday, 7 May"."""
    found = simple(reader, at)
    date = at + 1 + (reader.low(at + 1) == ",")
    if found is not None and found.end > date and reader.low(at + 1) not in _HOURS:
        return None, found.end
    listed = reader.low(at + 1) in ("and", "or", ",", "to", "-") and reader.token(at + 2).weekday is not None
    if reader.low(at - 1) in HABIT_WORDS or reader.low(at - 1) == "of" or listed or _is_regular(reader, at):
        return None, at + 1
    tense = _tense(reader, at)
    number = reader.token(at).weekday or 0
    if reader.low(at - 1) != "on" or not tense:
        return None, at + 1
    if tense < 0:
        day = spans.weekday_before(reader.now, number).since
    else:
        day = spans.day(reader.now, (number - reader.now.weekday()) % 7 or 7).since
    part = reader.low(at + 1)
    if part in _HOURS:
        return _Said(end=at + 2, text=f"the {part} of {_day(day)}", joint="on"), at + 2
    return _Said(end=at + 1, text=_day(day), joint="on"), at + 1


def _is_regular(reader: Reader, at: int) -> bool:
    """Whether each such day is meant: "on Friday evenings", "on Friday each week"."""
    around = (reader.low(place) for place in range(max(0, at - _NEAR_HABIT), at + _NEAR_HABIT + 1))
    return reader.low(at + 1) in PARTS_OF_DAYS or not _REGULARLY.isdisjoint(around)


def _tense(reader: Reader, at: int) -> int:
    """-1 where the words around speak of the past, 1 of the future, 0 where they say both or neither."""
    return _tense_of({reader.low(place) for place in range(max(0, at - 12), at + 8)})


def is_past(text: str) -> bool:
    """Whether the words of a clause speak of the past, and none of the future."""
    return _tense_of({token.low for _, token in zip(range(_MOST_TOKENS), tokens(text), strict=False)}) < 0


def _tense_of(words: Set[str]) -> int:
    past = bool(words & _PAST) or any(word.endswith("ed") and len(word) > 3 for word in words - _NOT_PAST)
    future = bool(words & _FUTURE) or (bool(words & _GOING) and any(word.endswith("ing") for word in words))
    return future - past


def _written(span: Span, unit: str) -> str | None:
    if unit in ("week", "weeks"):
        return f"the week of {_day(span.since)}"
    if unit == "weekend":
        return f"the weekend of {_day(span.since)}"
    if unit in SEASONS:
        return f"the {unit} of {span.since.year}"
    if unit in ("month", "months") or 27 < span.days < 32:
        return _month(span.since)
    if span.days > 360:
        return str(span.since.year)
    if span.days == 1:
        return _day(span.since)
    return None


def _joint(span: Span, unit: str) -> str:
    return "on" if span.days == 1 or unit == "weekend" else "in"


def _placed(reader: Reader, at: int, said: _Said, text: str) -> tuple[int, str]:
    """Where the replaced words begin, and what stands in their place."""
    first, last = reader.token(at), reader.token(said.end - 1)
    before = reader.low(at - 1)
    start = first.start
    written = said.text
    if text[last.start : last.end].replace("\u2019", "'").endswith("'s"):
        owned = _owned(reader, at, said)
        return start, owned[:1].upper() + owned[1:] if at == 0 else owned
    if _names_thing(reader, at, said):
        return start, written.removeprefix("the ")
    if before == "the" and written.startswith("the "):
        written = written.removeprefix("the ")
    elif not _is_led(reader, at) and said.joint and at > 0 and not _is_subject(reader, said):
        written = f"{said.joint} {written}"
    elif at == 0 and said.joint and not _is_subject(reader, said):
        written = f"{said.joint.capitalize()} {written}"
    return start, written[:1].upper() + written[1:] if at == 0 else written


def _owned(reader: Reader, at: int, said: _Said) -> str:
    """ "last year's teacher": "2025's"; "today's the day": "10 September 2026 is"."""
    if reader.low(at) in NEAR_DAYS and reader.low(said.end) in _IS:
        return f"{said.text} is"
    taken = reader.low(at - 1) in ("the", "a", "an")
    return f"{said.text.removeprefix('the ') if taken else said.text}'s"


def _is_led(reader: Reader, at: int) -> bool:
    """Whether a preposition stands before a date, or the "and" of "between … and"."""
    before = reader.low(at - 1)
    if before != "and":
        return before in _PREPOSITIONS
    return any(reader.low(place) == "between" for place in range(max(0, at - _REACH), at - 1))


def _is_subject(reader: Reader, said: _Said) -> bool:
    """Whether the date itself is or was something: "yesterday was hard"."""
    return reader.low(said.end) in ("was", "is", "will", "has", "had", "would", "works", "sounds", "went")


def _names_thing(reader: Reader, at: int, said: _Said) -> bool:
    """Whether the date stands before a noun under an article: "the last week report"."""
    return reader.low(at - 1) in ("a", "an") and reader.low(said.end)[:1].isalpha()


def _day(moment: datetime) -> str:
    return f"{moment.day} {_month(moment)}"


def _month(moment: datetime) -> str:
    return f"{_MONTH_NAMES[moment.month - 1]} {moment.year}"
