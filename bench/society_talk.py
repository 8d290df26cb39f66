"""What agents of the society's world say, notice and feel: seeded, and marked so that every text can be traced.

Each text bears a mark, #123456, that no other has but its own repetitions: by it the ledger tells who may know it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from bench.invented import topics

NAMES = "nova kade iris odin vera milo tess juno remy zane".split()
PLACES = "harbour plaza library market observatory garden forge archive".split()
MOODS = "calm curious hopeful tired proud uneasy grateful restless".split()
TYPES = "ally rival mentor student friend colleague neutral enemy".split()
TONES = "warm wary playful formal bitter admiring".split()
BELIEFS = (
    "I keep my word, whatever it costs",
    "Every conversation is worth remembering",
    "I would rather ask than guess",
    "Fear is a signal, not an order",
    "What is shared grows",
    "Nobody is only their worst day",
    "I owe the town more than it owes me",
)
_SAID = (
    "I {deed} the {thing} at the {place} today, {detail} {mark}",
    "Have you heard that {other} {deed} the {thing} by the {place}? {mark}",
    "I promise to bring you the {thing} before {day}, {detail} {mark}",
    "The {thing} that {other} {deed} is still at the {place} {mark}",
    "Let us meet at the {place} on {day} to talk about the {thing} {mark}",
    "I never wanted the {thing}, but {other} {deed} it and I was glad {mark}",
)
_NOTICED = (
    "{other} {deed} the {thing} near the {place} on {day}, {detail} {mark}",
    "{other} promised me the {thing} before {day} {mark}",
    "The {thing} at the {place} belongs to {other} now, {detail} {mark}",
    "{other} was seen at the {place} with the {thing} on {day} {mark}",
)
_WROTE = (
    "Today I {deed} the {thing} at the {place} {mark}",
    "I keep thinking of {other} and the {thing} {mark}",
    "A long day at the {place}; {other} {deed} the {thing} {mark}",
)
_WHY = (
    "{other} {deed} the {thing} for me {mark}",
    "{other} did not come to the {place} on {day} {mark}",
    "We {deed} the {thing} together {mark}",
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MARK = re.compile(r"#(\d{6})\b")


def names(count: int) -> Sequence[str]:
    """Ids of so many agents."""
    more = (f"{name}-{number}" for number in range(2, 1000) for name in NAMES)
    return [*NAMES, *(next(more) for _ in range(count - len(NAMES)))][:count]


def marks(text: str) -> set[int]:
    """The marks in a text."""
    return {int(found) for found in _MARK.findall(text)}


class Talk:
    """Texts of one world, a new mark each."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._last = 99_999

    def said(self, other: str) -> tuple[str, int]:
        """Something to say about another, and its mark."""
        return self._filled(_SAID, other)

    def noticed(self, other: str) -> tuple[str, int]:
        """An observation about another, and its mark."""
        return self._filled(_NOTICED, other)

    def written(self, other: str) -> tuple[str, int]:
        """A line for the diary, and its mark."""
        return self._filled(_WROTE, other)

    def reason(self, other: str) -> tuple[str, int]:
        """Why one sees another so, and its mark."""
        return self._filled(_WHY, other)

    def again(self, text: str) -> str:
        """The same, as one might write it a second time."""
        return self._chance.choice(
            (text, f"{text}.", f"{text}!", text.replace(" the ", " the  "), f" {text}")
        )

    def _filled(self, forms: Sequence[str], other: str) -> tuple[str, int]:
        chance = self._chance
        self._last += 1
        topic = chance.choice(topics())
        text = chance.choice(forms).format(
            other=other.title(), thing=chance.choice(topic.things), deed=chance.choice(topic.deeds),
            place=chance.choice(PLACES), day=chance.choice(_DAYS), detail=self._detail(), mark=f"#{self._last}",
        )  # fmt: skip
        return text, self._last

    def _detail(self) -> str:
        chance = self._chance
        return chance.choice(
            (
                f"for {chance.randint(3, 900)} credits",
                f"at {chance.randint(7, 22)}:{chance.randint(0, 59):02}",
                f"after {chance.randint(2, 40)} days",
                "against all advice",
                "as if nothing had happened",
            )
        )
