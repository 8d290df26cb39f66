"""Narration: one text for many memories. Themes in order of time, each with its days, people and statements.

Statements are chosen by turns: the larger a theme, the more often it speaks, its most central statement first, then
those that repeat nothing and name somebody who was not named yet. What others or outside sources said stands in
paragraphs of its own, which say so. A memory that is a narrative itself is told by its sentences.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

import numpy as np

from reverie.domain.memory import Memory, Origin
from reverie.domain.trust import SourceTrust
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.rules.budget import estimated_tokens
from reverie.rules.dedupe import differs
from reverie.rules.hearsay import heading_of, line_of, trust_of
from reverie.rules.sentences import split
from reverie.rules.topics import labels

_MOST_EMBEDDED = 96
_THEME = 0.5
"""Cosine to a theme's middle from which a memory belongs to it."""
_NEW = 0.8
"""Cosine from which a statement may say what its theme says already (``rules.dedupe`` knows)."""
_REPEATS = 0.6
_UNNAMED = 0.15
"""What it adds to a statement's centrality that it names somebody whom none before it named."""
_WORTH = 0.5
_MOST_PEOPLE = 3
_MONTHS = "January February March April May June July August September October November December".split()

Tokens = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """One statement; ``row``: of which vector it is, None where it has none yet."""

    text: str
    time: datetime
    trust: SourceTrust
    worth: float
    names: tuple[str, ...]
    row: int | None


def narrated(
    memories: Sequence[Memory], max_tokens: int, *, embedder: Embedder, vectors: Floats | None = None
) -> str:
    """At most ``max_tokens`` by ``rules.budget.estimated_tokens``; empty only where there is nothing to tell, or not
    even one statement fits. Equal memories give an equal text. ``vectors``, shape (n, dimensions), are those of the
    memories' essences; without them, at most 96 statements are embedded here, and the others are left out.
    """

    def tokens(text: str) -> int:
        return estimated_tokens(text, embedder.count_tokens, enough=max_tokens)

    if max_tokens < 1:
        return ""
    statements = sorted(
        (
            told
            for row, one in enumerate(memories)
            for told in _statements(one, row, known=vectors is not None)
        ),
        key=lambda told: (told.time, memories[told.row].id if told.row is not None else "", told.text),
    )
    told, matrix = _measured(statements, vectors, embedder)
    if not told:
        return ""
    themes = _themes(told, matrix)
    chosen = _chosen(told, themes, _by_turns(told, matrix, themes), max_tokens, tokens)
    return _written(told, themes, chosen)


def _statements(memory: Memory, row: int, *, known: bool) -> Iterator[_Told]:
    """What a memory says: its essence, or of a narrative each sentence, under its day and as whose word it is told."""
    worth = memory.importance if memory.importance is not None else 0.5
    time = (memory.valid_from or memory.created_at).astimezone(UTC)
    if memory.origin is not Origin.SELF_CARE:
        text = " ".join(memory.essence.split())
        yield _Told(
            text=text, time=time, trust=memory.source_trust, worth=worth, names=_names(memory),
            row=row if known else None,
        )  # fmt: skip
        return
    plain = (
        memory.source_trust if memory.source_episodes else SourceTrust.PRINCIPAL
    )  # of messages nothing is marked
    for line in memory.essence.splitlines():
        day, marked, rest = line_of(line.strip())
        at = _moment(day) or time
        for sentence in split(rest):
            yield _Told(
                text=sentence, time=at, trust=marked or trust_of(sentence) or plain, worth=worth,
                names=tuple(labels(sentence).entities), row=None,
            )  # fmt: skip


def _names(memory: Memory) -> tuple[str, ...]:
    return tuple(memory.entities or labels(memory.essence).entities)


def _measured(
    statements: Sequence[_Told], vectors: Floats | None, embedder: Embedder
) -> tuple[Sequence[_Told], Floats]:
    """The statements that can be compared, in order of time, each with its vector."""
    bare = [place for place, told in enumerate(statements) if told.row is None]
    best = sorted(bare, key=lambda place: (-statements[place].worth, place))
    if len(best) > _MOST_EMBEDDED:  # of equals those that lie evenly in time
        first = statements[best[_MOST_EMBEDDED]].worth
        sure = [place for place in best if statements[place].worth > first]
        rest = [place for place in best if statements[place].worth == first]
        left = _MOST_EMBEDDED - len(sure)
        best = sure + [rest[step * len(rest) // left] for step in range(left)]
    kept = set(best)
    told = [
        one for place, one in enumerate(statements) if (one.row is not None or place in kept) and one.text
    ]
    fresh = [one.text for one in told if one.row is None]
    made = iter(embedder.embed(fresh)) if fresh else iter(())
    found = [next(made) if vectors is None or one.row is None else vectors[one.row] for one in told]
    return told, np.stack(found) if found else np.zeros((0, embedder.dimensions), np.float32)


def _themes(told: Sequence[_Told], vectors: Floats) -> list[list[int]]:
    """Places of what belongs together, by the first of each; each joins the theme that it is nearest to. What is told
    on another's word is never of one theme with what is not.
    """
    themes: list[list[int]] = []
    middles = np.empty_like(vectors)
    norms = np.ones(len(told), np.float32)
    outside = np.empty(len(told), np.int8)
    for place, one in enumerate(told):
        count, own = len(themes), _standing(one)
        cosines = np.where(outside[:count] == own, middles[:count] @ vectors[place] / norms[:count], -1.0)
        best = int(np.argmax(cosines)) if count else -1
        if best >= 0 and cosines[best] >= _THEME:
            themes[best].append(place)
            middles[best] += vectors[place]
        else:
            best = count
            themes.append([place])
            middles[best], outside[best] = vectors[place], own
        norms[best] = max(float(np.linalg.norm(middles[best])), 1e-9)
    return themes


def _standing(told: _Told) -> int:
    """Whose word it is, as far as it is told apart."""
    return 1 if told.trust is SourceTrust.OTHER else 2 if told.trust is SourceTrust.EXTERNAL else 0


def _by_turns(told: Sequence[_Told], vectors: Floats, themes: Sequence[Sequence[int]]) -> Iterator[int]:
    """Places, best first. A theme speaks in proportion to the square root of its size (Webster: over 1, 3, 5 …):
    what comes up often is told most, and what came up once is told too.
    """
    ranked = [_Theme(told, vectors, theme) for theme in themes]
    weights = [math.sqrt(len(theme)) for theme in themes]
    worths = [max(told[place].worth for place in theme) for theme in themes]
    turns = [(-weights[number], -worths[number], number) for number in range(len(themes))]
    heapq.heapify(turns)
    named: set[str] = set()
    while turns:
        _, worth, number = heapq.heappop(turns)
        place = ranked[number].next(named)
        if place is None:
            continue
        named.update(told[place].names)
        yield place
        heapq.heappush(turns, (-weights[number] / (2 * ranked[number].spoken + 1), worth, number))


class _Theme:
    """What a theme has still to say."""

    def __init__(self, told: Sequence[_Told], vectors: Floats, places: Sequence[int]) -> None:
        self._told, self._places = told, places
        self._vectors = vectors[list(places)]
        middle = self._vectors.mean(axis=0)
        middle /= max(float(np.linalg.norm(middle)), 1e-9)
        worth = np.array([told[place].worth for place in places])
        self._score = self._vectors @ middle + _WORTH * worth
        self._open = np.ones(len(places), dtype=bool)
        self._repeats = np.zeros(len(places))
        self._said: list[int] = []

    @property
    def spoken(self) -> int:
        """How many statements it has made."""
        return len(self._said)

    def next(self, named: set[str]) -> int | None:
        """The place of its next statement; None where it has said all, or would only say the same again."""
        fresh = np.array([not named.issuperset(self._told[place].names) for place in self._places])
        score = self._score + _UNNAMED * fresh - _REPEATS * self._repeats
        while self._open.any():
            best = int(np.argmax(np.where(self._open, score, -np.inf)))
            self._open[best] = False
            if self._says_the_same(best):
                continue
            self._repeats = np.maximum(self._repeats, self._vectors @ self._vectors[best])
            self._said.append(best)
            return self._places[best]
        return None

    def _says_the_same(self, best: int) -> bool:
        text = self._told[self._places[best]].text
        near = (one for one in self._said if float(self._vectors[best] @ self._vectors[one]) >= _NEW)
        return any(differs(self._told[self._places[one]].text, text) is None for one in near)


def _chosen(
    told: Sequence[_Told], themes: Sequence[Sequence[int]], turns: Iterator[int], most: int, tokens: Tokens
) -> set[int]:
    """As many as have room, best first. Pieces cost together no less than the whole, so that only the end is counted
    as it will stand.
    """
    theme_of = {place: number for number, theme in enumerate(themes) for place in theme}
    heads: dict[int, int] = {}
    within: dict[int, list[int]] = {}
    order: list[int] = []
    spent = 0
    for place in turns:
        number = theme_of[place]
        places = sorted([*within.get(number, ()), place])
        price = tokens(_closed(told[place].text)) + 1
        head = tokens(_head([told[one] for one in places])) + 1
        if spent + price + head - heads.get(number, 0) > most:
            if spent + 8 > most:
                break
            continue
        spent += price + head - heads.get(number, 0)
        heads[number], within[number] = head, places
        order.append(place)
    chosen = set(order)
    if not order:  # no piece fits with what is reckoned for its ends; perhaps one does as it will stand
        best = next(iter(theme_of), None)
        chosen, order = ({best}, [best]) if best is not None else (set(), [])
    while order and tokens(_written(told, themes, chosen)) > most:
        chosen.discard(order.pop())
    return chosen


def _written(told: Sequence[_Told], themes: Sequence[Sequence[int]], chosen: set[int]) -> str:
    """A paragraph for each theme that something is told of, under its days and people."""
    found: list[str] = []
    for theme in themes:
        some = [told[place] for place in theme if place in chosen]
        for _, part in groupby(some, key=lambda one: one.trust if _standing(one) else None):
            same = [*part]
            found.append(f"{_head(same)}{' '.join(_closed(one.text) for one in same)}")
    return "\n".join(found)


def _head(some: Sequence[_Told]) -> str:
    return f"{_days(some)}{heading_of(some[0].trust)}{_people(some)}: "


def _days(some: Sequence[_Told]) -> str:
    first, last = _day(some[0].time), _day(some[-1].time)
    return first if first == last else f"{first} to {last}"


def _people(some: Sequence[_Told]) -> str:
    """Who and what several of them name."""
    counts: dict[str, int] = {}
    for one in some:
        for name in one.names:
            counts[name] = counts.get(name, 0) + 1
    often = sorted(
        (name for name, count in counts.items() if count > 1 and not set(name) & set("()\n")),
        key=lambda name: (-counts[name], name),
    )
    return f" ({', '.join(often[:_MOST_PEOPLE])})" if often else ""


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def _moment(day: str | None) -> datetime | None:
    """The day that a heading tells."""
    if day is None:
        return None
    number, month, year = day.split()
    if month not in _MONTHS:
        return None
    try:
        return datetime(int(year), _MONTHS.index(month) + 1, int(number), tzinfo=UTC)
    except ValueError:
        return None


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "\u2026")) else f"{text}."
