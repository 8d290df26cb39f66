"""Words by which somebody says that something has changed: now, no longer, switched."""

from __future__ import annotations

import re

_WORDS = """now nowadays anymore instead switched switching changed moved replaced replaces swapped traded ditched quit
stopped dropped canceled cancelled sold actually correction postponed rescheduled became promoted upgraded renamed
converted migrated finally finished raised lowered increased reduced upped shortened extended lengthened lifted
repainted painted begun started again wrong"""
_PHRASES = (
    "no longer", "(?:any|no) more", "these days", "as of", "used to", "(?:gave|given) (?:up|me)", "called off",
    "turns out", "went back", "back to", r"(?:new|another) \w+", "got rid of", r"that's (?:\w+ ){1,3}over",
    "(?:is|are|took|takes|taken) over", "(?:broke|split) up", "done with", "cut to", "cut (?:up|down) to",
    "(?:pushed|put|moved|shifted|brought) (?:back|forward|up|down|over|on|to|out)",
    r"from (?:today|this|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d+ \w+)(?: \w+)? on(?:wards)?",
    r"from (?:today|this|next) \w+", "from here on", "(?:has|have) (?:taken up|gone|turned)", "first day",
    "(?:went|gone|goes) up", "(?:went|gone) (?:up|down) to", "came down", "gone off",
    r"(?:got|grew|grown) (?:a )?\w+er",
    r"not \w+ but", "since (?:last|this)", "learn(?:ed|t) (?:how )?to", "rose to",
)  # fmt: skip
_CHANGED = re.compile(rf"\b(?:{'|'.join((*_WORDS.split(), *_PHRASES))})\b", re.IGNORECASE)


def says_changed(text: str) -> bool:
    """Return whether a text has a word or phrase for a change."""
    return _CHANGED.search(text) is not None
