"""Lessons of memories by template: what to do next time, grounded in the memory's kind and words.

A template adds no fact: it names what the memory is about in the memory's own words, and says how an agent uses
a memory of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.kinds import Kind
from reverie.rules.label_words import WEAK
from reverie.rules.lasting import Lasting, lasting
from reverie.rules.topics import labels

_MOST_NAMED = 3
_LONGEST_NAMED = 60
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_TALKERS = frozenset({"user", "user's", "assistant", "assistant's"})
_QUIET = frozenset({Emotion.NEUTRAL, Emotion.APPROVAL, Emotion.REALIZATION, Emotion.CURIOSITY})

_TEMPLATES: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.POLICY: "Follow this rule whenever {about} is concerned, and say so if it can't be followed.",
        Kind.WORKFLOW: "For {about}, take these steps in this order, and note how it went.",
        Kind.PITFALL: "Bear this trouble with {about} in mind before the same is tried again.",
        Kind.ARCHITECTURE: "Start from what is said here when {about} is worked on.",
        Kind.DECISION: "Take this as settled for {about}, unless it is raised again.",
        Kind.PREFERENCE: "Lean on this for suggestions about {about}, and ask before departing from it.",
        Kind.GOAL: "In talk of {about}, this is the aim: ask how far it has come.",
        Kind.PROJECT: "Pick up {about} from here.",
        Kind.FACT: "In talk of {about}, this is known already.",
        Kind.PATTERN: "Expect this again with {about}.",
        Kind.RELATIONSHIP: "In talk of {about}, know who is who.",
        Kind.SKILL: "Pitch what is said about {about} to this.",
        Kind.ROUTINE: "Plans that touch {about} can go around this.",
        Kind.EMOTIONAL: "In talk of {about}, take the feelings about it seriously before giving advice.",
        Kind.OBSERVATION: "Check what was seen of {about} before relying on it.",
    }
)
_BY_WHAT_IS_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "health": "Health comes first: before suggesting food, travel or exertion, think of {about}.",
        "loss": "This was a loss: speak of {about} with care.",
        "joy": "This was good news: it is worth asking after {about}.",
        "identity": "Use the right name: {about}.",
        "home": "Think of {about} when places and ways to them matter.",
        "family": "In talk of {about}, know who is who.",
        "job": "Think of {about} when work comes up.",
        "birthday": "Think of {about} when the date comes near.",
        "pets": "Ask after {about} now and then.",
        "things": "In talk of {about}, count on what is there already.",
        "appointments": "Keep {about} in view until the date has passed, then ask how it went.",
        "plans": "Keep {about} in view, and ask how it went once the date has passed.",
        "events": "This has happened already: {about}.",
    }
)
"""For facts, whose kind says little: by the rows of ``rules.lasting_table``."""
_GRAVE = frozenset({"health", "loss"})
_OPEN_KINDS = frozenset(
    {Kind.FACT, Kind.PITFALL, Kind.PREFERENCE, Kind.ROUTINE, Kind.RELATIONSHIP, Kind.GOAL}
)
"""Kinds that give way to what is grave."""
_FELT = "In talk of {about}, acknowledge the {feeling} before giving advice."


def lesson_of(essence: str, kind: Kind, emotions: Emotions | None = None) -> str:
    """What to do next time, in one sentence that shares a word with the essence; the same for the same memory.

    A memory of kind EMOTIONAL whose strongest emotion is a plain one names it.
    """
    return lesson_told(essence, kind, lasting(essence) if kind in _OPEN_KINDS else None, emotions)


def lesson_told(essence: str, kind: Kind, told: Lasting | None, emotions: Emotions | None) -> str:
    """The same, where it is known what the essence tells of."""
    about = named(essence)
    if kind is Kind.EMOTIONAL and emotions and emotions[0] not in _QUIET:
        return _FELT.format(about=about, feeling=str(emotions[0]))
    return _template(kind, told).format(about=about)


def _template(kind: Kind, told: Lasting | None) -> str:
    if told is None or kind not in _OPEN_KINDS or not (kind is Kind.FACT or told.row.name in _GRAVE):
        return _TEMPLATES[kind]
    return _BY_WHAT_IS_TOLD.get(told.row.name, _TEMPLATES[kind])


def named(essence: str) -> str:
    """What an essence is about, in its words: entities and topics, as they are written there, or its longest words."""
    found = labels(essence)
    spelt = {word.casefold(): word for word in reversed(_spelt(essence))}
    topics = (" ".join(spelt.get(word, word) for word in topic.split()) for topic in found.topics)
    written = [*found.entities[:2], *filter(None, map(_of_nobody, topics))]
    chosen: list[str] = []
    for label in written:
        if (
            len(chosen) < _MOST_NAMED
            and not _covered(label, chosen)
            and len(" ".join([*chosen, label])) <= _LONGEST_NAMED
        ):
            chosen.append(label)
    if not chosen:
        words = list(dict.fromkeys(_WORD.findall(essence)))
        telling = [word for word in words if word.casefold() not in WEAK] or words
        chosen = sorted(telling, key=lambda word: -len(word))[:2]
    return _listed([one[:_LONGEST_NAMED] for one in chosen]) or "this"


def _of_nobody(topic: str) -> str:
    """Without those who talk."""
    return " ".join(word for word in topic.split() if word.casefold() not in _TALKERS)


def _spelt(essence: str) -> list[str]:
    """Its words as they are written there, without the "s" of who owns."""
    return [word.removesuffix("'s") for word in _WORD.findall(essence.replace("\u2019", "'"))]


def _covered(label: str, chosen: Sequence[str]) -> bool:
    mine = set(label.casefold().split())
    return any(mine & set(other.casefold().split()) for other in chosen)


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
