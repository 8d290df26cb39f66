"""Select what people said that is worth keeping: runs of sentences of one message, word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Quoted
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.language import LONGEST, asks, quotation_span
from reverie.memory.change import as_information
from reverie.memory.quoting import question_in, said_before
from reverie.ports.judges import OWN, Heard, Judged, Judges, unforged

Floats = NDArray[np.float32]

LASTING = 0.4
"""Least probability that one sentence of a quotation is worth knowing in a month."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotation:
    """A run of sentences of a message, with what the judges say of the most lasting one."""

    message: Episode
    text: str
    quoted: Quoted
    kind: Kind
    lasting: float
    importance: float


def selected(messages: Sequence[Episode], vectors: Mapping[str, Floats], judges: Judges) -> list[Quotation]:
    """Return what is worth keeping of the messages, which are in order. ``vectors``: the messages', by id.

    Only what people said is looked at (role user), and of that only what isn't from outside.
    """
    before: dict[str, Episode] = {}
    heard: list[tuple[Episode, str]] = []
    for one in messages:
        last = before.get(one.conversation)
        if one.role is Role.USER and one.source_trust is not SourceTrust.EXTERNAL and one.id in vectors:
            heard.append((one, said_before(last, one)))
        before[one.conversation] = one
    judged = judges.judge(
        [Heard(text=one.content, vector=vectors[one.id], asked=asked) for one, asked in heard]
    )
    return [
        quotation
        for (one, asked), some in zip(heard, judged, strict=True)
        for quotation in _quotations(one, some, asked)
    ]


def stated(messages: Sequence[Episode], vectors: Floats, judges: Judges) -> dict[str, list[str]]:
    """Return the sentences of each message that are its sender's own and worth keeping, by its id, in their order."""
    judged = judges.judge(
        [Heard(text=one.content, vector=row) for one, row in zip(messages, vectors, strict=True)]
    )
    kept = {
        one.id: [each.sentence.text for each in some if _tells(each)]
        for one, some in zip(messages, judged, strict=True)
    }
    return {id: texts for id, texts in kept.items() if texts}


def _tells(one: Judged) -> bool:
    """Return whether a sentence is its sender's own and worth keeping; a question states nothing."""
    return one.own >= OWN and one.lasting >= LASTING and not asks(one.sentence.text)


def runs(judged: Sequence[Judged]) -> list[tuple[int, int]]:
    """Return the first and the last sentence of each run of a message's sentences that is worth keeping, in order."""
    parts, own = [one.sentence for one in judged], [one.own >= OWN for one in judged]
    found: list[tuple[int, int]] = []
    for place, one in enumerate(judged):
        if not _tells(one):
            continue
        first, last = quotation_span(parts, own, place)
        if found and last <= found[-1][1]:
            continue
        if found and first <= found[-1][1] + 1:
            if parts[last].end - parts[found[-1][0]].start <= LONGEST:
                first = found.pop()[0]
            else:
                first = max(first, found[-1][1] + 1)
        found.append((first, last))
    return found


def _quotations(message: Episode, judged: Sequence[Judged], asked: str) -> list[Quotation]:
    judged = unforged(message.content, judged)
    return [
        _quotation(message, judged[first : last + 1], asked if not first else "")
        for first, last in runs(judged)
    ]


def _quotation(message: Episode, run: Sequence[Judged], asked: str) -> Quotation:
    """Keep what would steer the agent as information: standing rules are capture's."""
    told = [one for one in run if _tells(one)]
    best = max(told, key=lambda one: one.lasting)
    text = message.content[run[0].sentence.start : run[-1].sentence.end]
    return Quotation(
        message=message, text=text, kind=as_information(best.kind), lasting=best.lasting,
        importance=max(one.importance for one in told),
        quoted=Quoted(
            episode=message.id, role=message.role, speaker=message.speaker, at=message.time,
            answers=question_in(asked),
        ),
    )  # fmt: skip
