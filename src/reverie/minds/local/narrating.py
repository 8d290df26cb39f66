"""Narration: one text for many memories. Themes in order of time, each with its days and statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np

from reverie.domain.memory import Memory
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.rules.budget import estimated_tokens
from reverie.rules.topics import labels

_MOST_EMBEDDED = 96
_THEME = 0.5
"""Cosine to a theme's middle from which a memory belongs to it."""
_NEW = 0.8
"""Cosine from which a statement repeats what its theme says already."""
Tokens = Callable[[str], int]


def narrated(memories: Sequence[Memory], max_tokens: int, *, embedder: Embedder) -> str:
    """At most ``max_tokens`` by ``rules.budget.estimated_tokens``; empty only where there is nothing to tell, or not
    even one statement fits. Equal memories give an equal text.
    """

    def tokens(text: str) -> int:
        return estimated_tokens(text, embedder.count_tokens, enough=max_tokens)

    ordered = sorted(memories, key=lambda one: (_time(one), one.id))
    most = sorted(ordered, key=lambda one: (-_worth(one), one.id))[:_MOST_EMBEDDED]
    told = [one for one in ordered if one in most]
    if not told or max_tokens < 1:
        return ""
    vectors = embedder.embed([one.essence for one in told])
    themes = _themes(told, vectors)
    chosen: set[int] = set()
    for place in _by_turns(told, vectors, themes):
        if tokens(_written(told, themes, chosen | {place})) <= max_tokens:
            chosen.add(place)
    return _written(told, themes, chosen)


def _themes(told: Sequence[Memory], vectors: Floats) -> list[list[int]]:
    """Places of what belongs together, by the first of each; each joins the theme that it is nearest to."""
    themes: list[list[int]] = []
    middles: list[Floats] = []
    for place in range(len(told)):
        cosines = [
            float(vectors[place] @ middle) / max(float(np.linalg.norm(middle)), 1e-9) for middle in middles
        ]
        best = int(np.argmax(cosines)) if cosines else -1
        if best >= 0 and cosines[best] >= _THEME:
            themes[best].append(place)
            middles[best] = middles[best] + vectors[place]
        else:
            themes.append([place])
            middles.append(vectors[place].copy())
    return themes


def _by_turns(told: Sequence[Memory], vectors: Floats, themes: Sequence[Sequence[int]]) -> list[int]:
    """The most central of each theme first, larger themes before smaller ones; then the next of each."""
    ranked: list[list[int]] = []
    for theme in sorted(themes, key=lambda one: (-len(one), one[0])):
        middle = vectors[list(theme)].mean(axis=0)
        middle /= max(float(np.linalg.norm(middle)), 1e-9)
        best = sorted(theme, key=lambda place: (-float(vectors[place] @ middle) - _worth(told[place]), place))
        kept: list[int] = []
        for place in best:
            if all(float(vectors[place] @ vectors[other]) < _NEW for other in kept):
                kept.append(place)
        ranked.append(kept)
    longest = max(map(len, ranked), default=0)
    return [kept[turn] for turn in range(longest) for kept in ranked if turn < len(kept)]


def _written(told: Sequence[Memory], themes: Sequence[Sequence[int]], chosen: set[int]) -> str:
    """A paragraph for each theme that something is told of, under its days and people."""
    found: list[str] = []
    for theme in themes:
        places = [place for place in theme if place in chosen]
        if places:
            some = [told[place] for place in places]
            found.append(f"{_days(some)}{_people(some)}: {' '.join(_closed(one.essence) for one in some)}")
    return "\n".join(found)


def _days(some: Sequence[Memory]) -> str:
    first, last = _day(_time(some[0])), _day(_time(some[-1]))
    return first if first == last else f"{first} to {last}"


def _people(some: Sequence[Memory]) -> str:
    """Who and what several of them name."""
    counts: dict[str, int] = {}
    for one in some:
        for name in one.entities or labels(one.essence).entities:
            counts[name] = counts.get(name, 0) + 1
    often = sorted(
        (name for name, count in counts.items() if count > 1), key=lambda name: (-counts[name], name)
    )
    return f" ({', '.join(often[:3])})" if often else ""


def _time(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B} {moment.year}"


def _worth(memory: Memory) -> float:
    return memory.importance if memory.importance is not None else 0.5


def _closed(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?", "\u2026")) else f"{text}."
