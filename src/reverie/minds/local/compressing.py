"""Compression: the sentences of a conversation that say most, in their order, under the days when they were said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.snippet import Snippet
from reverie.domain.trust import SourceTrust
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.rules.budget import estimated_tokens
from reverie.rules.days import day_text
from reverie.rules.reading import importance_alone
from reverie.rules.sentences import sentences, split

_MOST_EMBEDDED = 96
_PARTS = 4
"""The time that a summary covers is parted into so many; each is to have its share."""
_KEPT, _CENTRAL, _SALIENT, _REPEATS, _UNCOVERED = 0.25, 0.5, 1.0, 0.6, 0.3
_DAY = re.compile(r"(\d{1,2} [A-Z][a-z]+ \d{4}): ")

Tokens = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Line:
    """One sentence with the day under which it stands; ``place`` orders all of them; ``kept`` one of so far."""

    day: str
    text: str
    place: int
    worth: float
    kept: bool


def compressed(
    messages: Sequence[Episode], so_far: str | None, max_tokens: int, *, embedder: Embedder
) -> str:
    """A summary of at most ``max_tokens`` by ``rules.budget.estimated_tokens``: whole sentences in the order of time.

    Empty only where there is nothing to say or not even a part of a word fits.
    """

    def tokens(text: str) -> int:
        return estimated_tokens(text, embedder.count_tokens, enough=max_tokens)

    lines = [*_of_summary(so_far or ""), *_of_messages(messages)]
    lines = [_at(line, place) for place, line in enumerate(lines)]
    if not lines:
        return _cut(" ".join(message.content for message in messages), max_tokens, tokens)
    whole = _written(lines)
    if tokens(whole) <= max_tokens:
        return whole
    best = sorted(lines, key=lambda line: (-line.worth, line.place))[:_MOST_EMBEDDED]
    best.sort(key=lambda line: line.place)
    ranked = [best[row] for row in _ranked(best, embedder.embed([line.text for line in best]))]
    taken: list[_Line] = []
    for line in ranked:
        trial = sorted([*taken, line], key=lambda one: one.place)
        if tokens(_written(trial)) <= max_tokens:
            taken = trial
    return _written(taken) if taken else _cut(_written(ranked[:1]), max_tokens, tokens)


def _of_summary(text: str) -> Iterator[_Line]:
    """The sentences of an earlier summary, ours or another mind's."""
    for raw in text.splitlines():
        day = _DAY.match(raw)
        for sentence in split(raw[day.end() :] if day else raw):
            yield _Line(day=day[1] if day else "", text=sentence, place=0, worth=_worth(sentence), kept=True)


def _of_messages(messages: Sequence[Episode]) -> Iterator[_Line]:
    """What the messages state, each sentence by itself; where one states nothing, what it says."""
    if not messages:
        return
    snippet = Snippet(agent_id="", zone=UTC, messages=tuple(messages), fresh=len(messages))
    stated: dict[str, list[str]] = {}
    for one in statements(snippet):
        if one.end - one.first == 1 and one.question is None:
            stated.setdefault(one.message.id, []).append(_as_said(one.message, one.essence))
    for message in messages:
        day = day_text(message.time)
        for text in stated.get(message.id) or _said(message):
            yield _Line(day=day, text=text, place=0, worth=_worth(text), kept=False)


def _as_said(message: Episode, text: str) -> str:
    """What somebody else or an outside source states stays his word."""
    said = f"{name_of(message)} said: "
    heard = message.source_trust in (SourceTrust.OTHER, SourceTrust.EXTERNAL)
    return f"{said}{text}" if heard and not text.startswith(said) else text


def _said(message: Episode) -> Iterator[str]:
    """A message's questions, as asked by whom; its courtesies are left out."""
    for sentence in sentences(message.content):
        if sentence.asks:
            yield f"{name_of(message)} asked: {sentence.text}"


def _worth(text: str) -> float:
    return _SALIENT * importance_alone(text, None)


def _at(line: _Line, place: int) -> _Line:
    return _Line(day=line.day, text=line.text, place=place, worth=line.worth, kept=line.kept)


def _ranked(lines: Sequence[_Line], vectors: Floats) -> Iterator[int]:
    """Rows, best first: what is central and says much, says what none before it said, and of a time not covered yet."""
    centre = vectors.mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    worth = np.array([line.worth + _KEPT * line.kept for line in lines]) + _CENTRAL * (vectors @ centre)
    last = max(line.place for line in lines) + 1
    part = np.array([line.place * _PARTS // last for line in lines])
    repeats = np.zeros(len(lines))
    covered = np.zeros(_PARTS)
    left = np.ones(len(lines), dtype=bool)
    while left.any():
        share = covered / max(1.0, covered.sum())
        score = worth - _REPEATS * repeats + _UNCOVERED * (1.0 - share[part])
        row = int(np.argmax(np.where(left, score, -np.inf)))
        yield row
        left[row] = False
        covered[part[row]] += 1
        repeats = np.maximum(repeats, vectors @ vectors[row])


def _written(lines: Sequence[_Line]) -> str:
    """The sentences, a line for each day in a row."""
    found: list[str] = []
    day: str | None = None
    for line in lines:
        if line.day == day and found:
            found[-1] += f" {line.text}"
        else:
            found.append(f"{line.day}: {line.text}" if line.day else line.text)
        day = line.day
    return "\n".join(found)


def _cut(text: str, max_tokens: int, tokens: Tokens) -> str:
    """The longest beginning that fits, at a word's end where one does."""
    short = " ".join(text.split())
    low, high = 0, min(len(short), 16 * max_tokens)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(short[:middle]) <= max_tokens else (low, middle - 1)
    if low == len(short):
        return short
    head = short[:low]
    at_word = head if short[low : low + 1] == " " else head.rpartition(" ")[0] or head
    while at_word and tokens(at_word) > max_tokens:
        at_word = at_word[:-1]
    return at_word.strip()
