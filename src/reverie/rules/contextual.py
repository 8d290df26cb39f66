"""Layer B of a block: memories and what was said, in one order by their usefulness, and what both say once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from reverie.domain.episode import Episode
from reverie.domain.kinds import Priority
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.rules.activation import Around
from reverie.rules.block import Line, Section, one_line, source_label
from reverie.rules.decay import activation
from reverie.rules.quotation import day_of, excerpt, who_said

MOST_STANDS = 0.5
"""A line of which more than this share stands in the block already isn't packed."""


def said(
    answers: Sequence[tuple[Episode, float]], wanted: frozenset[str], around: Around, at: datetime
) -> tuple[Line, ...]:
    """The episodes that bear on the task as quotations, each given with its relevance, which counts times its
    activation ``at`` a time: that of a memory of medium priority that was made when it was said.

    What others or outside sources said is labelled and stands apart. What was said in the same words twice stands
    once. In the block they stand oldest first. ``wanted``: the task's stems, for what is shown of a long one.
    """
    lines: list[Line] = []
    known: set[str] = set()
    for episode, relevance in answers:
        words = " ".join(episode.content.casefold().split())
        score = relevance * _activation_of(episode, at)
        if words in known or score < around.threshold:
            continue
        known.add(words)
        trusted = episode.source_trust in (SourceTrust.PRINCIPAL, SourceTrust.AGENT)
        label = "" if trusted else source_label(episode.source_trust)
        head = f"{who_said(episode.role, episode.speaker)}, {day_of(episode.time, around.zone)}"
        text = f"- {label}{one_line(f'{head}: {excerpt(episode.content, wanted)}')}"
        section = Section.SAID if trusted else Section.TOLD
        order = (micros(episode.time), episode.id)
        lines.append(Line(id=episode.id, section=section, text=text, score=score, order=order))
    return tuple(lines)


def packed(
    lines: Iterable[Line], quoted: Mapping[str, tuple[str, str]], standing: Iterable[str]
) -> tuple[Line, ...]:
    """The lines in the order in which they are packed, best first, without those that mostly stand already: as a
    standing memory, or as a better line. ``quoted``: by id of a line or of one of the ``standing`` memories the episode
    that it quotes, and the words.
    """
    stands = defaultdict[str, list[str]](list)
    for id in standing:
        if id in quoted:
            episode, words = quoted[id]
            stands[episode].append(words)
    found: list[Line] = []
    for line in sorted(lines, key=lambda line: (-round(line.score, 9), line.id)):
        if line.id in quoted:
            episode, words = quoted[line.id]
            if _repeats(words, stands[episode]):
                continue
            stands[episode].append(words)
        found.append(line)
    return tuple(found)


def words_of(line: Line) -> str:
    """The words of a quotation, behind its head, in which there is no colon (``quotation.called``)."""
    return line.text.partition(": ")[2]


def _repeats(words: str, others: Iterable[str]) -> bool:
    return any(
        words in other or (other in words and len(other) > MOST_STANDS * len(words)) for other in others
    )


def _activation_of(episode: Episode, at: datetime) -> float:
    return activation(
        Priority.MEDIUM, reinforcement_count=1, touches=0,
        last_reinforced_at=episode.time, last_touched_at=None, now=at,
    )  # fmt: skip
