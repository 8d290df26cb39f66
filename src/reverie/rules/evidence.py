"""Evidence: whether what a mind claims is carried by the episodes that it names. No mind is trusted.

Lexical and by meaning: each number and name of the claim must stand in its sources, or follow from when and by whom
they were said; its other words must mostly stand there, the fewer the closer the meaning; and it must not deny what
nobody denied. What the thresholds let through and stop is measured in ``docs/why/sleep.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from reverie.rules.dates import moments
from reverie.rules.dedupe import differs
from reverie.rules.dedupe_reading import Reading, Role, read
from reverie.rules.dedupe_words import NEGATIONS, key_of, same
from reverie.rules.facts import Said as Said
from reverie.rules.forgetting import sentences
from reverie.rules.orders import conditions, orders_in, standing_orders
from reverie.rules.terms import STOP_WORDS, words_of
from reverie.rules.when import Window

NUMBER = "it has a number that none of its episodes has"
NAME = "it has a name that none of its episodes has"
WORDS = "its episodes don't say it: too few of its words stand in them"
MEANING = "its episodes don't say it: they are about something else"
DENIAL = "it denies what its episodes say, or the other way round"
TURNED = "it says the other way round what its episodes say"
ORDER = "it orders what none of its episodes says"

FLOOR = 0.2
"""A claim with a lesser cosine to each of its sources is about something else, whatever its words."""
CLOSE = 0.5
"""From this cosine on it may use words of its own, as a paraphrase does."""
SHARE, CLOSE_SHARE = 0.5, 0.34
"""How many of its telling words must stand in the sources, as a rule and where it is close."""
SAID_ANEW = 0.75
"""A sentence with such a share of the claim's telling words is what the claim says."""

_MOST_READ = 50_000  # characters of each source
_MOST_WINDOW = timedelta(days=62)
_MOST_WORDS = 400
_SAME_STATEMENT = 0.7  # so much of a wording stands in what it replaces, and it is that but for a "not"
_TURNED = frozenset({"negation", "order"})  # of what ``dedupe.differs`` says
_BRIEF = 4  # words of a sentence that may be an answer: "No, not really."
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = """january february march april may june july august september october november december""".split()
_TIMES = frozenset([*_DAYS, *_MONTHS, *(month[:3] for month in _MONTHS), "sept"]) - {"may"}
_LOOSE = frozenset({"1x", "1/2", "1"})  # once, half, first: how something is told, not how much
_DENIALS = NEGATIONS - {"non"}
_NUMBER_PARTS = re.compile(r"\d+")
_VERB_NEXT = re.compile(r"\s+(?:is|was|has|had|will|can|does|did|are|were|[a-z]{2,}(?:s|ed))\b")
_ENDED = frozenset(
    map(
        key_of,
        """stop quit end leave switch replace former formerly previous previously change instead rather avoid hate
        dislike allergic allergy refuse reject cancel drop abandon against swap move fail unable lack vegetarian vegan
        sick tired enough done finish ban forbid broke divorce ex anymore sold lost without free""".split(),
    )
)
"""Words that deny without a "not"."""
_GENERIC = frozenset(
    map(
        key_of,
        """user person people someone somebody thing something like love enjoy prefer want use work live have has own
        keep plan intend hope need think believe feel know say tell mention state ask describe discuss share express
        usually often regularly always sometimes mostly typically frequently generally every each daily weekly monthly
        yearly weekday weekdays weekend weekends day days morning mornings afternoon afternoons evening evenings night
        nights week month year time times currently now recently today favourite favorite interest interested hobby
        goal habit routine preference name named call called partner relationship skill project experience good make
        made get go went going do doing done take start started become involve include relate regard toward agent
        member family old age job since around about appreciate value find found consider decide seem become
        able""".split(),
    )
)
"""Words that tell how a thing stands to somebody: a claim may bring them along."""
_LABEL = re.compile(r"'s (?:learning language|(?:morning )?drink|instrument|sport) is ")
"""How a plain sentence calls what its value shows by itself: who has begun Korean learns a language."""
_KIN = {
    key_of(word): frozenset(key_of(other) for other in words.split())
    for words in (
        "mother mum mam mom mummy mama", "father dad daddy papa", "grandmother gran grandma granny nan nana",
        "grandfather grandad grandpa",
    )
    for word in words.split()
}  # fmt: skip
"""What one relative is called in several ways."""


@dataclass(slots=True)
class _Heard:
    """What the sources have between them."""

    words: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)
    days: set[str] = field(default_factory=set)


class Evidence:
    """Some sources, read once for all claims that rest on them.

    ``around``: the words (``words_in``) of what was said beside them and of what was known, from which a claim may take
    who is meant by "she"; ``names``: of those who speak and of the agent.
    """

    def __init__(
        self, said: Sequence[Said], zone: tzinfo, *, around: Set[str] = frozenset(), names: Iterable[str] = ()
    ) -> None:
        self._said = [Said(text=one.text[:_MOST_READ], speaker=one.speaker, time=one.time) for one in said]
        self._heard = _Heard()
        for one in self._said:
            _hear(one, zone, self._heard)
        self._heard.parts.add(len(said))
        others = [*names, *(one.speaker for one in said if one.speaker), "user"]
        self._names = words_in(others)
        self._heard.values.update(value for text in others for value in read(text).numbers)
        self._around = around

    def confirms(self, claim: str, cosine: float) -> bool:
        """Whether the sources say again what is known, perhaps in part: about the same, and they don't deny it."""
        if cosine < FLOOR:
            return False
        telling = self._telling(read(claim))
        share = sum(map(self._is_said, telling)) / len(telling) if telling else 0.0
        return (cosine >= CLOSE or share >= CLOSE_SHARE) and not self._denies(claim, telling)

    def unknown(self, text: str) -> str | None:
        """Why a text that only says what follows from a claim can't rest on the sources: its numbers and names."""
        told = read(text)
        if not all(map(self._is_known_number, told.numbers)):
            return NUMBER
        times = _TIMES | ({"may"} & self._heard.days)  # the month, which is a name too
        named = [token for token in told.tokens if token.role is Role.NAME and token.word not in times]
        return None if all(self._knows(token.word, token.key) for token in named) else NAME

    def orders(self, lesson: str) -> str | None:
        """Why a lesson can't rest on the sources: it would have somebody do what none of them says."""
        for clause in orders_in(lesson):
            telling = self._telling(read(clause))
            if not telling or sum(map(self._is_said, telling)) < SAID_ANEW * len(telling):
                return ORDER
        return None

    def says_whole(self, claim: str) -> bool:
        """Whether one sentence of the sources, no question, has all that the claim tells, and denies as much."""
        telling, denials = self._telling(read(claim)), count_denials(claim)
        return bool(telling) and any(
            count_denials(sentence) == denials and _share(telling, sentence) == 1.0
            for sentence in self._sentences()
            if not _asks(sentence)
        )

    def says_plainly(self, claim: str) -> bool:
        """Whether one sentence of the sources, no question, says what the claim says and denies no more than it."""
        telling, denials = self._telling(read(claim)), count_denials(claim)
        return bool(telling) and any(
            count_denials(sentence) <= denials and _share(telling, sentence) >= SAID_ANEW
            for sentence in self._sentences()
            if not _asks(sentence)
        )

    def gives_order(self, claim: str) -> bool:
        """Whether the sources tell in one sentence that this is to be done from now on: it has all that the claim
        tells and little else, denies as much, and holds on the same conditions.
        """
        telling, denials, held = self._telling(read(claim)), count_denials(claim), conditions(claim)
        for one in self._said if telling else ():
            for sentence in standing_orders(one.text):
                own = self._telling(read(sentence))
                if (
                    count_denials(sentence) == denials
                    and conditions(sentence) == held
                    and _share(telling, sentence) == 1.0
                    and _share(own, claim) >= SAID_ANEW
                ):
                    return True
        return False

    def against(self, claim: str, cosine: float) -> str | None:
        """Why the sources don't carry the claim, or None if they do; ``cosine`` is that to the nearest of them."""
        if cosine < FLOOR:
            return MEANING
        told = read(claim)
        if not all(map(self._is_known_number, told.numbers)):
            return NUMBER
        if not self.knows_names(claim):
            return NAME
        telling = self._telling(read(_LABEL.sub("'s ", claim)))
        if telling:
            share = sum(map(self._is_said, telling)) / len(telling)
            if share < (CLOSE_SHARE if cosine >= CLOSE else SHARE):
                return WORDS
        return DENIAL if self._denies(claim, telling) else None

    def _is_known_number(self, value: str) -> bool:
        heard = self._heard
        if value in heard.values or value in _LOOSE:
            return True
        parts = [int(part) for part in _NUMBER_PARTS.findall(value) if len(part) < 9]
        return bool(parts) and heard.parts.issuperset(parts)

    def knows_names(self, claim: str) -> bool:
        """Whether each name is known, each day or month said, or the one of saying it."""
        days = self._heard.words | self._heard.days
        for token in read(claim).tokens:
            if token.role not in (Role.NAME, Role.OPENING):
                continue
            if token.word in _TIMES or (
                token.word == "may" and "may" in days
            ):  # the month, which is a verb too
                known = token.word in days
            elif token.role is Role.NAME or (token.key not in _GENERIC and _is_subject(claim, token.word)):
                known = self._knows(token.word, token.key)
            else:
                known = True
            if not known:
                return False
        return True

    def _knows(self, word: str, key: str) -> bool:
        return key in self._heard.keys or self._is_heard(word) or all(map(self._is_heard, words_of(word)))

    def _is_heard(self, word: str) -> bool:
        return word in self._heard.words or word in self._names or word in self._around

    def _telling(self, told: Reading) -> list[str]:
        """The keys of the words that say what the claim says, beside who and when."""
        return _telling(told, self._names)

    def _is_said(self, key: str) -> bool:
        keys = self._heard.keys
        if key in _KIN and not keys.isdisjoint(_KIN[key]):
            return True
        return key in keys or (len(keys) < _MOST_WORDS and any(same(key, other) for other in keys))

    def _denies(self, claim: str, telling: list[str]) -> bool:
        """Whether the claim denies where no source does, or says plainly what a source's sentence denies."""
        denies, claimed = _denies(claim), {token.key for token in read(claim).tokens}
        if not denies and (len(telling) < 2 or not claimed.isdisjoint(_ENDED)):
            return False
        denied = spoken = False
        for sentence in self._sentences():
            told = read(sentence)
            keys = {token.key for token in told.tokens}
            if denies:
                near = len(keys) <= _BRIEF or not keys.isdisjoint(telling)
                if near and (_denies(sentence) or not keys.isdisjoint(_ENDED)):
                    return False
            elif sum(key in keys for key in telling) >= SAID_ANEW * len(telling):
                turned = not {key for key in told.negated if key}.isdisjoint(claimed)
                denied, spoken = denied or turned, spoken or not turned
        return denies or (denied and not spoken)

    def _sentences(self) -> Iterator[str]:
        return (sentence for one in self._said for sentence in sentences(one.text))


def _hear(one: Said, zone: tzinfo, heard: _Heard) -> None:
    told = read(one.text)
    words = _words(one.text)
    heard.words.update(words)
    heard.keys.update(token.key for token in told.tokens)
    heard.keys.update(key_of(word) for word in words if word not in STOP_WORDS)
    heard.values.update(told.numbers)
    local = _local(one.time, zone)
    own = {int(part) for value in told.numbers for part in _NUMBER_PARTS.findall(value) if len(part) < 9}
    heard.parts |= own | {local.hour, (local.hour - 1) % 12 + 1, local.minute}
    heard.parts |= {local.year - years for years in own if 0 < years <= 120}  # for seven years
    heard.parts |= {abs(local.year - year) for year in own if 1900 <= year <= 2200}  # since 2019
    for day in (-1, 0, 1):
        _note_day(_shifted(local, day), heard)
    for window in moments(one.text, one.time, zone):
        for moment in _moments_of(window, zone):
            _note_day(moment, heard)


def _note_day(moment: datetime, heard: _Heard) -> None:
    heard.parts |= {moment.year, moment.month, moment.day}
    heard.days |= {_DAYS[moment.weekday()], _MONTHS[moment.month - 1]}
    heard.days |= {_DAYS[moment.weekday()][:3], _MONTHS[moment.month - 1][:3]}


def _moments_of(window: Window, zone: tzinfo) -> Iterator[datetime]:
    """The days of a short span, the first and the last of a long one."""
    since, until = _local(window.since, zone), _local(window.until, zone)
    if until - since > _MOST_WINDOW:
        yield since
        yield _shifted(until, -1)
        return
    while since < until:
        yield since
        since = _shifted(since, 1)
        if since.year in (1, 9999):
            return


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


def turns(claim: str, texts: Iterable[str], names: Set[str]) -> bool:
    """Return whether a sentence of the claim says what sentences of the texts say, but the other way round: denied, or
    with who does what exchanged, as the duplicates' guard sees it. ``names``: words (``words_in``) of those who speak.
    """
    said = [one for text in texts for one in sentences(text[:_MOST_READ]) if not _asks(one)]
    return any(_turns(part, said, names) for part in sentences(claim))


def _turns(part: str, said: Sequence[str], names: Set[str]) -> bool:
    telling = _telling(read(part), names)
    near = [one for one in (said if telling else ()) if _share(telling, one) == 1.0]
    near = [one for one in near if _share(_telling(read(one), names), part) == 1.0]
    return bool(near) and all(differs(one, part) in _TURNED for one in near)


def _telling(told: Reading, names: Set[str]) -> list[str]:
    keys = [
        token.key
        for token in told.tokens[:_MOST_WORDS]
        if token.role in (Role.CONTENT, Role.NAME, Role.OPENING)
        and token.word not in names
        and token.word not in _TIMES
        and token.key not in _GENERIC
    ]
    return list(dict.fromkeys(keys))


def words_in(texts: Iterable[str]) -> set[str]:
    """All words of some texts, as ``Evidence`` compares them."""
    return {word for text in texts for word in _words(text[:_MOST_READ])}


def _words(text: str) -> set[str]:
    """Folded words, without possessives."""
    return {word.rstrip("'").removesuffix("'s") for word in words_of(text)}


def _is_subject(claim: str, word: str) -> bool:
    """Whether the sentence goes on behind that word as it does behind a name: "Anna likes"."""
    found = re.search(rf"\b{re.escape(word)}\b", claim, re.IGNORECASE)
    return bool(found and _VERB_NEXT.match(claim, found.end()))


def _denies(text: str) -> bool:
    return any(map(_is_denial, words_of(text)))


def _is_denial(word: str) -> bool:
    return word.replace("'", "") in _DENIALS or word.endswith("n't")


def count_denials(text: str) -> int:
    """How many of its words deny something."""
    return sum(map(_is_denial, words_of(text)))


def _share(telling: Sequence[str], text: str) -> float:
    """How many of these keys the text has, or says in another word; 1 for none."""
    keys = {token.key for token in read(text).tokens[:_MOST_WORDS]}
    said = sum(key in keys or any(same(key, other) for other in keys) for key in telling)
    return said / len(telling) if telling else 1.0


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"'\u201d)* \n").endswith("?")


def told(text: str) -> str:
    """The text without its questions, which confirm nothing."""
    return "".join(one for one in sentences(text) if not _asks(one)) if "?" in text else text


def denies_less(wording: str, known: str) -> bool:
    """Whether the new wording mostly says what the known one says, but for a "not" that is gone."""
    if count_denials(wording) >= count_denials(known):
        return False
    telling = [one.key for one in read(wording).tokens[:_MOST_WORDS] if one.tells and one.key not in _GENERIC]
    return _share(telling, known) > _SAME_STATEMENT
