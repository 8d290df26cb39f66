"""Facts: whether the numbers, names and dates of a text stand in what it rests on, and what else makes it doubtful.

Numbers are compared as values, in any script and however a country writes them. Names and wording are compared only
where English is spoken: elsewhere names are translated, inflected, or spelled like any noun. A number
or name from nowhere is a fault; all else is a doubt, since what a sentence means is the mind's to judge. What this lets
through and stops: ``docs/why/sleep.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

from reverie.domain.memory import Memory
from reverie.language import STOP_WORDS, query_terms, terms, words_of
from reverie.language.dates import moments
from reverie.memory.change.numbers import ROUND_PARTS, numbers_in, numbers_told
from reverie.memory.dedupe import WordRole, read_text, texts_differ, word_key
from reverie.memory.forgetting import sentences
from reverie.memory.privacy import has_account
from reverie.memory.quoting import forged_blocks

NUMBER = "it has a number that none of its sources has, and that doesn't follow from their dates"
NAME = "it has a name that nobody mentioned"
DATE = "it has a date or small number that its sources don't tell"
ELSEWHERE = "its sources seem to be about something else"
DENIAL = "it seems to deny what its sources say, or the other way round"

SMALL = 31
"""A number up to this may be said in words, or be a day that somebody reckoned."""
LEAST_COSINE = 0.2
"""A text with a lesser cosine to each of its sources is about something else, whatever its words."""
CLOSE_COSINE = 0.5
"""From this cosine on it may use words of its own, as a paraphrase does."""
SHARED = 0.34
"""How many of its telling words must stand in the sources where it isn't close."""
SAID_ANEW = 0.75
"""A sentence with such a share of a text's telling words says the same, or the opposite."""
ENGLISH = 0.25
"""From this share of English stop words among its words on a text is English; a conversation has some 40 %, in
other languages at most an eighth."""

_FEW = 8  # words that tell nothing of their language
_MOST_READ = 50_000  # characters of each source
_MOST_WINDOW = timedelta(days=62)
_VERB_NEXT = re.compile(r"\s+(?:is|was|has|had|will|can|does|did|are|were|[a-z]{2,20}(?:s|ed))\b")
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "january february march april may june july august september october november december".split()
_MONTHS_BY_NAME = {month[:3]: number for number, month in enumerate(_MONTHS, 1)}
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{'|'.join(_MONTHS)})\b"
    r"(?:\s+(?P<later>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<year>\d{4}))?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_REACH = timedelta(days=62)  # from when something is said to the days that it tells of without their month
_TIMES = frozenset([*_DAYS, *_MONTHS, *(month[:3] for month in _MONTHS)])
_STEM = 4  # letters that an inflected name keeps


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One source: its text, who said it, and when."""

    text: str
    speaker: str | None
    time: datetime


@dataclass(slots=True)
class _Heard:
    """``told``: the numbers of the texts; ``numbers``: these, and those of the days that they tell of."""

    told: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    times: list[datetime] = field(default_factory=list)
    years: set[int] = field(default_factory=set)


class Facts:
    """Some sources, read once for all texts that rest on them.

    ``around``: names that stand beside them (``names_in``), in what was said before and what is known; ``names``: of
    those who speak, and of the agent; ``english``: whether English is spoken (None: as the sources are read).
    ``dated``: days and months must be told, where else they may be reckoned.
    """

    def __init__(
        self, said: Sequence[Said], zone: tzinfo, *, around: Set[str] = frozenset(), names: Iterable[str] = (),
        english: bool | None = None, dated: bool = False,
    ) -> None:  # fmt: skip
        self._said = [one.text[:_MOST_READ] for one in said]
        self._heard = _Heard()
        for one in said:
            _hear(one, zone, self._heard)
        names = [*names, *(one.speaker for one in said if one.speaker)]
        self._heard.names = names_in((*self._said, *names))
        self._around, self._dated = around, dated
        self._speakers = {word for text in names for word in words_of(text)}
        self._english = is_english(" ".join(self._said)) if english is None else english

    def missing(self, text: str) -> str | None:
        """Return why the text can't rest on the sources: a number or a name that comes from nowhere; None where it
        can.
        """
        if any(self._numbered(number) is None for number in self._claimed(text)):
            return NUMBER
        return None if self._knows_names(text) else NAME

    def tells(self, text: str, cosine: float) -> bool:
        """Return whether the sources may carry a text by themselves: each number and name of it, small ones too, and as
        far as can be told its subject. ``cosine``: to the nearest of them.
        """
        dated, rest = self._dates(text)
        known = dated and all(map(self._is_told, self._claimed(rest)))
        return known and self._knows_names(text) and not (self._english and self._is_elsewhere(text, cosine))

    def doubts(self, text: str, cosine: float, *, rewords: bool = False) -> tuple[str, ...]:
        """Return what makes it doubtful that the sources say it; nothing where they aren't English. ``cosine``: to the
        nearest of them; ``rewords``: it takes another's place, and may deny what that said.
        """
        if not self._english:
            return ()
        found = []
        dated, rest = self._dates(text)
        if not dated or not all(map(self._is_told, self._claimed(rest))):
            found.append(DATE)
        if self._is_elsewhere(text, cosine):
            found.append(ELSEWHERE)
        if not self._knows_subject(text):
            found.append(NAME)
        if self._turns(text) or (not rewords and self._denies_alone(text)):
            found.append(DENIAL)
        return tuple(found)

    def _claimed(self, text: str) -> Iterator[str]:
        """Yield the numbers of a text; where English is spoken, those in words too, but for 1 to 3: they order."""
        yield from numbers_in(text)
        if self._english:
            yield from (
                one for one in read_text(text).numbers if one.isdigit() and (len(one) > 1 or one > "3")
            )

    def _is_told(self, number: str) -> bool:
        """Return whether a number that is no part of a date was said or follows from a year."""
        is_day = len(number) <= len("31") and number not in self._heard.told
        return not is_day and self._numbered(number) is True

    def _numbered(self, number: str) -> bool | None:
        """Return whether a number was said or follows from a date; None where it comes from nowhere."""
        heard = self._heard
        if number in heard.numbers:
            return True
        whole, _, part = number.partition(".")
        if part:  # also how some countries write a time
            if whole != "0" and {whole, part.lstrip("0") or "0"} <= heard.told:
                return True
            return False if part in ROUND_PARTS and 0 < int(whole[:9]) <= 24 else None
        value = int(number) if len(number) < 9 else -1
        if value in heard.years:
            return True
        if 1900 <= value <= 2100 and any(str(abs(year - value)) in heard.told for year in heard.years):
            return True
        if number.endswith("000") and number[:-3] in heard.told:
            return False  # "42 ezer", in whatever language
        return False if 0 <= value <= SMALL else None

    def _knows_names(self, text: str) -> bool:
        if not self._english:
            return True
        named = (
            one for one in read_text(text).tokens
            if one.role is WordRole.NAME and one.word not in _TIMES and len(one.word) > 1  # "Q3", "3G"
        )  # fmt: skip
        return all(self._knows(one.word, one.key) for one in named)

    def _knows_subject(self, text: str) -> bool:
        """Return whether what a sentence begins with and says something of was mentioned: a name, or any other word."""
        opening = [
            one.word
            for one in read_text(text).tokens
            if one.role is WordRole.OPENING and one.word not in _TIMES
        ]
        subjects = (word for word in opening if _is_subject(text, word))
        return all(self._knows(word, word_key(word)) for word in subjects)

    def _knows(self, word: str, key: str) -> bool:
        forms = {word, key, word[:_STEM]}
        return not (self._heard.names.isdisjoint(forms) and self._around.isdisjoint(forms))

    def _dates(self, text: str) -> tuple[bool, str]:
        """Return whether each day of the calendar that is written out in English lies near to when something was said,
        or was told; and the text without these.
        """
        named = (
            one.word
            for one in read_text(text).tokens
            if one.role is not WordRole.CONTENT and one.word in _TIMES
        )
        near = not self._dated or all(word[:3] in self._heard.days for word in named)
        for found in _DATE.finditer(text):
            if not (found["day"] or found["later"]):
                continue
            day, month = found["day"] or found["later"], _MONTHS_BY_NAME[found["month"][:3].lower()]
            years = [int(found["year"])] if found["year"] else sorted(self._heard.years)
            near = near and any(self._is_near(year, month, int(day)) for year in years)
        return near, _ISO.sub(" ", _DATE.sub(" ", text))

    def _is_near(self, year: int, month: int, day: int) -> bool:
        if str(day) in self._heard.told and {str(month), _MONTHS[month - 1][:3]} & (
            self._heard.told | self._heard.days
        ):
            return True
        if self._dated:
            return False
        try:
            moment = datetime(year, month, day, 12, tzinfo=UTC)
        except ValueError:
            return False
        return any(abs(moment - said) <= _REACH for said in self._heard.times)

    def _denies_alone(self, text: str) -> bool:
        return _denies(text) and not any(map(_denies, self._said))

    def _told(self, text: str) -> Set[str]:
        return set(query_terms(text, without=self._speakers))

    def _is_elsewhere(self, text: str, cosine: float) -> bool:
        told = self._told(text)
        share = len(told & {term for one in self._said for term in terms(one)}) / max(len(told), 1)
        return cosine < LEAST_COSINE or (cosine < CLOSE_COSINE and share < SHARED)

    def _turns(self, text: str) -> bool:
        """Return whether all sentences that say as much say it the other way round."""
        told = self._told(text)
        near = [part for one in self._said for part in sentences(one) if _says(part, told)]
        return bool(near) and all(turned(part, text) for part in near)


def names_in(texts: Iterable[str]) -> set[str]:
    """Return the words of texts, and what inflected forms of them begin with, for names to be found among."""
    words = {word for text in texts for word in words_of(text[:_MOST_READ])}
    return words | {word_key(word) for word in words} | {word[:_STEM] for word in words if len(word) >= _STEM}


def is_english(text: str) -> bool:
    """Return whether enough of a text's words are English stop words ("a" is Hungarian, too); of few words, whether
    nothing speaks against it.
    """
    words = [word for word in words_of(text[:_MOST_READ]) if len(word) > 1 and not word.isdigit()]
    if len(words) < _FEW:
        return text.isascii()
    return sum(word in STOP_WORDS for word in words) >= ENGLISH * len(words)


def _is_subject(text: str, word: str) -> bool:
    return any(
        _VERB_NEXT.match(text, found.end()) for found in re.finditer(rf"(?i)\b{re.escape(word)}\b", text)
    )


def _says(sentence: str, told: Set[str]) -> bool:
    return bool(told) and len(told & set(terms(sentence))) >= SAID_ANEW * len(told)


def turned(one: str, other: str) -> bool:
    """Return whether one denies what the other says, or exchanges who does it to whom."""
    here, there = read_text(one), read_text(other)
    keys, others = ({token.key for token in reading.tokens} for reading in (here, there))
    denied = {key for key in here.negated if key in others} ^ {key for key in there.negated if key in keys}
    return bool(denied) or texts_differ(one, other) == "order"


def _denies(text: str) -> bool:
    return any(one.role is WordRole.NEGATION for one in read_text(text).tokens)


def _hear(one: Said, zone: tzinfo, heard: _Heard) -> None:
    text = one.text[:_MOST_READ]
    heard.told.update(numbers_in(text))
    heard.told.update(numbers_told(text))
    heard.numbers |= heard.told
    heard.days |= {word[:3] for word in words_of(text) if word in _TIMES}
    local = _local(one.time, zone)
    heard.times.append(one.time)
    heard.numbers |= {str(part) for part in (local.hour, (local.hour - 1) % 12 + 1, local.minute)}
    for day in (-1, 0, 1):
        _note(_shifted(local, day), heard)
    heard.years |= {local.year - 1, local.year, local.year + 1}
    heard.years |= {int(number) for number in heard.told if len(number) == 4 and number[:2] in ("19", "20")}
    for window in moments(text, one.time, zone):
        since, until = _local(window.since, zone), _local(window.until, zone)
        if until - since > _MOST_WINDOW:
            days = [since, _shifted(until, -1)]
        else:
            days = [_shifted(since, day) for day in range(max((until - since).days, 1))]
        for moment in days:
            _note(moment, heard)


def _note(moment: datetime, heard: _Heard) -> None:
    heard.numbers |= {str(moment.year), str(moment.month), str(moment.day)}
    heard.years.add(moment.year)
    heard.days |= {_DAYS[moment.weekday()][:3], _MONTHS[moment.month - 1][:3]}


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # at the ends of the calendar some zones have no date
        return moment


def _shifted(moment: datetime, days: int) -> datetime:
    try:
        return moment + timedelta(days=days)
    except OverflowError:
        return moment


def carried(
    texts: Sequence[str], said: Sequence[Said], zone: tzinfo, names: Iterable[str], *, closely: bool = False
) -> list[str]:
    """Return those of the texts that what was said carries, in their order.

    Left out is what has a number or a name from nowhere, holds a marker of what Reverie puts into prompts, or the
    number of an account; with ``closely`` also what has too few words of what was said. ``names`` are known, too.
    """
    facts, left_out = Facts(said, zone, names=names), {NAME, ELSEWHERE} if closely else {NAME}
    return [
        text
        for text in texts
        if not forged_blocks(text)
        and not has_account(text)
        and facts.missing(text) is None
        and not left_out.intersection(facts.doubts(text, LEAST_COSINE))
    ]


def said_in(memory: Memory) -> Said:
    """Return what a memory says, with its lesson: of a quotation with who said it, in answer to what, and when, else at
    the time from which it holds.
    """
    text = f"{memory.essence}\n{memory.lesson}" if memory.lesson else memory.essence
    said = memory.quoted
    if said is None:
        return Said(text=text, speaker=None, time=memory.valid_from or memory.created_at)
    beside = (said.answers, *(day for _, day in said.dates))
    return Said(text="\n".join((text, *filter(None, beside))), speaker=said.speaker, time=said.at)
