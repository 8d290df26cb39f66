"""What a judge sees of one sentence: its words, the words before it, its message's vector and its own, and where it
stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.language import Sentence

STRUCTURE = 18
"""How many numbers ``structure`` gives a sentence."""
_QUOTES = '"\u201c\u201d\u00ab\u00bb'
_LABELLED = re.compile(
    r"\W{0,3}(?:[\d/.:, -]{4,24}(?: ?[ap]m)?\W{0,3})?[\w'+.@-]{1,30}(?: [\w'.-]{1,30}){0,3}: ?\S"
)
_STAMPED = re.compile(r"\W{0,2}\d{1,4}[-/.:]\d{1,2}[-/.:T]?\d{0,4}")
_HEADER = re.compile(r"(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|De|Para|Re|Fwd?): ?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A sentence with what stands around it. ``before``: the sentence before it in its message, else the end of what
    the agent said last; ``lead``: the first sentence of the message, empty for that one itself.
    """

    text: str
    before: str
    lead: str
    structure: tuple[float, ...]


def placed(message: str, sentences: Sequence[Sentence], asked: str = "") -> list[Placed]:
    """Return each sentence of a message with its surroundings. ``asked``: what the agent said right before."""
    tail = asked[-200:]
    found: list[Placed] = []
    lines = message.split("\n")
    fenced = _fenced(lines)
    paragraphs = _paragraphs(lines)
    is_answer = float(tail.rstrip().endswith("?"))
    for place, one in enumerate(sentences):
        last = sentences[place - 1] if place else None
        line = lines[one.line].lstrip()
        head = message[: one.start]
        opened = sum(head.count(mark) for mark in _QUOTES) % 2
        letters = sum(map(str.isalpha, one.text)) / len(one.text)
        found.append(
            Placed(
                text=one.text,
                before=last.text if last is not None else tail,
                lead=sentences[0].text if place else "",
                structure=(
                    place / max(len(sentences) - 1, 1),
                    math.log1p(len(sentences)) / 4,
                    float(place == 0),
                    float(last is not None and last.line != one.line),
                    float(head.rstrip().endswith(":")),
                    float(opened),
                    float(one.text[:1] in _QUOTES or one.text[-1:] in _QUOTES),
                    float(line.startswith((">", "|")) or fenced[one.line]),
                    float(_LABELLED.match(line) is not None),
                    float(_STAMPED.match(line) is not None),
                    float(_HEADER.match(line) is not None),
                    letters,
                    float("?" in one.text[-3:]),
                    float("!" in one.text[-3:]),
                    math.log1p(len(one.text.split())) / 3,
                    math.log1p(len(message)) / 7,
                    min(paragraphs[one.line], 4) / 4,
                    is_answer,
                ),
            )
        )
    return found


def _fenced(lines: Sequence[str]) -> list[bool]:
    inside, found = False, []
    for line in lines:
        fence = line.lstrip().startswith(("```", "~~~"))
        found.append(inside or fence)
        inside ^= fence
    return found


def _paragraphs(lines: Sequence[str]) -> list[int]:
    count, found = 0, []
    for line in lines:
        if not line.strip():
            count += 1
        found.append(count)
    return found


def given(placed: Sequence[Placed], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors and structure side by side, float32 of shape (n, 2 * dimensions + STRUCTURE)."""
    how = np.array([one.structure for one in placed], np.float32).reshape(len(placed), STRUCTURE)
    return np.concatenate([vectors * np.float32(8), how * np.float32(2)], axis=1)
