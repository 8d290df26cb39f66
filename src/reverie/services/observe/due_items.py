"""What a message asks to be reminded of, or says is due: goals that quote it, with the time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from itertools import islice

from reverie.domain.capture import Capture
from reverie.domain.kinds import Kind
from reverie.language import quotation_start
from reverie.ports.judges import OWN, Judged, unforged
from reverie.services.observe.due_forms import due_at
from reverie.services.observe.stated import MOST_CAPTURES, OWN_STANDING

FORM = "due"

DueItem = tuple[Capture, datetime]


def due_items(
    text: str, judged: Sequence[Judged], *, said: datetime, zone: tzinfo, now: datetime
) -> tuple[DueItem, ...]:
    """Return the items of a message in its order, at most MOST_CAPTURES, each with the moment in UTC when it falls due.

    Of what its speaker surely says himself alone, as ``due_forms`` reads it. ``said``: when. What was due before
    ``now`` is left out: a talk of last year, read today, asks for nothing any more.
    """
    judged = unforged(text, judged)
    own = [one.own >= OWN for one in judged]
    parts = [one.sentence for one in judged]
    found = (
        (_quoted(text, quotation_start(parts, own, place), place, judged), at)
        for place, one in enumerate(judged)
        if one.own >= OWN_STANDING and (at := due_at(one.sentence.text, said, zone)) is not None and at > now
    )
    return tuple(islice(found, MOST_CAPTURES))


def without_due(captures: Sequence[Capture], items: Sequence[DueItem]) -> tuple[Capture, ...]:
    """Return what else was caught: no sentence is kept twice."""
    spans = [(one.start, one.end) for one, _ in items]
    return tuple(
        one for one in captures if not any(start <= one.start and one.end <= end for start, end in spans)
    )


def _quoted(text: str, first: int, place: int, judged: Sequence[Judged]) -> Capture:
    start, end = judged[first].sentence.start, judged[place].sentence.end
    return Capture(
        essence=text[start:end], kind=Kind.GOAL, priority=None, importance=judged[place].importance, pattern=FORM,
        start=start, end=end,
    )  # fmt: skip
