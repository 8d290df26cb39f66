"""Layer B of a block: memories and what was said, in one order by their usefulness, and what both say once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.domain.episode import Episode
from reverie.domain.kinds import Priority
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.language.dates import day_text
from reverie.memory.decay import activation
from reverie.memory.prompt.activation import Situation
from reverie.memory.prompt.block import BlockLine, BlockSection, one_line, source_label
from reverie.memory.quoting import excerpt, who_said

_LEFT_OUT = "\u2026 "
"""What marks an excerpt where something is left out: no words of the message."""
MOST_STANDS = 0.5
"""What has more than this share of its words in a better line isn't packed beside it."""


def said_lines(
    answers: Sequence[tuple[Episode, float]], wanted: frozenset[str], around: Situation, at: datetime
) -> tuple[BlockLine, ...]:
    """Return the episodes that bear on the task as quotations, each given with its relevance, which counts times its
    activation ``at`` a time: that of a memory of medium priority that was made when it was said.

    What others or outside sources said is labelled and stands apart. What was said in the same words twice stands
    once. In the block they stand oldest first. ``wanted``: the task's stems, for what is shown of a long one.
    """
    lines: list[BlockLine] = []
    known: set[str] = set()
    for episode, relevance in answers:
        words = " ".join(episode.content.casefold().split())
        score = relevance * _activation_of(episode, at)
        if words in known or score < around.threshold:
            continue
        known.add(words)
        trusted = episode.source_trust in (SourceTrust.PRINCIPAL, SourceTrust.AGENT)
        label = "" if trusted else source_label(episode.source_trust)
        head = f"{who_said(episode.role, episode.speaker)}, {day_text(episode.time.astimezone(around.zone))}"
        quoted = one_line(excerpt(episode.content, wanted))
        ended = f" (outcome: {one_line(episode.outcome)})" if episode.outcome else ""
        text = f"- {label}{one_line(head)}: {quoted}{ended}"
        section = BlockSection.SAID if trusted else BlockSection.TOLD
        order = (micros(episode.time), episode.id)
        lines.append(
            BlockLine(
                id=episode.id,
                section=section,
                text=text,
                score=score,
                order=order,
                quotes=(episode.id, quoted.strip(_LEFT_OUT)),
            )
        )
    return tuple(lines)


def packed_lines(lines: Iterable[BlockLine], standing: Iterable[BlockLine]) -> tuple[BlockLine, ...]:
    """Return the lines in the order in which they are packed, best first. What mostly stands already, in a ``standing``
    line or a better one, isn't packed again; what says much more than a better line within it takes that one's place.
    """
    stands = defaultdict[str, dict[str, str]](dict)  # by episode: words by id
    for line in standing:
        if line.quotes is not None:
            stands[line.quotes[0]][line.id] = line.quotes[1]
    found: dict[str, BlockLine] = {}
    for line in sorted(lines, key=lambda line: (-round(line.score, 9), line.id)):
        if line.quotes is None:
            found[line.id] = line
            continue
        episode, words = line.quotes
        others = stands[episode]
        if any(_stands(words, other) for other in others.values()):
            continue
        within = [id for id, other in others.items() if id in found and other in words]
        if within:
            place, *rest = within
            kept = {id: one for id, one in found.items() if id not in rest}
            found = {line.id if id == place else id: line if id == place else one for id, one in kept.items()}
        else:
            found[line.id] = line
        others[line.id] = words
    return tuple(found.values())


def _stands(words: str, other: str) -> bool:
    return words in other or (other in words and len(other) > MOST_STANDS * len(words))


def _activation_of(episode: Episode, at: datetime) -> float:
    return activation(
        Priority.MEDIUM, reinforcement_count=1, touches=0,
        last_reinforced_at=episode.time, last_touched_at=None, now=at,
    )  # fmt: skip
