"""What a context block tells of the people who take part: how the agent sees each, a line a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from reverie.domain.block import LeftOut, Reason
from reverie.domain.names import name_key
from reverie.domain.relationship import Meetings, View
from reverie.memory.prompt.block import BlockLine, BlockSection, Count, left_out, one_line
from reverie.memory.quoting import shown_name


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """How the agent sees somebody, and what conversations tell of the two."""

    view: View
    meetings: Sequence[Meetings] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleLines:
    """The lines that enter, and what was left out."""

    lines: tuple[BlockLine, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def people_lines(people: Sequence[Person], zone: tzinfo, *, most: int, count: Count) -> PeopleLines:
    """Return a line for each, the first first, as long as heading and lines cost no more than ``most`` together.
    Where notes make one too long, it enters without them; one that doesn't fit even so is passed over.
    """
    lines: list[BlockLine] = []
    left: list[LeftOut] = []
    for person in people:
        fitting = (
            line
            for line in _lines(person, zone)
            if count("\n".join([BlockSection.PEOPLE.heading, *(one.text for one in (*lines, line))])) <= most
        )
        line = next(fitting, None)
        if line is not None:
            lines.append(line)
        else:
            left.append(left_out(_lines(person, zone)[0], Reason.BUDGET))
    return PeopleLines(lines=tuple(lines), left_out=tuple(left))


def _lines(person: Person, zone: tzinfo) -> Sequence[BlockLine]:
    """Return the line of a person, whole and without notes."""
    view = person.view
    seen = f"{shown_name(view.other) or '?'}: {one_line(view.type)}, trust {round(view.trust, 2):g}"
    if view.tone is not None:
        seen += f", {one_line(view.tone)}"
    known = _known(person.meetings, zone)
    texts = [seen + known] if view.notes is None else [f"{seen}; {one_line(view.notes)}{known}", seen + known]
    order = (0, name_key(view.other))
    return [
        BlockLine(id=view.id, section=BlockSection.PEOPLE, text=f"- {text}", score=0.0, order=order)
        for text in texts
    ]


def _known(meetings: Sequence[Meetings], zone: tzinfo) -> str:
    """Tell since when a person is known, and how often they met. Conversations count, not messages: those would
    change the block at every turn.
    """
    if not meetings:
        return ""
    first = min(one.first_at for one in meetings).astimezone(zone).date().isoformat()
    often = sum(one.conversations for one in meetings)
    return f" (first met {first}, {often} conversation{'s' if often != 1 else ''})"
