"""Narration: one text for many memories. Themes in order of time, each with all its days, how many it is of, who occurs
in it, and its most central statements, each with its day.

Statements are chosen by turns: the larger a theme, the more often it speaks, its most central statement first, then
those that repeat nothing and name somebody who was not named yet. What others or outside sources said stands in
paragraphs of its own, which say so. A memory that is a narrative itself is told by its sentences.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.domain.memory import Memory, Origin
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.rules.budget import estimated_tokens
from reverie.rules.days import day_text
from reverie.rules.dedupe import differs
from reverie.rules.hearsay import Heading, dated, day_mark, is_rest, line_of, rest_line, trust_of
from reverie.rules.sentences import split
from reverie.rules.story_head import without_parts
from reverie.rules.topics import labels

_MOST_EMBEDDED = 96
_THEME = 0.5
"""Cosine to a theme's middle from which a memory belongs to it."""
_NEW = 0.8
"""Cosine from which a statement may say what its theme says already (``rules.dedupe`` knows)."""
_REPEATS = 0.6
_UNNAMED = 0.15
"""What it adds to a statement's centrality that it names somebody whom none before it named."""
_UNCOVERED = 0.3
"""What it adds at most that a statement is of a part of the whole of which little was told yet."""
_PARTS = 8
"""In the order of time."""
_WORTH = 0.5
_MOST_PEOPLE = 2
_RARE, _RARE_SHARE = 3, 0.01
"""A theme of fewer statements than that many, or than this share of all, is a rare one."""
_MISSES = 24
"""So many statements that seem too long are counted as they would stand."""
_PART = 3
"""No statement takes more than one part in so many of the whole, where that is more than so many tokens."""
_LEAST = 24

Tokens = Callable[[str], int]
_Cut = Callable[[str], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """One statement of the day ``time``, for ``count`` memories (0: nobody knows) from ``first`` to ``last``; ``part``:
    of which part of the whole; ``row``: of which vector it is, None where it has none yet.
    """

    text: str
    time: datetime
    first: datetime
    last: datetime
    count: int
    trust: SourceTrust
    worth: float
    names: tuple[str, ...]
    part: int
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

    def cut(text: str) -> str:
        return _shortened(text, max(_LEAST, max_tokens // _PART), tokens)

    if max_tokens < 1:
        return ""
    order = sorted(range(len(memories)), key=lambda row: _order(memories[row]))
    statements = sorted(
        (
            one
            for rank, row in enumerate(order)
            for one in _statements(
                memories[row], row, part=rank * _PARTS // len(order), known=vectors is not None, most=cut
            )
        ),
        key=lambda one: (one.time, one.text, one.trust, one.part),
    )
    told, matrix = _measured(statements, vectors, embedder)
    if not told:
        return ""
    themes = _themes(told, matrix)
    chosen = _chosen(told, themes, _by_turns(told, matrix, themes), max_tokens, tokens)
    return _written(told, themes, chosen)


def _order(memory: Memory) -> tuple[datetime, str, str]:
    return memory.valid_from or memory.created_at, memory.essence, memory.id


def _statements(memory: Memory, row: int, *, part: int, known: bool, most: _Cut) -> Iterator[_Told]:
    """What a memory says: its essence, or of a narrative each sentence, under its day and as whose word it is told."""
    worth = memory.importance if memory.importance is not None else 0.5
    time = memory.valid_from or memory.created_at
    if memory.origin is not Origin.SELF_CARE:
        text = most(" ".join(memory.essence.split()))
        if memory.valid_to is not None:
            text = f"{text.rstrip('.')} (until {day_text(memory.valid_to)})"
        yield _Told(
            text=text, time=time, first=time, last=time, count=1, trust=memory.source_trust, worth=worth,
            names=_names(memory), part=part, row=row if known else None,
        )  # fmt: skip
        return
    told = memory.source_episodes or memory.learned_from  # nothing in these says whose word it is
    plain = memory.source_trust if told else SourceTrust.PRINCIPAL
    for raw in memory.essence.splitlines():
        line = raw.strip()
        if is_rest(line):
            continue
        heading, rest = line_of(line)
        said = [(day, one) for day, part in dated(rest, heading) for one in split(part)]
        for place, (day, sentence) in enumerate(said):
            at, whole = day or time, heading if heading.count else Heading()
            marked = heading.trust or trust_of(sentence) or plain
            yield _Told(
                text=most(sentence), time=at, first=whole.first or at, last=whole.last or at,
                count=_share(heading.count, len(said), place), trust=least_trusted([marked, plain]), worth=worth,
                names=tuple(labels(sentence).entities), part=part, row=None,
            )  # fmt: skip


def _share(count: int, parts: int, place: int) -> int:
    """Of what a paragraph stands for, what one of its sentences does."""
    return max(1, count // parts + (place < count % parts)) if count else 0


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
    """Places, best first. A theme speaks in proportion to the square root of its size (Webster: over 1, 3, 5 …), and
    every third turn is of what hardly comes up: what happens daily would else drown the one fire.
    """
    said = _Said()
    rare = max(_RARE, len(told) * _RARE_SHARE)
    often, seldom = (
        _turns(told, vectors, [theme for theme in themes if (len(theme) < rare) is few], said)
        for few in (False, True)
    )
    while some := [place for turn in (often, often, seldom) if (place := next(turn, None)) is not None]:
        yield from some


def _turns(
    told: Sequence[_Told], vectors: Floats, themes: Sequence[Sequence[int]], said: _Said
) -> Iterator[int]:
    """Places of these themes, best first."""
    ranked = [_Theme(told, vectors, theme) for theme in themes]
    weights = [math.sqrt(len(theme)) for theme in themes]
    worths = [max(told[place].worth for place in theme) for theme in themes]
    turns = [(-weights[number], -worths[number], number) for number in range(len(themes))]
    heapq.heapify(turns)
    while turns:
        _, worth, number = heapq.heappop(turns)
        place = ranked[number].next(said)
        if place is None:
            continue
        said.note(told[place])
        yield place
        heapq.heappush(turns, (-weights[number] / (2 * ranked[number].spoken + 1), worth, number))


class _Said:
    """Who was named so far, and of which parts of the whole something was told."""

    def __init__(self) -> None:
        self._told = np.zeros(_PARTS)
        self.named: set[str] = set()

    def note(self, one: _Told) -> None:
        """It is told."""
        self.named.update(one.names)
        self._told[one.part] += 1

    @property
    def open(self) -> Floats:
        """For each part in [0, 1] how little was told of it."""
        found: Floats = 1.0 - self._told / max(1.0, self._told.max())
        return found


class _Theme:
    """What a theme has still to say."""

    def __init__(self, told: Sequence[_Told], vectors: Floats, places: Sequence[int]) -> None:
        self._told, self._places = told, places
        self._vectors = vectors[list(places)]
        middle = self._vectors.mean(axis=0)
        middle /= max(float(np.linalg.norm(middle)), 1e-9)
        worth = np.array([told[place].worth for place in places])
        self._score = self._vectors @ middle + _WORTH * worth
        self._parts = np.array([told[place].part for place in places])
        self._open = np.ones(len(places), dtype=bool)
        self._repeats = np.zeros(len(places))
        self._said: list[int] = []

    @property
    def spoken(self) -> int:
        """How many statements it has made."""
        return len(self._said)

    def next(self, said: _Said) -> int | None:
        """The place of its next statement; None where it has said all, or would only say the same again."""
        fresh = np.array([not said.named.issuperset(self._told[place].names) for place in self._places])
        score = self._score + _UNNAMED * fresh - _REPEATS * self._repeats
        score += _UNCOVERED * said.open[self._parts]
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
    """As many as have room, best first. Pieces cost together no less than the whole, so that only what seems too much
    is counted as it will stand.
    """
    theme_of = {place: number for number, theme in enumerate(themes) for place in theme}
    begun: set[int] = set()
    order: list[int] = []
    spent, misses = tokens(_rest(told, themes, ())), 0
    for place in turns:
        number = theme_of[place]
        price = tokens(_said(told[place], year=True, day=True)) + 1
        price += 0 if number in begun else tokens(_heading(told, themes[number], 0)) + 1
        spent += price
        if spent > most:
            exact = tokens(_written(told, themes, {*order, place}))
            spent -= price
            if exact > most:
                misses += 1
                if misses == _MISSES:
                    break
                continue
            spent = exact
        begun.add(number)
        order.append(place)
    chosen = set(order)
    while order and tokens(_written(told, themes, chosen)) > most:
        chosen.discard(order.pop())
    return chosen


def _written(told: Sequence[_Told], themes: Sequence[Sequence[int]], chosen: Collection[int]) -> str:
    """A paragraph for each theme that something is told of, and how much isn't."""
    found: list[str] = []
    for theme in themes:
        some = [told[place] for place in theme if place in chosen]
        if not some:
            continue
        days = {told[place].time.date() for place in theme}
        years = {one.time.year for one in some}
        text, last = _heading(told, theme, len(some)), None
        parts = []
        for one in some:
            fresh = len(days) > 1 and one.time.date() != last
            parts.append(_said(one, day=fresh, year=len(years) > 1))
            last = one.time.date()
        found.append(text + " ".join(parts))
    rest = _rest(told, themes, chosen)
    return "\n".join([*found, rest] if found and rest else found)


def _rest(told: Sequence[_Told], themes: Sequence[Sequence[int]], chosen: Collection[int]) -> str:
    """How much belongs to themes of which nothing is told."""
    silent = (theme for theme in themes if not any(place in chosen for place in theme))
    return rest_line(sum(told[place].count for theme in silent for place in theme))


def _heading(told: Sequence[_Told], theme: Sequence[int], many: int) -> str:
    """The days of the whole theme, whose word it is, how many it is for, and who occurs; ``many`` are told."""
    some = [told[place] for place in theme]
    known = all(one.count for one in some)
    count = sum(one.count for one in some) if known else 0
    heading = Heading(
        first=min(one.first for one in some), last=max(one.last for one in some), trust=some[0].trust, count=count,
    )  # fmt: skip
    return heading.written(_people(some), some=many < count)


def _said(one: _Told, *, day: bool, year: bool) -> str:
    return f"{day_mark(one.time, year=year) if day else ''}{_closed(one.text)}"


def _people(some: Sequence[_Told]) -> str:
    """Who and what several of them name."""
    counts: dict[str, int] = {}
    for one in some:
        for name in one.names:
            counts[name] = counts.get(name, 0) + 1
    known = [name for name, count in counts.items() if count > 1 and not set(name) & set("()\n")]
    often = without_parts(sorted(known, key=lambda name: (-counts[name], name)))
    return f" ({', '.join(often[:_MOST_PEOPLE])})" if often else ""


def _shortened(text: str, most: int, tokens: Tokens) -> str:
    """The text, or of a longer one as many whole words as fit, and a sign that there was more."""
    if len(text.encode()) <= most or tokens(text) <= most:
        return text
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        short = tokens(f"{' '.join(words[:middle])}\u2026") <= most
        low, high = (middle, high) if short else (low, middle - 1)
    return f"{' '.join(words[:low]) if low else text[: max(1, most // 3)]}\u2026"


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "\u2026")) else f"{text}."
