"""Tell by quoting: what says most, word for word, in order of time, each line with who said it and when.

Memories become a narrative, messages a summary. A line of ours names who and when, so that it can be quoted again in
a summary of summaries; prose of another mind is taken sentence by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Origin, Quoted
from reverie.language import sentences
from reverie.language.dates import DAY, day_text
from reverie.memory.prompt import estimated_tokens
from reverie.memory.quoting import HEARSAY_MARKS, heading_of, quotation, said_before, shortened
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.ports.judges import Heard, Judges

_MOST_EMBEDDED = 96
"""The longest messages, and the longest lines of narratives, are looked at; the others are left out."""
_CENTRAL, _REPEATS, _UNCOVERED = 0.5, 0.6, 0.3
"""What it counts that a piece is near to the middle of all; that it says what was told; that its time is untold."""
_TOLD_BEFORE = 0.25
"""What it counts that a line stands in the summary so far."""
_SAME = 0.99
"""Cosine from which a piece is in the same words as one that is told."""
_PARTS = 8
"""The time that is told of is parted into so many."""
_USUAL = 0.5
"""The worth of what nobody judged."""
_GAP = " \u2026 "
_LINE = re.compile(rf"(?:[^\n]{{1,200}}?, )?{DAY}(?: \(asked \"[^\n]{{0,200}}?\"\)|{HEARSAY_MARKS})?: ")

Tokens = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """One piece, at ``place``, of a line that begins with ``head``. ``row``: of which vector it is, None where it has
    none yet.
    """

    line: int
    place: int
    head: str
    text: str
    worth: float
    row: int | None = None


def narrated(
    memories: Sequence[Memory], max_tokens: int, *, embedder: Embedder, vectors: Floats | None = None
) -> str:
    """Return the most central memories in order of time, a line each: as many as ``max_tokens`` hold by
    ``memory.prompt.budget.estimated_tokens``. Empty only where there is nothing to tell or no word fits.

    ``vectors``, shape (n, dimensions), are those of the essences; without them 96 pieces are embedded here. Equal
    memories give an equal text, in whatever order they come.
    """
    order = sorted(range(len(memories)), key=lambda row: _order(memories[row]))
    pieces = [
        _Piece(
            line=line, place=0, head=head, text=text, row=None if vectors is None or of_narrative else row,
            worth=_USUAL if memories[row].importance is None else memories[row].importance or 0.0,
        )
        for line, (row, of_narrative, head, text) in enumerate(
            (row, memories[row].origin is Origin.SELF_CARE, *said) for row in order for said in _lines(memories[row])
        )
    ]  # fmt: skip
    bare = [one for one in pieces if one.row is None]
    kept = set(_longest([one.text for one in bare]))
    out = {one.line for place, one in enumerate(bare) if place not in kept}
    pieces = [one for one in pieces if one.line not in out]
    fresh = [one.text for one in pieces if one.row is None]
    made = iter(embedder.embed(fresh)) if fresh else iter(())
    rows = [next(made) if vectors is None or one.row is None else vectors[one.row] for one in pieces]
    return _told(pieces, _stacked(rows, embedder), max_tokens, embedder)


def compressed(
    messages: Sequence[Episode], so_far: str | None, max_tokens: int, *, embedder: Embedder, judges: Judges,
    vectors: Callable[[Sequence[str]], Floats],
) -> str:  # fmt: skip
    """Return the sentences that say most of ``so_far`` and of the messages, a line a message, in their order: as many
    as ``max_tokens`` hold. Empty only where there is nothing to say or no word fits. ``vectors`` embeds messages.
    """
    before = [*_prose(so_far or "")]
    pieces = [
        _Piece(line=place, place=0, head="", text=text, worth=_USUAL + _TOLD_BEFORE, row=place)
        for place, text in enumerate(before)
    ]
    places = _longest([one.content for one in messages])
    some = [messages[place] for place in places]
    asked = [said_before(messages[place - 1] if place else None, messages[place]) for place in places]
    rows = vectors([*before, *(one.content for one in some)])
    heard = [
        Heard(text=one.content, vector=row, asked=said, apart=frozenset())
        for one, row, said in zip(some, rows[len(before) :], asked, strict=True)
    ]
    for number, (message, judged) in enumerate(zip(some, judges.judge(heard), strict=True), len(before)):
        head = _head_of(message)
        pieces += (
            _Piece(
                line=number, place=place, head=head, text=" ".join(one.sentence.text.split()),
                worth=one.importance + one.lasting, row=number,
            )
            for place, one in enumerate(judged)
        )  # fmt: skip
    return _told(pieces, _stacked([rows[one.row or 0] for one in pieces], embedder), max_tokens, embedder)


def _order(memory: Memory) -> tuple[object, str, str]:
    return memory.valid_from or memory.created_at, memory.essence, memory.id


def _lines(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield a memory's lines, as head and text: of a narrative each line by itself."""
    at = memory.valid_from or memory.created_at
    marked = f"{day_text(at)}{heading_of(memory.source_trust)}: "
    until = "" if memory.valid_to is None else f" (until {day_text(memory.valid_to)})"
    if memory.origin is Origin.SELF_CARE:
        # Nothing in a narrative of memories says whose word it is but its lines; one of messages is their speakers'.
        of_others = bool(memory.source_episodes or memory.learned_from)
        for text in _prose(memory.essence):
            yield "" if _LINE.match(text) else marked if of_others else f"{day_text(at)}: ", text
    elif memory.quoted is not None:
        yield "", quotation(_plain(memory.essence), memory.quoted, memory.quoted.at.tzinfo or UTC) + until
    else:
        yield marked, _plain(memory.essence) + until


def _prose(text: str) -> Iterator[str]:
    """Yield the lines of a narrative or a summary; one that isn't ours by its sentences."""
    for line in text.splitlines():
        if _LINE.match(line):
            yield _plain(line)
        else:
            yield from (_plain(one.text) for one in sentences(line))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _longest(texts: Sequence[str]) -> list[int]:
    """Return the places of as many as may be embedded, in their order."""
    best = sorted(range(len(texts)), key=lambda place: (-len(texts[place]), place))
    return sorted(best[:_MOST_EMBEDDED])


def _head_of(message: Episode) -> str:
    who = Quoted(episode=message.id, role=message.role, speaker=message.speaker, at=message.time)
    return quotation("", who, message.time.tzinfo or UTC)


def _stacked(rows: Sequence[Floats], embedder: Embedder) -> Floats:
    return np.stack(rows) if rows else np.zeros((0, embedder.dimensions), np.float32)


def _told(pieces: Sequence[_Piece], vectors: Floats, max_tokens: int, embedder: Embedder) -> str:
    """Return the pieces that are chosen, as they stand in a text; part of the best one where none fits whole."""

    def tokens(text: str) -> int:
        return estimated_tokens(text, embedder.count_tokens, enough=max_tokens)

    if not pieces or max_tokens < 1:
        return ""
    chosen = [*_chosen(pieces, vectors, max_tokens, tokens)]
    if chosen:
        return _written([pieces[row] for row in chosen])
    best = pieces[max(range(len(pieces)), key=lambda row: (pieces[row].worth, -row))]
    cut = _cut(best.head + best.text, tokens, max_tokens)
    return cut if len(cut) > len(best.head) else _cut(best.text, tokens, max_tokens)


def _chosen(pieces: Sequence[_Piece], vectors: Floats, max_tokens: int, tokens: Tokens) -> list[int]:
    """Return the rows of what is told, in their order: time and again the best that has room. Pieces cost together no
    less than the text that they make.
    """
    centre = vectors.mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    worth = np.array([one.worth for one in pieces]) + _CENTRAL * (vectors @ centre)
    part = np.array([row * _PARTS // len(pieces) for row in range(len(pieces))])
    lines = np.array([one.line for one in pieces])
    heads = np.array([tokens(one.head + "\n") for one in pieces])
    costs = np.array([tokens(one.text + (_GAP if one.place else "")) for one in pieces]) + heads
    open_ = np.ones(len(pieces), dtype=bool)
    repeats, told = np.zeros(len(pieces)), np.zeros(_PARTS)
    found: list[int] = []
    left = max_tokens
    while (fits := open_ & (costs <= left)).any():
        score = worth - _REPEATS * repeats + _UNCOVERED * (1.0 - told[part] / max(1.0, told.max()))
        row = int(np.argmax(np.where(fits, score, -np.inf)))
        found.append(row)
        left -= int(costs[row])
        open_[row] = False
        told[part[row]] += 1
        costs = np.where((lines == lines[row]) & open_, costs - heads, costs)
        heads = np.where(lines == lines[row], 0, heads)
        other = lines != lines[row]  # sentences of one message have one vector
        repeats = np.where(other, np.maximum(repeats, vectors @ vectors[row]), repeats)
        open_ &= repeats < _SAME
    return sorted(found)


def _written(pieces: Sequence[_Piece]) -> str:
    """Their lines; what a line leaves out between two pieces is marked."""
    found: list[str] = []
    last: _Piece | None = None
    for one in pieces:
        if last is None or last.line != one.line:
            found.append(one.head + one.text)
        else:
            found[-1] += (" " if one.place == last.place + 1 else _GAP) + one.text
        last = one
    return "\n".join(found)


def _cut(text: str, tokens: Tokens, most: int) -> str:
    """Return the longest beginning that fits, at a word's end where one does, with a sign that there was more."""
    low, high = 0, min(len(text), 16 * most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(shortened(text, middle)) <= most else (low, middle - 1)
    short = shortened(text, low) if low else ""
    return "" if short == "\u2026" else short
