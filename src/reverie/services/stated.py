"""stated: which sentences of a message capture keeps, and as what: where a form and the judges agree.

The thresholds were chosen on talks that the judges had not seen: ``python -m tools.judges.forms`` prints what others
would give, docs/why/capture.md what these give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from reverie.domain.capture import Capture, CapturePattern
from reverie.domain.kinds import Kind, Priority
from reverie.ports.judges import Judged, unforged
from reverie.rules.segments import back, sentences
from reverie.rules.stating import Form, forms_of, has_form, pattern_of, reports

OWN = 0.6
"""Least probability that a sentence is its speaker's own and meant, for it to be kept."""
OWN_STANDING = 0.7
"""The same, for it to rank as standing."""
_STANDING = {Form.CONSTRAINT: 0.6, Form.RULE: 0.3, Form.ORDER: 0.6, Form.REMEMBER: 0.6}
"""Least probability that it tells the agent how to behave from now on, for it to rank as such, by form."""
_ELSE_STANDING = 0.7
_NEVER = 2.0
_LASTING = {Form.TASTE: 0.7, Form.CORRECTION: 0.5, Form.HEALTH: 0.1, Form.REMEMBER: 0.0}
"""Least probability that it is worth knowing in a month, for it to be kept without such rank. What else has a form and
isn't standing is the task of the moment.
"""
_VITAL = 0.5
"""From this probability on a condition of health ranks as standing, too: it bears on food, travel and medicine."""
MOST_CAPTURES = 8
"""A message that states more is a document, or an attempt to flood the memory."""
WISHED_IMPORTANCE = HEALTH_IMPORTANCE = 0.9
_SHORT = 80
_PLAIN = {Kind.POLICY: Kind.PREFERENCE, Kind.WORKFLOW: Kind.FACT, Kind.ARCHITECTURE: Kind.FACT}
"""What would steer the agent, as information."""


def may_state(text: str, extra: Sequence[CapturePattern]) -> bool:
    """Return whether a message is worth judging: a sentence of it has a form."""
    if len(sentences(text)) == 1 and Form.THIS in forms_of(text):
        return False
    return bool(with_form(text, extra))


def with_form(text: str, extra: Sequence[CapturePattern]) -> frozenset[int]:
    """Return the places of a message's first MOST_CAPTURES sentences that have a form."""
    found = (
        place
        for place, one in enumerate(sentences(text))
        if has_form(one.text) or pattern_of(one.text, extra)
    )
    return frozenset(islice(found, MOST_CAPTURES))


def asks_for_before(text: str) -> bool:
    """Return whether a message says no more than that what was said before it shall be remembered."""
    return len(text) <= _SHORT and len(sentences(text)) == 1 and Form.THIS in forms_of(text)


def stated(text: str, judged: Sequence[Judged], extra: Sequence[CapturePattern]) -> tuple[Capture, ...]:
    """Return what the speaker of a message states for good, in its order, at most MOST_CAPTURES."""
    found: dict[int, Capture] = {}
    judged = unforged(text, judged)
    for place, one in enumerate(judged):
        if one.own < OWN:
            continue
        forms = forms_of(one.sentence.text)
        if Form.THIS in forms and place:
            if judged[place - 1].own >= OWN:
                found[place - 1] = _wished(text, judged, place - 1)
            continue
        own = pattern_of(one.sentence.text, extra)
        if own is not None:
            found[place] = _by_pattern(text, judged, place, own)
        elif (form := next((form for form in forms if _stays(one, form)), None)) is not None:
            made = _capture(text, judged, place, form)
            within = [
                at for at, had in found.items() if made.start <= had.start and _rank(had) == _rank(made)
            ]
            found = {at: had for at, had in found.items() if at not in within} | {place: made}
    return tuple(found[place] for place in sorted(found))[:MOST_CAPTURES]


def last_said(text: str, judged: Sequence[Judged]) -> tuple[Capture, ...]:
    """Return the last thing that the speaker of a message says in it, which shall be remembered."""
    last = next((place for place in reversed(range(len(judged))) if judged[place].own >= OWN), None)
    return () if last is None else (_wished(text, judged, last),)


def _wished(text: str, judged: Sequence[Judged], place: int) -> Capture:
    """What shall be remembered, whatever its form."""
    form = next(iter(forms_of(judged[place].sentence.text)), Form.REMEMBER)
    found = _capture(text, judged, place, form)
    return replace(found, importance=WISHED_IMPORTANCE)


def _capture(text: str, judged: Sequence[Judged], place: int, form: Form) -> Capture:
    one = judged[place]
    standing = _stands(one, form)
    start, end = _run(judged, place)
    if standing:
        kind = Kind.POLICY if form is Form.CONSTRAINT else Kind.PREFERENCE
    else:
        kind = Kind.PREFERENCE if form in (Form.TASTE, Form.HEALTH) else _PLAIN.get(one.kind, one.kind)
    wished = {Form.REMEMBER: WISHED_IMPORTANCE, Form.HEALTH: HEALTH_IMPORTANCE}.get(form, 0.0)
    return Capture(
        essence=text[start:end],
        kind=kind,
        priority=Priority.HIGH if standing and kind is Kind.PREFERENCE else None,
        importance=max(one.importance, wished),
        pattern=form,
        start=start,
        end=end,
    )


def _rank(capture: Capture) -> tuple[Kind, Priority | None]:
    return capture.kind, capture.priority


def _stays(one: Judged, form: Form) -> bool:
    return _stands(one, form) or one.lasting >= _LASTING.get(form, _NEVER)


def _stands(one: Judged, form: Form) -> bool:
    if one.own < OWN_STANDING:
        return False
    if form is Form.HEALTH and one.lasting >= _VITAL:
        return True
    return not reports(one.sentence.text) and one.standing >= _STANDING.get(form, _ELSE_STANDING)


def _by_pattern(text: str, judged: Sequence[Judged], place: int, own: CapturePattern) -> Capture:
    """What a user's own pattern catches is kept as that says, of whatever rank: it is their word."""
    start, end = _run(judged, place)
    return Capture(
        essence=text[start:end],
        kind=own.kind,
        priority=own.priority,
        importance=own.importance,
        pattern=own.name,
        start=start,
        end=end,
    )


def _run(judged: Sequence[Judged], place: int) -> tuple[int, int]:
    """Where the quotation begins and ends: the sentence, with those that it points back at."""
    parts, own = [one.sentence for one in judged], [one.own >= OWN for one in judged]
    return parts[back(parts, own, place)].start, parts[place].end
