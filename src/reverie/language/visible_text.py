"""What of a text can be seen: characters that a reader doesn't see and a model reads carry no words into a prompt.

Gone are tag characters, marks that turn the order in which a text is shown, zero-width characters, fillers, and
variation selectors that vary nothing. What emoji and scripts need stays, one at a time: joiners and selectors in
emoji, joiners in scripts that join, directional marks in texts that have right-to-left letters.
"""

from __future__ import annotations

import re
import unicodedata

from reverie.domain.text import UNSEEN

_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
HIDDEN = re.compile(f"[{UNSEEN}]+")
"""A run of characters that are seen nowhere, or only change what stands beside them."""
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_JOINING = re.compile("[\u0600-\u10ff\u1200-\u1cff\ua800-\uabff\U00010a00-\U00011fff]")
"""Letters and signs of Arabic, Indic and like scripts."""
_PICTURES = frozenset({"So", "Sk"})
# Which characters each range of selectors, and the blank of Braille, may follow
_SELECTED = (
    (re.compile("[\ufe0e\ufe0f]"), re.compile(r"[#*\d]|[^\x00-\x7f\s]")),
    (re.compile("[\ufe00-\ufe0d]"), re.compile(r"[^\x00-\x7f\s]")),
    (re.compile("\u2800"), re.compile("[\u2801-\u28ff]")),
    (re.compile("[\u180b-\u180d\u180f]"), re.compile("[\u1800-\u18af]")),
    (re.compile("[\U000e0100-\U000e01ef]"), re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
)


def visible(text: str) -> str:
    """Return the text without what can't be seen in it. Doing it again changes nothing; time is linear."""
    if text.isascii() or not HIDDEN.search(text):
        return text
    turns = _RIGHT_TO_LEFT.search(text) is not None
    kept, at = [], 0
    for run in HIDDEN.finditer(text):
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        kept += [text[at : run.start()], _needed(run.group(), before, after, turns=turns)]
        at = run.end()
    return "".join([*kept, text[at:]])


def _needed(run: str, before: str, after: str, *, turns: bool) -> str:
    """Return what stays of hidden characters in a row: at most a selector and then one joiner or mark."""
    selector = run[:1] if before and _selects(run[0], before) else ""
    rest = run[len(selector) :]
    joiner = next((one for one in rest if one in _JOINERS), "")
    if joiner and _joins(before, after):
        return selector + joiner
    return selector + (next((one for one in rest if one in _MARKS), "") if turns else "")


def _selects(selector: str, before: str) -> bool:
    return any(ours.match(selector) and theirs.match(before) for ours, theirs in _SELECTED)


def _joins(before: str, after: str) -> bool:
    if before and _JOINING.match(before):
        return True
    return all(one and unicodedata.category(one) in _PICTURES for one in (before, after))
