"""Hold the proposed changes of a night that were checked, and the reasons of those that were refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

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
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.memory import MAX_ESSENCE_BYTES
from reverie.domain.settings import Settings
from reverie.domain.sleep import Act, Rejected
from reverie.domain.text import normalized
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.services.runtime import clean

_MOST_TEXT = 1_000  # characters of a refused text that are kept
_ACTS: Mapping[type[object], Act] = {
    Learn: Act.LEARN,
    Reinforce: Act.REINFORCE,
    Revise: Act.REVISE,
    Retire: Act.RETIRE,
    Contradict: Act.CONTRADICT,
    Fade: Act.FADE,
    Connect: Act.CONNECT,
}
_TEXTS = ("essence", "resolution", "reason", "relation")
_TARGETS = ("memory_id", "memory_a")


class Refused(Exception):
    """Why a change is refused; no contents. ``silent``: its text doesn't enter the report."""

    def __init__(self, why: str, *, silent: bool = False) -> None:
        self.why = why
        self.silent = silent
        super().__init__(why)


@dataclass(frozen=True, kw_only=True, slots=True)
class ValidChange:
    """A change whose values hold, its texts cleaned. ``place`` is that among all that was proposed, ``number`` a
    Learn's among the Learns; ``sources`` are in order of time, ``at`` when the latest was said. ``trust`` of its text
    and ``doubts`` of its wording are found by ``services.sleep.supporting``.
    """

    change: Change
    place: int
    number: int = -1
    sources: tuple[Episode, ...] = ()
    trust: SourceTrust = SourceTrust.EXTERNAL
    at: datetime
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Validated:
    """What holds, in the order in which it was proposed, and what doesn't, by its place."""

    valid: list[ValidChange] = field(default_factory=list)
    rejected: dict[int, Rejected] = field(default_factory=dict)


def act_of(change: object) -> Act:
    """Return what a change does; of what is no change, what it was meant to do, else a Learn that came to nothing."""
    if isinstance(change, Misshapen) and change.act in set(Act):
        return Act(change.act)
    return _ACTS.get(type(change), Act.LEARN)


def refusal(settings: Settings, change: object, why: str, *, silent: bool = False) -> Rejected:
    """Return a refused change for the report. Its text is cleaned as any that is stored; none where ``silent``."""
    text = None if silent else next(filter(None, (_text(settings, change, name) for name in _TEXTS)), None)
    target = next(filter(None, (_name(getattr(change, name, None)) for name in _TARGETS)), None)
    return Rejected(act=act_of(change), reason=why, target=target, text=text)


def _text(settings: Settings, change: object, name: str) -> str | None:
    value = getattr(change, name, None) if type(change) in _ACTS else None
    if type(value) is not str:
        return None
    return clean(settings, normalized(value[:MAX_ESSENCE_BYTES])).text.strip()[:_MOST_TEXT] or None


def _name(value: object) -> str | None:
    try:
        name = checked_name(value, "id")
    except InvalidInput:
        return None
    return None if name.startswith(NEW) else name


def without_lesson(valid: ValidChange) -> ValidChange:
    """Return the change without its lesson."""
    change = valid.change
    if isinstance(change, Learn | Revise):
        return replace(valid, change=replace(change, lesson=None))
    return valid


def ids_of(one: ValidChange) -> tuple[str, ...]:
    """Return the ids of the memories that a change names."""
    match one.change:
        case Learn():
            return ()
        case Contradict(memory_id=a, contradicted_by=b) | Connect(memory_a=a, memory_b=b):
            return (a, b)
        case Reinforce(memory_id=a) | Revise(memory_id=a) | Retire(memory_id=a) | Fade(memory_id=a):
            return (a,)


def texts_of(one: ValidChange) -> tuple[str, ...]:
    """Return the texts that a change would have the bank keep."""
    match one.change:
        case Learn(essence=essence, lesson=lesson) | Revise(essence=essence, lesson=lesson):
            return (essence,) if lesson is None else (essence, lesson)
    return ()
