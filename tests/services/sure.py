"""Judges that a test can foretell: they believe whoever speaks, but for the words that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reverie import Kind
from reverie.language.segments import Sentence, sentences
from reverie.ports.judges import Heard, Judged

_STANDING = re.compile(r"\b(?:always|never|don't|stop|must|no longer|from now on)\b", re.IGNORECASE)


@dataclass
class Sure:
    """Every sentence is its speaker's own and lasting, and standing where it says "always", "never" or the like.

    ``doubted``, ``passing``, ``ruling``: words that make a sentence somebody else's, of the moment, or standing.
    ``failing``: a word at which it fails. ``heard`` are the messages so far.
    """

    doubted: str = ""
    passing: str = ""
    ruling: str = ""
    failing: str = ""
    heard: list[Heard] = field(default_factory=list)

    def judge(self, messages: Sequence[Heard]) -> list[list[Judged]]:
        self.heard += messages
        if self.failing and any(self.failing in one.text for one in messages):
            raise KeyError("'s")
        return [[self._judged(sentence) for sentence in sentences(one.text)] for one in messages]

    def _judged(self, sentence: Sentence) -> Judged:
        text = sentence.text
        lasting = 0.0 if self.passing and self.passing in text else 1.0
        rules = _STANDING.search(text) or (self.ruling and self.ruling in text)
        return Judged(
            sentence=sentence, own=0.0 if self.doubted and self.doubted in text else 1.0, lasting=lasting,
            standing=lasting if rules else 0.0, health=float("allergic" in text), kind=Kind.FACT, importance=0.5,
        )  # fmt: skip
