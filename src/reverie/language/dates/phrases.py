"""Dates made of dates: "early May", "since March", "the week before 9 June", "two weeks ago"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from reverie.language.dates import spans
from reverie.language.dates.points import PAST, POINT_BEGINNINGS, DateMatch, DateReader, count, simple
from reverie.language.dates.spans import DAY, Span
from reverie.language.dates.words import ORDINALS, UNITS, DateToken, Sure

OPEN_SIDE = 0.5
VAGUE = 0.2
OPEN_DAYS = 90
RECENT_DAYS = 30
_SHORTEST_WHOLE = 27

_PARTS: Mapping[str, int] = MappingProxyType(
    {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
)
_WITH_OF = frozenset({"beginning", "start", "middle", "end"})
VAGUE_WORDS = frozenset({"recently", "lately"})
_BEFORE = frozenset({"before", "preceding"})
_AFTER = frozenset({"after", "following"})
_UP_TO = frozenset({"until", "till", "by"})
_LINKS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"between": frozenset({"and"}), "from": frozenset({"to", "until", "till", "through", "-", "\u2013"})}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """A date phrase: its tokens, and the spans that it may mean. ``vague`` where it only says "lately"."""

    tokens: Sequence[DateToken]
    spans: tuple[Span, ...]
    vague: bool


def phrases(tokens: Sequence[DateToken], now: datetime) -> Iterator[Phrase]:
    """Yield the phrases in order; ``now`` is local and without a zone."""
    reader = DateReader(tokens=tokens, now=now)
    at = 0
    while at < len(tokens):
        found = _first(reader, at) if _may_begin(reader, at) else None
        if found is None:
            at += 1
            continue
        yield Phrase(tokens=tokens[at : found.end], spans=found.spans, vague=found.vague)
        at = found.end


def _may_begin(reader: DateReader, at: int) -> bool:
    """Return whether a rule may fit here: a look at one word, since most words begin nothing."""
    token = reader.token(at)
    if token.low in ("a", "an", "the"):
        token = reader.token(at + 1)
    known = token.number is not None or token.month is not None or token.weekday is not None
    return known or bool(token.dates) or token.low in _BEGINNINGS


def _first(reader: DateReader, at: int) -> DateMatch | None:
    """Return what the first rule reads that fits here. A rule looks at a dozen tokens at most."""
    for rule in (_between, _toward, _beside, _ago, _rolling, _point, _vague):
        try:
            found = rule(reader, at)
        except (OverflowError, ValueError):  # outside the years 1 to 9999
            continue
        if found is not None:
            return found
    return None


def _point(reader: DateReader, at: int, *, bare: bool = False, year: int | None = None) -> DateMatch | None:
    """Return a date or a part of one, after an optional "the"; arguments as of ``simple``."""
    at += reader.low(at) == "the"
    return _part(reader, at) or simple(reader, at, bare=bare, year=year)


def _part(reader: DateReader, at: int) -> DateMatch | None:
    """Read early May, mid-August, the end of 2022, the first half of September, the second week of November."""
    word, next_word = reader.low(at), reader.low(at + 1)
    if word in _PARTS:
        linked = next_word == "of" if word in _WITH_OF else next_word in ("-", "in")
        if word in _WITH_OF and not linked:
            return None
        place = _PARTS[word]
        return _cut(reader, at + 1 + linked, lambda whole: spans.third(whole, place))
    nth = -1 if word == "last" else reader.token(at).number or ORDINALS.get(word)
    if not nth or nth > 5 or reader.low(at + 2) not in ("of", "in"):
        return None
    return _cut(reader, at + 3, lambda whole: _nth(whole, nth, reader.token(at + 1)))


def _cut(reader: DateReader, at: int, piece: Callable[[Span], Span | None]) -> DateMatch | None:
    """Return a piece of the month, season or year that stands at a place."""
    at += reader.low(at) == "the"
    whole = simple(reader, at, bare=True)
    if whole is None or whole.spans[0].days < _SHORTEST_WHOLE:
        return None
    pieces = [piece(span) for span in whole.spans]
    known = tuple(span for span in pieces if span is not None)
    return replace(whole, spans=known) if known else None


def _nth(whole: Span, nth: int, named: DateToken) -> Span | None:
    """Return the first half, second week, last Friday, third weekend, last day of a span; nth −1 is the last."""
    if named.low == "half":
        return spans.half(whole, min(nth, 2) - 1 if nth > 0 else 1)
    if named.low in ("day", "week"):
        width = 7 if named.low == "week" else 1
        since = whole.until - width * DAY if nth < 0 else whole.since + (nth - 1) * width * DAY
        return replace(whole, since=since, until=since + width * DAY)
    weekend = named.low == "weekend"
    number = 5 if weekend else named.weekday
    if number is None or named.sure is not Sure.YES:
        return None
    if nth < 0:
        since = spans.weekday_before(whole.until, number).since
    else:
        since = spans.weekday_before(whole.since + 7 * nth * DAY, number).since
    return replace(whole, since=since, until=since + (2 if weekend else 1) * DAY)


def _between(reader: DateReader, at: int) -> DateMatch | None:
    """Read between A and B; from A to B."""
    links = _LINKS.get(reader.low(at))
    if links is None:
        return None
    first = _point(reader, at + 1, bare=True)
    if first is None or reader.low(first.end) not in links:
        return None
    second = _point(reader, first.end + 1, bare=True)
    if second is None:
        return None
    if second.year is not None and first.year is None:
        first = _point(reader, at + 1, bare=True, year=second.year) or first
    start, end = first.spans[0], second.spans[-1]
    since = start.since
    if since > end.since and first.year is None:  # from Friday to Monday, between December and February
        since = spans.moved(since, "week" if since - end.since < 7 * DAY else "year", -1)
    if since >= end.until:
        return None
    sure = min(start.certainty, end.certainty)
    return replace(second, spans=(Span(since=since, until=end.until, certainty=sure),))


def _toward(reader: DateReader, at: int) -> DateMatch | None:
    """Read since A, before A, after A, by A. What is open is bounded at OPEN_DAYS, and less sure."""
    word = reader.low(at)
    prior = (word, reader.low(at + 1)) == ("prior", "to")
    if not prior and word != "since" and word not in _BEFORE | _AFTER | _UP_TO:
        return None
    point = _point(reader, at + 1 + prior)
    if point is None:
        return None
    span = point.spans[-1]
    if word == "since":
        return replace(point, spans=(replace(span, until=max(reader.now, span.until)),))
    if word in _AFTER:
        around = Span(since=span.until, until=span.until + OPEN_DAYS * DAY)
    else:
        end = span.until if word in _UP_TO else span.since
        around = Span(since=end - OPEN_DAYS * DAY, until=end)
    return replace(point, spans=(around.less_sure(OPEN_SIDE * span.certainty),))


def _beside(reader: DateReader, at: int) -> DateMatch | None:
    """Read the week before A, two weeks after A, the Sunday before A, last weekend before A, the weekend of A."""
    at += reader.low(at) == "the"
    amount = count(reader, at)
    named_at = amount[0] if amount else at + (reader.low(at) in PAST)
    named, link = reader.token(named_at), reader.low(named_at + 1)
    if link not in _BEFORE | _AFTER | {"of"} or not (named.weekday is not None or named.low in _NAMED):
        return None
    point = _point(reader, named_at + 2, bare=True)
    if point is None:
        return None
    anchor = point.spans[-1]
    sign = -1 if link in _BEFORE else 1
    if link == "of":
        about = _around(anchor, named.low)
    elif amount and named.low in UNITS:
        low, high = sorted((sign * amount[1], sign * amount[2]))
        about = spans.beside(anchor, UNITS[named.low], low, high)
    else:
        about = _next_to(anchor, named, sign)
    return None if about is None else replace(point, spans=(about.less_sure(anchor.certainty),))


_NAMED = frozenset({*UNITS, "weekend", "night"})


def _next_to(anchor: Span, named: DateToken, sign: int) -> Span | None:
    """Return the unit that touches the anchor ("the week before" is its seven days before), or the nearest such day."""
    unit = "day" if named.low == "night" else UNITS.get(named.low)
    if unit is not None and sign < 0:
        return Span(since=spans.moved(anchor.since, unit, -1), until=anchor.since)
    if unit is not None:
        return Span(since=anchor.until, until=spans.moved(anchor.until, unit, 1))
    if named.sure is not Sure.YES:
        return None
    first, width = (5, 2) if named.weekday is None else (named.weekday, 1)
    turn = anchor.since - (width - 1) * DAY if sign < 0 else anchor.until + 7 * DAY
    since = spans.weekday_before(turn, first).since
    return Span(since=since, until=since + width * DAY)


def _around(anchor: Span, word: str) -> Span | None:
    """Return the week, weekend, day or night of a date."""
    if anchor.days > 7:
        return None
    if word == "week":
        return spans.week(anchor.since)
    if word == "weekend":
        return spans.weekend(anchor.since)
    return anchor if word in ("day", "night") else None


def _ago(reader: DateReader, at: int) -> DateMatch | None:
    """Read two days ago, a week ago, a few months ago."""
    amount = count(reader, at)
    unit = UNITS.get(reader.low(amount[0])) if amount else None
    if amount is None or unit is None or reader.low(amount[0] + 1) not in ("ago", "back"):
        return None
    anchor = Span(since=reader.now, until=reader.now) if unit in _SHORT else spans.day(reader.now)
    return DateMatch(end=amount[0] + 2, spans=(spans.beside(anchor, unit, -amount[2], -amount[1]),))


_SHORT = frozenset({"minute", "hour"})


def _rolling(reader: DateReader, at: int) -> DateMatch | None:
    """Read the last two weeks, the past month, the last few days: up to now."""
    the = reader.low(at) == "the"
    at += the
    if reader.low(at) not in PAST:
        return None
    amount = count(reader, at + 1)
    if amount is None and not the and reader.low(at) != "past":
        return None
    end, _, most = amount or (at + 1, 1, 1)
    unit = UNITS.get(reader.low(end))
    if unit is None or (amount is None and unit == "day") or reader.low(end + 1) == "of":
        return None
    since = spans.moved(reader.now, unit, -most)
    until = reader.now if unit in _SHORT else spans.day(reader.now).until
    return DateMatch(
        end=end + 1, spans=(Span(since=since if unit in _SHORT else spans.midnight(since), until=until),)
    )


def _vague(reader: DateReader, at: int) -> DateMatch | None:
    """Read recently, lately, these days, the other day."""
    pair = (reader.low(at), reader.low(at + 1))
    if pair == ("other", "day") and reader.low(at - 1) == "the":
        return DateMatch(end=at + 2, spans=(_recent(reader.now, 7),), vague=True)
    if pair[0] in VAGUE_WORDS or pair == ("these", "days"):
        return DateMatch(
            end=at + 1 + (pair[0] == "these"), spans=(_recent(reader.now, RECENT_DAYS),), vague=True
        )
    return None


def _recent(now: datetime, days: int) -> Span:
    return Span(since=spans.day(now, -days).since, until=spans.day(now).until, certainty=VAGUE)


_BEGINNINGS = frozenset(
    {*POINT_BEGINNINGS, *_PARTS, *_LINKS, *VAGUE_WORDS, *_BEFORE, *_AFTER, *_UP_TO, *_NAMED}
    | {"since", "prior", "these", "other"}
)
