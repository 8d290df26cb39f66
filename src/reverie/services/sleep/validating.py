"""Check what a mind proposes for a night, each change by itself; a wrong one is refused alone.

This is what can be told without embedding anything: values, ids, texts. ``services.sleep.supporting`` goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from reverie.domain.change import (
    NEW,
    Change,
    Connect,
    Contradict,
    Fade,
    Learn,
    Misshapen,
    Reinforce,
    Retire,
    Revise,
)
from reverie.domain.emotion import Emotions, checked_emotions
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.kinds import checked_kind
from reverie.domain.memory import MAX_ESSENCE_BYTES, MAX_LESSON_BYTES, MERGED
from reverie.domain.message import checked_labels
from reverie.domain.settings import Settings
from reverie.domain.sleep import Rejected
from reverie.domain.text import checked_share, checked_switch, checked_text, normalized
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.language import visible
from reverie.memory.change import LEAST_CONFIDENCE, faded, kept_for
from reverie.memory.privacy import is_account
from reverie.memory.quoting import forged_blocks
from reverie.services.runtime import clean
from reverie.services.sleep.checks import Refused, Validated, ValidChange, act_of, refusal
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.sourcing import Sourcing, quoted_from

MOST_LEARNED = 8
"""Learns that one episode carries."""
MOST_RELATION = 100
"""Characters of an edge's relation."""

_AHEAD = timedelta(days=3_653)
_MOST_CHANGES = 10  # for each episode, and
_MOST_ANYHOW = 100  # … in any case
_Checked = TypeVar("_Checked")


def validated(
    changes: Sequence[object], gathered: Gathered, sourcing: Sourcing, settings: Settings, *,
    skip: Collection[int] = (),
) -> Validated:  # fmt: skip
    """Return each change that holds, or why it doesn't. Nothing that a mind proposes raises here. ``skip``: places of
    those that were refused before; they are only counted.
    """
    most = _MOST_ANYHOW + _MOST_CHANGES * len(gathered.spoken)
    judge, checks, number = _Validator(gathered, sourcing, settings), Validated(), 0
    for place, change in enumerate(changes[:most]):
        try:
            if place not in skip:
                checks.valid.append(judge.valid(change, place, number))
        except Refused as refused:
            checks.rejected[place] = refusal(settings, change, refused.why, silent=refused.silent)
        number += isinstance(change, Learn)
    if len(changes) > most:
        why = f"{len(changes) - most} more changes than {most}: they were not looked at"
        checks.rejected[most] = Rejected(act=act_of(changes[most]), reason=why)
    return checks


class _Validator:
    """Knows the night that the changes are about, and what was proposed before."""

    def __init__(self, gathered: Gathered, sourcing: Sourcing, settings: Settings) -> None:
        self._gathered, self._settings = gathered, settings
        self._learned: Counter[str] = Counter()
        self._once: set[object] = set()
        self._numbers: set[int] = set()
        self._sourcing = sourcing

    def valid(self, change: object, place: int, number: int) -> ValidChange:
        """Return the change with what it rests on. Raise Refused."""
        match change:
            case Learn():
                return self._learn(change, place, number)
            case Reinforce():
                self._touchable(change.memory_id)
                made = Reinforce(memory_id=change.memory_id, reason=self._reason(change.reason))
                return self._resting("reinforce", made, place, change.sources)
            case Revise():
                return self._revise(change, place)
            case Retire():
                self._touchable(change.memory_id)
                gone = Retire(memory_id=change.memory_id, reason=self._reason(change.reason))
                return self._resting("retire", gone, place, change.sources)
            case Contradict():
                return self._contradict(change, place)
            case Fade():
                return self._fade(change, place)
            case Connect():
                return self._connect(change, place)
            case Misshapen(why=why):
                raise Refused(why if type(why) is str else "it is no change")
        raise Refused("it is no change")

    def _learn(self, change: Learn, place: int, number: int) -> ValidChange:
        sources = self._sources(change.sources)
        if not sources:
            raise Refused("it names no episode as its source")
        if all(one.id not in self._gathered.spoken for one in sources):
            raise Refused("it rests on what was slept on before alone")
        made = Learn(
            essence=(essence := self._essence(change.essence)),
            quoted=quoted_from(change.quoted, essence, sources),
            kind=_held(checked_kind, change.kind, "kind"),
            sources=tuple(one.id for one in sources),
            stated=_held(checked_switch, change.stated, "stated"),
            confidence=_optional(checked_share, change.confidence, "confidence"),
            importance=_optional(checked_share, change.importance, "importance"),
            lesson=self._lesson(change.lesson),
            emotions=None if change.emotions is None else _held_emotions(change.emotions),
            topics=self._labels(change.topics, "topics"),
            entities=self._labels(change.entities, "entities"),
            tags=self._labels(change.tags, "tags"),
            since=self._since(change.since, sources, ahead=True),
        )
        self._not_twice(("learn", made.essence.casefold()))
        if all(self._learned[one.id] >= MOST_LEARNED for one in sources):
            raise Refused(f"its episodes carry {MOST_LEARNED} new memories each already")
        self._learned.update(one.id for one in sources)
        self._numbers.add(number)
        return self._made(made, place, sources, number=number)

    def _revise(self, change: Revise, place: int) -> ValidChange:
        self._touchable(change.memory_id)
        known = self._gathered.shown[change.memory_id]
        made = Revise(
            memory_id=change.memory_id, essence=self._essence(change.essence), reason=self._reason(change.reason),
            stated=_held(checked_switch, change.stated, "stated"), lesson=self._lesson(change.lesson),
            since=self._since(change.since, self._sources(change.sources)),
            importance=_optional(checked_share, change.importance, "importance"),
            confidence=_optional(checked_share, change.confidence, "confidence"),
            kind=_optional(checked_kind, change.kind, "kind"),
        )  # fmt: skip
        same = (
            (None, known.lesson),
            (None, known.importance),
            (None, known.kind),
            (None,),
            (None, known.valid_from),
        )
        values = (made.lesson, made.importance, made.kind, made.confidence, made.since)
        if made.essence == known.essence and all(map(_is_in, values, same)):
            raise Refused("it changes nothing")
        return self._resting("revise", made, place, change.sources)

    def _resting(
        self, what: str, made: Reinforce | Revise | Retire | Fade, place: int, named: object
    ) -> ValidChange:
        """Return a change to one memory, which rests on episodes of this night."""
        sources = self._sources(named)
        if all(one.id not in self._gathered.spoken for one in sources):
            raise Refused("it names no episode of this night as its source")
        self._not_twice((what, made.memory_id))
        return self._made(made, place, sources)

    def _contradict(self, change: Contradict, place: int) -> ValidChange:
        one, other = self._end(change.memory_id), self._end(change.contradicted_by)
        if one == other:
            raise Refused("a memory doesn't contradict itself")
        for end in (one, other):
            if not end.startswith(NEW):
                self._touchable(end)
        sources = self._sources(change.sources)
        made = Contradict(memory_id=one, contradicted_by=other, resolution=self._reason(change.resolution))
        self._not_twice(("contradict", frozenset((one, other))))
        return self._made(made, place, sources)

    def _fade(self, change: Fade, place: int) -> ValidChange:
        self._touchable(change.memory_id)
        known, now = self._gathered.shown[change.memory_id], self._gathered.night.now
        confidence = _held(checked_share, change.confidence, "confidence")
        if faded(known, confidence, now) is None:
            raise Refused("it doesn't lower the confidence that is left")
        why = kept_for(known, proven=False, achieved=False)
        if confidence < LEAST_CONFIDENCE and why is not None:
            raise Refused(f"what is kept ({why}) doesn't become inactive")
        made = Fade(memory_id=known.id, confidence=confidence, reason=self._reason(change.reason))
        return self._resting("fade", made, place, change.sources)

    def _connect(self, change: Connect, place: int) -> ValidChange:
        one, other = self._end(change.memory_a), self._end(change.memory_b)
        if one == other:
            raise Refused("a memory isn't connected with itself")
        relation = _held(checked_name, change.relation, "relation")
        if len(relation) > MOST_RELATION:
            raise Refused(f"its relation is longer than {MOST_RELATION} characters")
        if relation == MERGED or not self._is_clean(relation):
            raise Refused("its relation can't be used")
        self._not_twice(("connect", relation, frozenset((one, other))))
        return self._made(Connect(memory_a=one, memory_b=other, relation=relation), place)

    def _made(
        self, change: Change, place: int, sources: Sequence[Episode] = (), *, number: int = -1
    ) -> ValidChange:
        at = min(
            max((one.time for one in sources), default=self._gathered.night.now), self._gathered.night.now
        )
        return ValidChange(change=change, place=place, number=number, sources=tuple(sources), at=at)

    def _not_twice(self, what: object) -> None:
        if what in self._once:
            raise Refused("it was proposed twice")
        self._once.add(what)

    def _touchable(self, id: object) -> str:
        """Return the id of a memory that the mind was shown and may change."""
        if type(id) is not str or id not in self._gathered.shown:
            raise Refused("it names a memory that wasn't shown")
        if id in self._gathered.procedures:
            raise Refused("it names a procedure, which only its steps change")
        return id

    def _end(self, id: object) -> str:
        """Return a shown memory, or a Learn that holds."""
        if type(id) is str and id.startswith(NEW):
            number = id.removeprefix(NEW)
            if number.isascii() and number.isdigit() and len(number) < 7 and int(number) in self._numbers:
                return f"{NEW}{int(number)}"
            raise Refused("it names a new memory that isn't proposed, or was refused")
        if type(id) is not str or id not in self._gathered.shown:
            raise Refused("it names a memory that wasn't shown")
        return id

    def _sources(self, ids: object) -> tuple[Episode, ...]:
        found = self._sourcing.named(ids)
        if isinstance(found, str):
            raise Refused(found)
        return found

    def _essence(self, text: object) -> str:
        essence = self._cleaned(text, "essence", MAX_ESSENCE_BYTES)
        if is_account(essence):
            raise Refused("the number of a card or an account is no fact to learn", silent=True)
        return essence

    def _lesson(self, text: object) -> str | None:
        return None if text is None else self._cleaned(text, "lesson", MAX_LESSON_BYTES)

    def _reason(self, text: object) -> str:
        """Return what the mind says of it; may be empty."""
        if type(text) is not str:
            raise Refused("its reason is no text")
        return self._cleaned(text, "reason", MAX_LESSON_BYTES) if text.strip() else ""

    def _cleaned(self, text: object, name: str, most: int) -> str:
        """Return the text without secrets. Raise Refused for one that is no line or so of plain text."""
        if type(text) is not str:
            raise Refused(f"its {name} is no text")
        try:
            plain = checked_text(text, name, most_bytes=most)
        except InvalidInput as error:
            raise Refused(f"its {name} can't be used: {error.problem}") from None
        if plain != text.replace("\r\n", "\n").replace("\r", "\n"):
            raise Refused(f"its {name} holds control characters")
        plain = visible(plain)
        if forged_blocks(plain):
            raise Refused(f"its {name} holds marks of what Reverie puts into prompts")
        without = clean(self._settings, plain).text.strip()
        if not without:
            raise Refused(f"nothing is left of its {name} without secrets and private parts")
        return without

    def _labels(self, values: object, name: str) -> tuple[str, ...]:
        labels = _held(checked_labels, values, name) if type(values) in (tuple, list) else None
        if labels is None:
            raise Refused(f"its {name} are no list")
        return tuple(label for label in labels if self._is_clean(label))

    def _is_clean(self, text: str) -> bool:
        return clean(self._settings, text).text == text and normalized(text) == text

    def _since(self, value: object, sources: Sequence[Episode], *, ahead: bool = False) -> datetime | None:
        """Return since when it holds; not before it was said, where a clock ahead says that this is still to come.
        ``ahead``: it may hold from a time on that is to come, within ten years.
        """
        if value is None:
            return None
        if not isinstance(value, datetime):
            raise Refused("the time since when it holds is none")
        try:
            since = to_utc(value, zone=self._gathered.zone, field="since")
        except InvalidInput as error:
            raise Refused(f"the time since when it holds can't be used: {error.problem}") from None
        now = self._gathered.night.now
        if since > now and all(one.time < since for one in sources):
            if ahead and since < now + _AHEAD:
                return since
            raise Refused(
                "it holds from a time on that is still to come: propose it as new, in place of this one"
            )
        return min(since, now)


def _held(check: Callable[[object, str], _Checked], value: object, name: str) -> _Checked:
    """Return what a check of the domain makes of a value. Raise Refused."""
    try:
        return check(value, name)
    except InvalidInput as error:
        raise Refused(
            f"its {name} can't be used; {error.remedy}"
        ) from None  # what the problem says may quote it


def _is_in(value: object, values: tuple[object, ...]) -> bool:
    return value in values


def _optional(check: Callable[[object, str], _Checked], value: object, name: str) -> _Checked | None:
    return None if value is None else _held(check, value, name)


def _held_emotions(value: object) -> Emotions:
    if type(value) not in (tuple, list):
        raise Refused("its emotions are no list")
    return _held(lambda given, _: checked_emotions(given), value, "emotions")
