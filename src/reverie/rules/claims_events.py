"""Claims of what has its time: an appointment, a class, a deadline; and of what was renamed or called off."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import claims_forms as forms
from reverie.rules.claim import ANY_EVENT, NOBODY, Claim
from reverie.rules.claims_reading import FILLERS, is_so, kept, value_of
from reverie.rules.claims_words import EVENTS, TIMEISH
from reverie.rules.terms import terms

_PART_OF_EVENT = re.compile(
    r"^(?:the|their|his|her|my|our|an?|[\w-]+'s|by the way|so|also|okay|actually|turns out)\s+"
)
_TIMED = (
    (forms.RESCHEDULED, forms.RESCHEDULED), (forms.SCHEDULED, forms.SCHEDULES), (forms.DATED, forms.DATES),
)  # fmt: skip
"""Each with what it ends with."""
_POINTS = re.compile(r"\b(?:it|that|they|this)$")
_OFF = re.compile(r"cancel|\boff\b")
_NO_EVENT = re.compile(
    r"\b(?:they|he|she|it|who|which|i|we|you|there|that|this|user|assistant|everything|nothing"
    r"|something|someone|weather|today|tomorrow"
    r"|everyone|friday|monday|tuesday|wednesday|thursday|saturday|sunday|what|train|back|off|home|one)$"
)


def scheduled(text: str, low: str, before: str, *, main: bool) -> Iterator[Claim]:
    """What has its time: an appointment, a class, a deadline."""
    for pattern, end in _TIMED if TIMEISH.search(low) else ():
        for match in pattern.finditer(low) if end.search(low) else ():
            value = match["value"]
            if not TIMEISH.search(value[:40]) or not is_so(text[: match.start()] + match["thing"]):
                continue
            event = _event(match["thing"])
            if not event and _POINTS.search(match["thing"]):
                event = _last_event(before)
            if event and ANY_EVENT.issuperset(event.split()):  # "the dentist moved the appointment"
                event = _event(low[: match.start()].strip()) or event
            if event:
                yield Claim(
                    subjects=frozenset({NOBODY}), attribute=f"when {event}",
                    value=value_of(value, timed=True), main=main,
                )  # fmt: skip
                return
    yield from _renamed(text, low, main=main)
    yield from _called_off(text, low, main=main)


def _last_event(before: str) -> str:
    """What "it" goes back to."""
    words = [
        word for word in re.findall(r"[\w'-]+", before) if word in EVENTS or word.removesuffix("s") in EVENTS
    ]
    return _event(words[-1]) if words else ""


def _renamed(text: str, low: str, *, main: bool) -> Iterator[Claim]:
    match = forms.RENAMED.search(low)
    if match is not None and is_so(text[: match.start()]):
        thing = sorted(kept(FILLERS.sub("", match["thing"]).split()))
        yield Claim(
            subjects=frozenset({NOBODY}), attribute=f"the {' '.join(thing)}", value=value_of(match["value"]),
            main=main,
        )  # fmt: skip


def _called_off(text: str, low: str, *, main: bool) -> Iterator[Claim]:
    match = forms.CALLED_OFF.search(low) if _OFF.search(low) else None
    if match is not None and is_so(text[: match.start()]):
        event = _event(match["thing"] or match["other"])
        if event:
            yield Claim(
                subjects=frozenset({NOBODY}),
                attribute=f"when {event}",
                value=frozenset(),
                holds=False,
                main=main,
            )


def _event(thing: str) -> str:
    """An event by its words, without whose it is; empty where it is none."""
    if _NO_EVENT.search(thing):
        return ""
    words = thing.split()
    while words and (
        _PART_OF_EVENT.match(words[0] + " ")
        or words[0] in ("new", "next", "weekly", "monthly", "has", "had", "got", "now")
    ):
        words.pop(0)
    places = [place for place, word in enumerate(words) if word in EVENTS or word.removesuffix("s") in EVENTS]
    if not places:
        return ""
    found = set(terms(" ".join(words[max(0, places[0] - 2) : places[-1] + 1])))
    return " ".join(sorted(found))
