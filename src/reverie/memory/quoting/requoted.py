"""Find what an earlier version's wording quotes: up to schema 5 a reader of English worded memories itself.

It wrote "Anna said: …", 'Asked "…", Anna answered: …' and "Anna lives in Porto: Anna said: …", where it replaced
something "Before that: …" behind it, or told a sentence in the third person.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from reverie.language import sentences

UNSURE = 0.5
"""The most that the confidence of a wording may be that nothing said bears out word for word."""
_BEFORE = " Before that: "
_WORD = re.compile(r"\w+")
_HEAD = re.compile(r"[^\n]{1,400}? (?:said|answered): ")
_FEWEST = 3
"""Words of a wording without a head: fewer stand in a message by chance."""
_LONGEST = 2_000
"""Characters of a quotation."""


def quoted_in(essence: str, message: str) -> tuple[str, bool] | None:
    """Return the run of sentences of a message that a wording quotes, and whether the message begins with it.

    The run is the message's own, byte for byte. Every sentence of the wording, without its head and what was before,
    must stand in it word for word, in order; what is no letter and no digit may differ, and case. None where one
    doesn't.
    """
    read = sentences(message)
    starts: list[int] = []
    whole = " "
    for one in read:
        starts.append(len(whole))
        whole += f"{_folded(one.text)} "
    for wording in _wordings(essence):
        places = _places(wording, whole)
        if places:
            first, last = (bisect_right(starts, place) - 1 for place in (places[0][0], places[-1][1] - 1))
            run = message[read[first].start : read[last].end]
            return (run, first == 0) if len(run) <= _LONGEST else None
    return None


def _wordings(essence: str) -> Iterator[str]:
    """The wording as it is and without what was before, each also without its head."""
    for text in dict.fromkeys((essence, essence.partition(_BEFORE)[0])):
        if len(text.split()) >= _FEWEST:
            yield text
        head = _HEAD.match(text)
        if head is not None:
            yield text[head.end() :]


def _places(wording: str, whole: str) -> list[tuple[int, int]]:
    """Where each sentence of a wording stands in a folded text, in order; nothing where one doesn't."""
    found: list[tuple[int, int]] = []
    for one in sentences(wording):
        told = f" {_folded(one.text)} "
        at = whole.find(told, found[-1][1] - 1 if found else 0)
        if at < 0:
            return []
        found.append((at + 1, at + len(told) - 1))
    return found


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
