"""Portrait: what is surest of each kind, a line each, as much as fits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.ports.embedder import Embedder
from reverie.rules.budget import estimated_tokens
from reverie.rules.dedupe import differs
from reverie.rules.portrait import is_line, stated
from reverie.rules.terms import terms

_REPEATS = 0.8
"""Share of words in common from which a line repeats one before it, unless the guard tells them apart."""
_ROUNDING = 1e-9


def portrayed(
    memories: Mapping[Kind, Sequence[Memory]], max_tokens: int, *, embedder: Embedder
) -> Mapping[Kind, str]:
    """Sections of lines "- …", of at most ``max_tokens`` in all by ``rules.budget.estimated_tokens``; none for a kind
    of which nothing fits. The kinds take turns, so that none crowds the others out; within one the given order counts.
    """

    def tokens(text: str) -> int:
        return estimated_tokens(text, embedder.count_tokens, enough=max_tokens)

    waiting = {kind: _lines(some) for kind, some in memories.items()}
    taken: dict[Kind, list[str]] = {kind: [] for kind in waiting}
    spent = 0
    for turn in range(max(map(len, waiting.values()), default=0)):
        for kind, lines in waiting.items():
            if (
                turn < len(lines) and len(lines[turn].split()) <= max_tokens - spent
            ):  # a word has a token at least
                cost = tokens(lines[turn] + "\n")
                if spent + cost <= max_tokens:
                    spent += cost
                    taken[kind].append(lines[turn])
    return {kind: "\n".join(lines) for kind, lines in taken.items() if lines}


def _lines(some: Sequence[Memory]) -> list[str]:
    """A line for each, without what repeats an earlier one."""
    kept: list[tuple[str, frozenset[str]]] = []
    having: dict[str, list[int]] = {}
    for one in some:
        line = stated(one) if is_line(one) else None
        if line is None:
            continue
        text = " ".join(line.split())
        read = frozenset(terms(text))
        if any(_same(text, read, *kept[place]) for place in _near(read, having)):
            continue
        for word in read:
            having.setdefault(word, []).append(len(kept))
        kept.append((text, read))
    return [f"- {text}" for text, _ in kept]


def _near(read: frozenset[str], having: Mapping[str, Sequence[int]]) -> set[int]:
    """The lines that can have so many of the words: at most a fifth is lacking in them, so that of one more than that,
    here of those that the fewest lines have, each line must have one.
    """
    most_lacking = math.floor((1 - _REPEATS) * len(read) + _ROUNDING)
    rarest = sorted(read, key=lambda word: len(having.get(word, ())))[: most_lacking + 1]
    return {place for word in rarest for place in having.get(word, ())}


def _same(text: str, read: frozenset[str], other: str, known: frozenset[str]) -> bool:
    shared = len(read & known)
    return shared >= _REPEATS * max(1, len(read) + len(known) - shared) and differs(text, other) is None
