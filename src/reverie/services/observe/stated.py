"""Choose which sentences of a message capture keeps, and as what: where a form and the judges agree.

The thresholds were chosen on talks that the judges had not seen: ``python -m tools.judges.forms`` prints what others
would give, docs/why/capture.md what these give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from reverie.domain.capture import Capture, CapturePattern
from reverie.domain.kinds import Kind, Priority
from reverie.language import LONGEST, quotation_start, sentences
from reverie.memory.change import as_information
from reverie.ports.judges import OWN, Heard, Judged, unforged
from reverie.services.observe.statement_forms import Form, forms_of, has_form, pattern_of, reports

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
"""From this probability on a sentence that has the form of health ranks as standing, too: it bears on food, travel and
medicine.
"""
_HEALTH = 0.7
"""Least probability that a sentence tells somebody's health, for it to be kept and to rank so without the form: the
judge is as often right then as the form.
"""
_MAY_BE_HEALTH = 0.1
"""The same, without a vector of the sentence's own, for it to get one."""
MOST_CAPTURES = 8
"""A message that states more is a document, or an attempt to flood the memory."""
WISHED_IMPORTANCE = HEALTH_IMPORTANCE = 0.9
_SHORT = 80
_LINE_END, _EMPTY_LINE = re.compile(r"\n"), re.compile(r"\n[^\S\n]*\n")


def with_form(text: str, extra: Sequence[CapturePattern]) -> frozenset[int]:
    """Return the places of a message's first MOST_CAPTURES sentences that have a form."""
    found = (
        place
        for place, one in enumerate(sentences(text))
        if has_form(one.text) or pattern_of(one.text, extra)
    )
    return frozenset(islice(found, MOST_CAPTURES))


def read_closely(
    judge: Callable[[Sequence[Heard]], Sequence[Sequence[Judged]]], heard: Sequence[Heard]
) -> Sequence[Sequence[Judged]]:
    """Judge messages, and once more those of which a sentence may tell somebody's health: with that one embedded by
    itself. Few are.
    """
    judged = [*judge(heard)]
    again: dict[int, Heard] = {}
    for number, (one, some) in enumerate(zip(heard, judged, strict=True)):
        apart = one.apart or frozenset()
        more = {place for place, each in enumerate(some) if each.health >= _MAY_BE_HEALTH} - apart
        if more and len(some) > 1:
            again[number] = replace(one, apart=apart | more)
    judged_again = judge([*again.values()]) if again else []
    for number, some in zip(again, judged_again, strict=True):
        judged[number] = some
    return judged


def asks_for_before(text: str) -> bool:
    """Return whether a message says no more than that what was said before it shall be remembered."""
    return len(text) <= _SHORT and len(sentences(text)) == 1 and Form.THIS in forms_of(text)


def stated(text: str, judged: Sequence[Judged], extra: Sequence[CapturePattern]) -> tuple[Capture, ...]:
    """Return what the speaker of a message states for good, in its order, at most MOST_CAPTURES."""
    found: dict[int, Capture] = {}
    wished: list[Capture] = []
    judged = unforged(text, judged)
    for place, one in enumerate(judged):
        if one.own < OWN:
            continue
        forms = _forms(one)
        request = next((form for form in forms if form in (Form.THIS, Form.THESE)), None)
        if request is not None:
            wished += (_wished(text, judged, run) for run in _named(text, judged, place, request))
            continue
        own = pattern_of(one.sentence.text, extra)
        if own is not None:
            found[place] = _by_pattern(text, judged, place, own)
        elif (form := next((form for form in forms if _stays(one, form)), None)) is not None:
            made = _capture(text, judged, place, form)
            within = [at for at, had in found.items() if _holds(made, had)]
            found = {at: had for at, had in found.items() if at not in within} | {place: made}
    rest = [one for one in found.values() if not any(_holds(whole, one) for whole in wished)]
    return tuple(sorted([*wished, *rest], key=lambda one: one.start))[:MOST_CAPTURES]


def last_said(text: str, judged: Sequence[Judged]) -> tuple[Capture, ...]:
    """Return the last thing that the speaker of a message says in it, which shall be remembered."""
    last = next((place for place in reversed(range(len(judged))) if judged[place].own >= OWN), None)
    return () if last is None else (_wished(text, judged, _run(judged, last)),)


def _forms(one: Judged) -> tuple[Form, ...]:
    """Return the forms of a sentence, what binds most first: health, too, where the judges alone tell it."""
    text = one.sentence.text
    forms = {*forms_of(text)} | ({Form.HEALTH} if one.health >= _HEALTH and not text.endswith("?") else set())
    return tuple(form for form in Form if form in forms)


def _named(text: str, judged: Sequence[Judged], place: int, request: Form) -> Iterator[range]:
    """Yield what a request to remember names, in runs of at most LONGEST characters.

    "Remember this" names the sentence before it or what follows, whichever is more lasting; a colon what follows. That
    is the rest of its line, or the lines below it up to an empty one: as far as they are the speaker's own and don't
    ask.
    """
    behind = place + 1
    after = judged[behind].lasting if behind < len(judged) else 0.0
    before = judged[place - 1] if place and request is Form.THIS else None
    if before is not None and before.own >= OWN and before.lasting >= after:
        yield _run(judged, place - 1)
        return
    first = place if request is Form.THESE and not judged[place].sentence.text.endswith(":") else behind
    if first == len(judged):
        return
    in_line = judged[first].sentence.line == judged[place].sentence.line
    end = (_LINE_END if in_line else _EMPTY_LINE).search(text, judged[first].sentence.start)
    limit = len(text) if end is None else end.start()
    start = first
    for at in range(first, len(judged)):
        one = judged[at].sentence
        if one.start >= limit or (at > place and (judged[at].own < OWN or one.text.endswith("?"))):
            break
        if one.end - judged[start].sentence.start > LONGEST and at > start:
            yield range(start, at)
            start = at
        first = at + 1
    if start < first:
        yield range(start, first)


def _wished(text: str, judged: Sequence[Judged], run: range) -> Capture:
    """Return what shall be remembered, whatever its form: sentences of which the most lasting says as what."""
    best = max(run, key=lambda place: judged[place].lasting)
    found = _capture(text, judged, best, next(iter(_forms(judged[best])), Form.REMEMBER))
    start, end = judged[run[0]].sentence.start, judged[run[-1]].sentence.end
    return replace(found, essence=text[start:end], start=start, end=end, importance=WISHED_IMPORTANCE)


def _holds(whole: Capture, part: Capture) -> bool:
    """Return whether one says all that another says, and of the same rank."""
    return whole.start <= part.start and part.end <= whole.end and _rank(whole) == _rank(part)


def _capture(text: str, judged: Sequence[Judged], place: int, form: Form) -> Capture:
    one = judged[place]
    standing = _stands(one, form)
    run = _run(judged, place)
    start, end = judged[run[0]].sentence.start, judged[place].sentence.end
    if standing:
        kind = Kind.POLICY if form is Form.CONSTRAINT else Kind.PREFERENCE
    else:
        kind = Kind.PREFERENCE if form in (Form.TASTE, Form.HEALTH) else as_information(one.kind)
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
    if form is Form.HEALTH and (one.lasting >= _VITAL or one.health >= _HEALTH):
        return True
    return not reports(one.sentence.text) and one.standing >= _STANDING.get(form, _ELSE_STANDING)


def _by_pattern(text: str, judged: Sequence[Judged], place: int, own: CapturePattern) -> Capture:
    """Return what a user's own pattern catches is kept as that says, of whatever rank: it is their word."""
    run = _run(judged, place)
    start, end = judged[run[0]].sentence.start, judged[place].sentence.end
    return Capture(
        essence=text[start:end],
        kind=own.kind,
        priority=own.priority,
        importance=own.importance,
        pattern=own.name,
        start=start,
        end=end,
    )


def _run(judged: Sequence[Judged], place: int) -> range:
    """Return the sentences of the quotation: one with those that it points back at."""
    parts, own = [one.sentence for one in judged], [one.own >= OWN for one in judged]
    return range(quotation_start(parts, own, place), place + 1)
