"""Single dates of the grammar: "7 May 2023", "last Friday", "yesterday evening", "the summer of 2023"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from reverie.language.dates import spans
from reverie.language.dates.spans import DAY, FEASTS, SEASONS, Span
from reverie.language.dates.words import NOTHING, NUMBERS, ORDINALS, DateToken, Sure

YEAR_UNSAID = 0.8
THEME = 0.5
TWO_READINGS = 0.5
_LEAP_YEAR = 2000

PAST = frozenset({"last", "past", "previous"})
NEXT = frozenset({"next", "coming", "upcoming"})
SIGNS: Mapping[str, int] = MappingProxyType(dict.fromkeys(PAST, -1) | dict.fromkeys(NEXT, 1) | {"this": 0})
FEW: Mapping[str, tuple[int, int]] = MappingProxyType({"few": (2, 5), "several": (3, 7)})
_RANGE = frozenset({"-", "\u2013", "to", "and", "through", "until", "&"})
_LEADS = frozenset(
    "in during since until till last next this early mid late around throughout through before after from".split()
)
_WEAK_LEADS = frozenset({"in", "during", "since", "until", "early", "mid", "late"})
_YEAR_LEADS = (_LEADS - {"last", "next", "this"}) | {"of", "year", "by", "circa"}
_SEASON_LEADS = _LEADS | {"over", "for", "of"}
_TAKE_THE = frozenset({"april", "june", "august"})
_OWNERS = frozenset({"the", "a", "at", "my", "your", "his", "her", "its", "our", "their"})
_NO_DAY = frozenset({"every", "each", "most", "black", "good"})
_HOURS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
)
NEAR_DAYS: Mapping[str, int] = MappingProxyType({"today": 0, "yesterday": -1, "tomorrow": 1})
FEAST_WORDS: Mapping[str, str] = MappingProxyType(
    {name.replace("'s", ""): name for name in FEASTS}
    | {
        "xmas": "christmas",
        "valentine": "valentine's day",
        "valentines day": "valentine's day",
        "new years": "new year's",
        "new years eve": "new year's eve",
        "new years day": "new year's day",
        "mothers day": "mother's day",
        "fathers day": "father's day",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DateMatch:
    """What a rule read: the tokens up to ``end``, the spans they may mean, and the year if it was said."""

    end: int
    spans: tuple[Span, ...]
    year: int | None = None
    vague: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DateReader:
    """A text's tokens and the local time at which it was said. ``ahead``: what is left unsaid lies ahead of that, as
    "on Friday" of a thing to be done; else behind it, as people ask.
    """

    tokens: Sequence[DateToken]
    now: datetime
    ahead: bool = False

    def token(self, at: int) -> DateToken:
        """Return the token at a place; NOTHING outside."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else NOTHING

    def low(self, at: int) -> str:
        """Return its word in small letters; "" outside."""
        return self.token(at).low


def count(reader: DateReader, at: int) -> tuple[int, int, int] | None:
    """Return a number of things: where it ends, the fewest and the most it may mean."""
    word = reader.low(at)
    if word == "a" and reader.low(at + 1) in ("couple", *FEW):
        at, word = at + 1, reader.low(at + 1)
    if word in FEW:
        return at + 1, *FEW[word]
    token = reader.token(at)
    if token.number is not None and not token.ordinal:
        return at + 1, token.number, token.number
    value = NUMBERS.get(word)
    if value is None:
        return None
    if word == "couple":
        return at + 1 + (reader.low(at + 1) == "of"), 2, 2
    end = at + 1 + (reader.low(at + 1) == "-")
    ones = NUMBERS.get(reader.low(end), 0)
    if value in (20, 30) and 1 <= ones <= 9 and len(reader.low(end)) > 2:
        return end + 1, value + ones, value + ones
    return at + 1, value, value


def simple(reader: DateReader, at: int, *, bare: bool = False, year: int | None = None) -> DateMatch | None:
    """Return a date as such. ``bare``: the words before it say already that it is one. ``year``: what to take
    where none is said.
    """
    return (
        relative(reader, at)
        or _near_day(reader, at)
        or _weekday(reader, at, bare=bare)
        or _theme(reader, at, bare=bare)
        or _in_digits(reader, at)
        or _day_first(reader, at, year)
        or _month_first(reader, at, bare=bare, year=year)
        or _year_alone(reader, at, bare=bare)
        or _day_of_month(reader, at)
    )


def relative(reader: DateReader, at: int) -> DateMatch | None:
    """Read last week, this month, next Friday, last May, last summer, this past weekend, last night."""
    word, past_alone = reader.low(at), reader.low(at) == "past"
    if word == "this" and reader.low(at + 1) in PAST | NEXT:
        at += 1
        word = reader.low(at)
    sign = SIGNS.get(word)
    if sign is None or past_alone or reader.low(at + 2) == "of":
        return None
    named = reader.token(at + 1)
    if named.low in _HOURS:
        return (
            _of_day(reader, DateMatch(end=at + 1, spans=(spans.day(reader.now, sign),)))
            if sign <= 0
            else None
        )
    if named.sure is Sure.WEAK and (sign >= 0 or reader.low(at - 1) in _OWNERS):
        return None
    found = _in_turn(reader.now, named, sign)
    if found is not None:
        return _of_day(reader, DateMatch(end=at + 2, spans=(found,)))
    return _theme_in_turn(reader, at + 1, sign)


def _in_turn(now: datetime, named: DateToken, sign: int) -> Span | None:
    match named.low:
        case "week":
            return spans.week(now, sign)
        case "weekend":
            return spans.weekend(now, sign)
        case "month":
            return spans.month(now.year, now.month + sign)
        case "year":
            return spans.year(now.year + sign)
    if named.weekday is not None and sign < 0:
        return spans.weekday_before(now, named.weekday)
    if named.weekday is not None:
        week = spans.week(now).since if sign == 0 else spans.day(now, 1).since
        return spans.day(week, (named.weekday - week.weekday()) % 7)
    if named.month is not None:
        number = named.month
        return yearly(now, lambda year: (spans.month(year, number),), sign)
    return None


def _near_day(reader: DateReader, at: int) -> DateMatch | None:
    """Read today, tonight, yesterday evening, tomorrow."""
    word = reader.low(at)
    if word == "tonight":
        return DateMatch(end=at + 1, spans=(_part_of_day(spans.day(reader.now), "night"),))
    if word not in NEAR_DAYS:
        return None
    return _of_day(reader, DateMatch(end=at + 1, spans=(spans.day(reader.now, NEAR_DAYS[word]),)))


def _weekday(reader: DateReader, at: int, *, bare: bool) -> DateMatch | None:
    """Read Friday, on Fri, Friday night; Friday, 7 May 2023."""
    token = reader.token(at)
    before = reader.low(at - 1)
    if token.weekday is None or before in _NO_DAY:
        return None
    dated = at + 1 + (reader.low(at + 1) == ",")
    date = _in_digits(reader, dated) or _day_first(reader, dated, None) or _month_first(reader, dated)
    if date is not None and date.spans[0].days == 1:
        return date
    if token.sure is not Sure.YES and not (token.sure is Sure.NAME and (bare or before == "on")):
        return None
    if reader.ahead:
        day = spans.weekday_before(reader.now + 8 * DAY, token.weekday)
    else:
        day = spans.weekday_before(reader.now, token.weekday, itself=True)
    return _of_day(reader, DateMatch(end=at + 1, spans=(day.less_sure(YEAR_UNSAID),)))


def _of_day(reader: DateReader, found: DateMatch) -> DateMatch:
    """Return the same, narrowed where a part of the day follows."""
    word = reader.low(found.end)
    if word not in _HOURS or found.spans[0].days != 1:
        return found
    return replace(found, end=found.end + 1, spans=(_part_of_day(found.spans[0], word),))


def _part_of_day(day: Span, word: str) -> Span:
    first, last = _HOURS[word]
    hour = timedelta(hours=1)
    return replace(day, since=day.since + first * hour, until=day.since + last * hour)


def _theme(reader: DateReader, at: int, *, bare: bool) -> DateMatch | None:
    """Read Christmas, Christmas 2022, the summer of 2023, in the spring."""
    end, of_year = _themed(reader, at)
    if of_year is None:
        return None
    dated, year = _year_after(reader, end)
    if year is not None:
        found = of_year(year)
        sure = 1.0 if len(found) == 1 else TWO_READINGS
        return DateMatch(end=dated, spans=tuple(span.less_sure(sure) for span in found), year=year)
    lead = reader.low(at - 2 if reader.low(at - 1) == "the" else at - 1)
    if reader.low(at) in SEASONS and not bare and lead not in _SEASON_LEADS:
        return None
    return DateMatch(end=end, spans=(yearly(reader.now, of_year).less_sure(THEME),))


def _theme_in_turn(reader: DateReader, at: int, sign: int) -> DateMatch | None:
    end, of_year = _themed(reader, at)
    return None if of_year is None else DateMatch(end=end, spans=(yearly(reader.now, of_year, sign),))


def _themed(reader: DateReader, at: int) -> tuple[int, Callable[[int], Sequence[Span]] | None]:
    """Return a season's or feast's end, and its spans in a year."""
    word = reader.low(at)
    if word in SEASONS:
        return at + 1, lambda year: spans.season(word, year)
    words = [reader.low(at + place) for place in range(3)]
    length = next((size for size in (3, 2, 1) if " ".join(words[:size]) in FEAST_WORDS), 0)
    if not length:
        return at, None
    name = FEAST_WORDS[" ".join(words[:length])]
    return at + length, lambda year: (spans.feast(name, year),)


def yearly(
    now: datetime, of_year: Callable[[int], Sequence[Span]], sign: int | None = None, *, back: int = 2
) -> Span:
    """Return the span of what comes every year: the latest that has begun; with a sign, the last that is over (−1),
    that of this year (0), the next to begin (1). ``back``: for how many years it may not have come.
    """
    every = {span.since: span for year in range(now.year - back, now.year + 3) for span in of_year(year)}
    known = [every[since] for since in sorted(every)]
    if sign == 0:
        return min(known, key=lambda span: abs((span.since - now.replace(month=7, day=1)).days))
    if sign == 1:
        return next(span for span in known if span.since > now)
    return [span for span in known if (span.until if sign else span.since) <= now][-1]


def _in_digits(reader: DateReader, at: int) -> DateMatch | None:
    """Read 2023-05-07, 2023-05, 7.5.2023, 5/7/2023 (both readings)."""
    read = []
    for year, month, day in reader.token(at).dates:
        whole = spans.month(year, month)
        if day <= whole.days:
            read.append(spans.day(whole.since, day - 1) if day else whole)
    if not read:
        return None
    sure = 1.0 if len(read) == 1 else TWO_READINGS
    return DateMatch(end=at + 1, spans=tuple(span.less_sure(sure) for span in read), year=read[0].since.year)


def _day_first(reader: DateReader, at: int, year: int | None) -> DateMatch | None:
    """Read 7 May, the 7th of May, 2023; 3 to 5 May 2023."""
    first = reader.token(at)
    start = first.day or ORDINALS.get(first.low)
    if start is None:
        return None
    end, last = at + 1, start
    if reader.low(end) in _RANGE and reader.token(end + 1).day:
        last, end = reader.token(end + 1).day or start, end + 2
    linked = reader.low(end) == "of"
    end += linked
    month = reader.token(end)
    if month.month is None or not (linked or first.day):
        return None
    dated, said = _year_after(reader, end + 1)
    if month.sure is Sure.WEAK and not (said or linked or first.ordinal or not _wordy(reader, end + 1)):
        return None
    return _days(reader, dated, (month.month, start, last), said, year)


def _month_first(
    reader: DateReader, at: int, *, bare: bool = False, year: int | None = None
) -> DateMatch | None:
    """Read May 7th, 2023; May 3-5; May 2023; in May."""
    month = reader.token(at)
    if month.month is None:
        return None
    at += 1 + (reader.low(at + 1) == "." and len(month.low) <= 4)
    place = at + (reader.low(at) == "the")
    first = reader.token(place)
    start = first.day or (ORDINALS.get(first.low) if place > at else None)
    if start is not None:
        end, last = place + 1, start
        if reader.low(end) in _RANGE and reader.token(end + 1).day and not reader.token(end + 2).month:
            last, end = reader.token(end + 1).day or start, end + 2
        dated, said = _year_after(reader, end)
        if month.sure is not Sure.WEAK or said or first.ordinal or not _wordy(reader, end):
            return _days(reader, dated, (month.month, start, last), said, year)
    dated, said = _year_after(reader, at)
    if said is not None:
        return DateMatch(end=dated, spans=(spans.month(said, month.month),), year=said)
    if not (bare or _led(reader, at - 1, month)):
        return None
    number = month.month
    span = (
        spans.month(year, number) if year else yearly(reader.now, lambda year: (spans.month(year, number),))
    )
    return DateMatch(end=at, spans=(span.less_sure(YEAR_UNSAID),))


def _led(reader: DateReader, at: int, month: DateToken) -> bool:
    """Return whether the word before a month's name says that it is one."""
    lead = reader.low(at - 1)
    if month.sure is Sure.WEAK:
        return lead in _WEAK_LEADS
    return month.sure is Sure.YES or lead in _LEADS or (lead == "the" and month.low in _TAKE_THE)


def _days(
    reader: DateReader, end: int, days: tuple[int, int, int], said: int | None, assumed: int | None
) -> DateMatch | None:
    number, first, last = days
    if first > last or last > spans.month(_LEAP_YEAR, number).days:
        return None  # 31 June

    def of_year(year: int) -> tuple[Span, ...]:
        month = spans.month(year, number)
        if last > month.days:
            return ()  # 29 February
        return (Span(since=month.since + (first - 1) * DAY, until=month.since + last * DAY),)

    if said or assumed:
        found = of_year(said or assumed or 0)
        sure = 1.0 if said else YEAR_UNSAID
        return DateMatch(end=end, spans=(found[0].less_sure(sure),), year=said) if found else None
    if reader.ahead:
        years = range(reader.now.year, reader.now.year + 9)
        span = next(span for year in years for span in of_year(year) if span.until > reader.now)
    else:
        span = yearly(reader.now, of_year, back=8)
    return DateMatch(end=end, spans=(span.less_sure(YEAR_UNSAID),))


def _year_after(reader: DateReader, at: int) -> tuple[int, int | None]:
    """Return a year behind a date, after "of" or a comma; where it ends."""
    place = at + (reader.low(at) in (",", "of", "in"))
    year = reader.token(place).year
    return (at, None) if year is None else (place + 1, year)


def _year_alone(reader: DateReader, at: int, *, bare: bool) -> DateMatch | None:
    year = reader.token(at).year
    if year is None or not (bare or reader.low(at - 1) in _YEAR_LEADS):
        return None
    return DateMatch(end=at + 1, spans=(spans.year(year),), year=year)


def _day_of_month(reader: DateReader, at: int) -> DateMatch | None:
    """Read on the 7th: of the latest month that has it; ahead, of the next one."""
    token = reader.token(at)
    led = reader.low(at - 1) == "the" and reader.low(at - 2) in {"on", *_LEADS}
    if not (token.ordinal and token.day and led) or _wordy(reader, at + 1):
        return None
    step = 1 if reader.ahead else -1
    months = [spans.month(reader.now.year, reader.now.month + step * turn) for turn in range(3)]
    days = [month.since + (token.day - 1) * DAY for month in months if token.day <= month.days]
    day = next(day for day in days if (day + DAY > reader.now if reader.ahead else day <= reader.now))
    return DateMatch(end=at + 1, spans=(spans.day(day).less_sure(YEAR_UNSAID),))


def _wordy(reader: DateReader, at: int) -> bool:
    """Return whether a plain word stands there."""
    return reader.low(at)[:1].isalpha()


POINT_BEGINNINGS = frozenset(
    {*SIGNS, *NEAR_DAYS, *SEASONS, *NUMBERS, *ORDINALS, *FEW, "tonight"}
    | {words.split()[0] for words in FEAST_WORDS}
)
"""What a date may begin with, beside months, weekdays and numbers."""
