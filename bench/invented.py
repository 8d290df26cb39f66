"""Invented memories, messages and questions: any number of them, each the same for the same seed and number.

The words are as uneven as speech: a few hundred common ones, and a long tail of names, places and codes.
Texts are about as long as LoCoMo's turns (23 words), questions as its questions (10 words).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from reverie import Kind

_GRAMMAR = Path(__file__).with_name("grammar.txt")
_GIVEN = (
    "Anna Péter Maria John Caroline Melanie Jon Gina Joanna Nate Tim Olga Samir Wei Aisha Lars Ines Tomás "
    "Priya Kofi Yuki Elif Mateo Nadia Oscar Freya Hassan Chloe Dmitri Zara Ivan Lucia Emeka Hana Bruno "
    "Saoirse Rafael Mina Jonas Amara"
).split()
_ONSETS = "b br c ch d dr f g gr h j k kl l m n p pr r s sh st t tr v w z".split()
_VOWELS = "a e i o u ai ea ou".split()
_CODAS = ["", "", "l", "m", "n", "nd", "r", "rk", "s", "st", "t", "x"]
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS = "January February March April May June July August September October November December".split()
_FEELINGS = (
    "It made the whole week better.|Honestly it was exhausting.|I still laugh about it.|Nobody had expected that.|"
    "It cost more than planned.|I'm proud of it, really.|We'd do it again any time.|It didn't go well at all.|"
    "That was the best part of the month.|I was nervous the whole time.|It felt like a fresh start.|"
    "The weather was awful, though.|I keep thinking about it.|Next time I want to bring the kids."
).split("|")
_KINDS = {
    Kind.FACT: 50, Kind.PREFERENCE: 12, Kind.PATTERN: 8, Kind.OBSERVATION: 8, Kind.ROUTINE: 6,
    Kind.RELATIONSHIP: 6, Kind.GOAL: 4, Kind.PROJECT: 4, Kind.EMOTIONAL: 2,
}  # fmt: skip
MOST_KINDS = tuple(str(kind) for kind in _KINDS if kind not in (Kind.OBSERVATION, Kind.EMOTIONAL))
"""A filter that passes nine memories of ten."""


MOST = 1_000_000
"""So many texts of one seed have codes that no other seed's have."""


class Topic(NamedTuple):
    """One line of the grammar."""

    name: str
    things: tuple[str, ...]
    deeds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Invented:
    """One text with its fields, and a question about it. ``code`` stands in this text and in no other."""

    text: str
    question: str
    code: str
    speaker: str
    kind: Kind
    topic: str
    importance: float

    def draft(self, **more: object) -> dict[str, object]:
        """As ``remember`` takes it."""
        return {
            "essence": self.text, "kind": self.kind, "importance": self.importance, "tags": [self.topic],
            "topics": [self.topic], "entities": [self.speaker], **more,
        }  # fmt: skip

    def message(self) -> dict[str, object]:
        """As ``observe`` takes it."""
        return {"content": self.text, "speaker": self.speaker, "topics": [self.topic]}


def invent(seed: int, first: int, count: int, *, coded: bool = False) -> Iterator[Invented]:
    """Numbers ``first`` to ``first + count - 1`` of this seed's endless list.

    One text in four carries its code, as tickets, orders and bookings do; with ``coded`` every text and question.
    """
    return (_invented(seed, number, coded=coded) for number in range(first, first + count))


@lru_cache(1)
def topics() -> tuple[Topic, ...]:
    """The grammar's topics."""
    found = []
    for line in _GRAMMAR.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(":")
            things, deeds = ([part.strip() for part in half.split(",")] for half in rest.split("|"))
            found.append(Topic(name.strip(), tuple(things), tuple(deeds)))
    return tuple(found)


def _invented(seed: int, number: int, *, coded: bool) -> Invented:
    chance = random.Random(f"{seed}:{number}")
    topic = chance.choices(topics(), [1 / (rank + 4) for rank in range(len(topics()))])[0]
    thing, deed = chance.choice(topic.things), chance.choice(topic.deeds)
    given, surname, place = _GIVEN[_uneven(chance, len(_GIVEN))], _name(chance, 3000), _name(chance, 2000)
    code = str(seed * MOST + number)
    coded = coded or chance.random() < 0.25
    when, detail = _when(chance), _detail(chance)
    mark = (
        chance.choice((", number {}", ", filed as {}", " ({})", ", ticket {}", ", see {}")).format(code)
        if coded
        else ""
    )
    feeling = f" {chance.choice(_FEELINGS)}" if chance.random() < 0.6 else ""
    asked = chance.choice(
        (
            f"When was it that {given} {surname} {deed} the {thing}",
            f"What happened with the {thing} in {place} {when}",
            f"Which {thing} did {given} talk about, the one {detail}",
            f"Who {deed} the {thing} over at {place} {when}",
        )
    )
    return Invented(
        text=f"{given} {surname} {deed} the {thing} in {place} {when}, {detail}{mark}.{feeling}",
        question=asked + (f", {code}?" if coded else "?"),
        code=code, speaker=given, topic=topic.name,
        kind=chance.choices(list(_KINDS), list(_KINDS.values()))[0], importance=round(chance.random(), 2),
    )  # fmt: skip


def _detail(chance: random.Random) -> str:
    other, thing = chance.choice(_GIVEN), chance.choice(chance.choice(topics()).things)
    return chance.choice(
        (
            f"the {_name(chance, 500)} one for {chance.randint(3, 900)} euros",
            f"with {other} and {chance.randint(2, 40)} others",
            f"after {chance.randint(2, 60)} weeks of waiting",
            f"at {chance.randint(1, 12)}:{chance.randint(0, 59):02} in the evening",
            f"because {other} had forgotten the {thing}",
            f"right before {other} came over to see the {thing}",
            f"and {other} helped with the {thing} for {chance.randint(2, 9)} hours",
            f"which reminded everybody of {other} and the {thing}",
            f"instead of going to {_name(chance, 2000)} for the {thing}",
            f"though the {thing} would have been cheaper by {chance.randint(3, 90)} percent",
        )
    )


def _when(chance: random.Random) -> str:
    day, month, year = chance.randint(1, 28), chance.choice(_MONTHS), chance.randint(2015, 2026)
    return chance.choice(
        (
            f"on {day} {month} {year}",
            f"last {chance.choice(_DAYS)}",
            f"in {month}",
            f"{day} days ago",
            "this summer",
        )
    )


def _uneven(chance: random.Random, most: int) -> int:
    """A rank below ``most``: low ones often, high ones seldom."""
    return int(most * chance.random() ** 2.5)


def _name(chance: random.Random, pool: int) -> str:
    """One of so many invented names; some come up often, most seldom."""
    return _ranked_name(_uneven(chance, pool))


@lru_cache(4096)
def _ranked_name(rank: int) -> str:
    return _word(random.Random(rank), 2).title()


def _word(chance: random.Random, syllables: int) -> str:
    return "".join(
        chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables)
    )
