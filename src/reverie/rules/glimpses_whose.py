"""Whether what a glimpse tells of the speaker is the speaker's: by whose doing it is, and whose the thing is."""

from __future__ import annotations

import re

from reverie.rules.doers import Doer, doer, is_had, is_others_affair, owner
from reverie.rules.glimpses_scene import Line

_LEAD = re.compile(
    r"^(?P<does>uses|drives|works at the company|lives in|studied|is) (?P<value>.+)$"
    r"|^'s (?P<thing>[^:]+?) (?:is|are) (?P<rest>.+)$"
)
_PREPOSED = re.compile(
    r"^(?:(?:with|at|in|on|for|by|about|from|until|every|called|named|the|an?) )+"
    r"|(?: \([^)]*\)| called .*| at university)+$"
)
_OF_ONESELF = re.compile(
    r"(?:pet|instrument|sport|hobby|job|allergy|diet|learning language|training race|age|girlfriend or boyfriend"
    r"|(?:\w+ )*medicine|(?:\w+ )*dose|(?:morning )?drink|(?:\w+ )?holiday|(?:book club|book) reading|bank)$"
)
"""What a lead names in words of its own, so that whose it is shows in who does it."""


def is_speakers(lead: str, at: Line) -> bool:
    """Whether a plain sentence about the speaker may stand; those about others do."""
    speaker = at.scene.speaker
    if not lead.startswith(speaker):
        return True
    told = _LEAD.match(lead[len(speaker) :].lstrip(" "))
    if told is None or "'s " in (told["thing"] or ""):
        return True
    before = f"{at.before.strip()} " if at.before.strip() else ""
    text = f"{before}{at.text}"
    if told["does"] or _OF_ONESELF.match(told["thing"]):
        place = _place(text, told["value"] or told["rest"], len(before))
        return place is None or not _is_others(text, place)
    return _has(text, told["thing"], len(before))


def _is_others(text: str, place: int) -> bool:
    return owner(text, place) is Doer.OTHER or (
        owner(text, place) is not Doer.OWN and doer(text, place) is Doer.OTHER
    )


def _has(text: str, thing: str, start: int) -> bool:
    """Whether a thing can be the speaker's, where the text names it."""
    head = thing.split()[-1]
    place = _place(text, thing, start)
    place = _place(text, head, start) if place is None else place
    if place is None:
        return True
    if owner(text, place) is not Doer.UNSURE:
        return owner(text, place) is Doer.OWN
    if is_others_affair(text, place):
        return False
    return not (is_had(text, place) and doer(text, place) is Doer.OTHER)


def _place(text: str, value: str, start: int) -> int | None:
    """Where a value stands, in the sentence that shows it rather than before it."""
    bare = _PREPOSED.sub("", value).strip()
    for words in (bare, bare.rpartition(" ")[2]):
        found = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE) if words else None
        match = found and (found.search(text, start) or found.search(text))
        if match:
            return match.start()
    return None
