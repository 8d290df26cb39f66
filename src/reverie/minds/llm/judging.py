"""Judging: lesson and importance of memories that somebody kept without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.domain.snippet import Judgement, Unjudged
from reverie.domain.time import EPOCH
from reverie.memory.change import Said
from reverie.memory.quoting import fenced
from reverie.minds.llm.carrying import Sources
from reverie.minds.llm.prompts import prompt
from reverie.minds.llm.question import Question
from reverie.minds.nights.lines import quoted

if TYPE_CHECKING:
    from reverie.minds.llm.schemas import Judging

MOST = 40
"""Memories in one question."""


def question(memories: Sequence[Unjudged], texts: Sequence[str], output: int) -> Question[Judging]:
    """Return the question about them, of which ``texts`` may be seen; one that leaves any out is asked for again."""
    from reverie.minds.llm.schemas import Judging

    rows = [
        f"[m{place}] {one.kind}: {quoted(text)}"
        for place, (one, text) in enumerate(zip(memories, texts, strict=True), 1)
    ]
    labels = {f"m{place}" for place in range(1, len(memories) + 1)}

    def check(answer: Judging) -> None:
        given = [one.id.strip("[] ") for one in answer.judgements]
        if set(given) != labels or len(given) != len(labels):
            raise ValueError(f"give one entry for each of {', '.join(sorted(labels))}")
        if not all(0 <= one.importance <= 1 for one in answer.judgements):
            raise ValueError("importance lies between 0 and 1")

    return Question(
        prompt=prompt("judge"), data=fenced("\n".join(rows)), schema=Judging, output=output, check=check
    )


def judgements(answer: Judging, memories: Sequence[Unjudged]) -> list[Judgement]:
    """One each, in their order; without a lesson that names what its memory doesn't."""
    by_label = {one.id.strip("[] "): one for one in answer.judgements}
    found = []
    for place, memory in enumerate(memories, 1):
        one = by_label[f"m{place}"]
        lesson = one.lesson.strip()
        carried = Sources([Said(text=memory.essence, speaker=None, time=EPOCH)]).suggest(lesson)
        found.append(Judgement(lesson=lesson if lesson and carried else None, importance=one.importance))
    return found
