"""Carried: which sentences of a summary or a self-portrait may be stored, whatever mind wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo

from reverie.domain.memory import Memory
from reverie.memory.change.evidence import ELSEWHERE, LEAST_COSINE, NAME, Facts, Said
from reverie.memory.privacy import has_account
from reverie.memory.quoting import forged_blocks


def carried(
    texts: Sequence[str], said: Sequence[Said], zone: tzinfo, names: Iterable[str], *, closely: bool = False
) -> list[str]:
    """Return those of the texts that what was said carries, in their order.

    Left out is what has a number or a name from nowhere, holds a marker of what Reverie puts into prompts, or the
    number of an account; with ``closely`` also what has too few words of what was said. ``names`` are known, too.
    """
    facts, left_out = Facts(said, zone, names=names), {NAME, ELSEWHERE} if closely else {NAME}
    return [
        text
        for text in texts
        if not forged_blocks(text)
        and not has_account(text)
        and facts.missing(text) is None
        and not left_out.intersection(facts.doubts(text, LEAST_COSINE))
    ]


def said_in(memory: Memory) -> Said:
    """Return what a memory says, with its lesson: of a quotation with who said it, in answer to what, and when, else at
    the time from which it holds.
    """
    text = f"{memory.essence}\n{memory.lesson}" if memory.lesson else memory.essence
    said = memory.quoted
    if said is None:
        return Said(text=text, speaker=None, time=memory.valid_from or memory.created_at)
    beside = (said.answers, *(day for _, day in said.dates))
    return Said(text="\n".join((text, *filter(None, beside))), speaker=said.speaker, time=said.at)
