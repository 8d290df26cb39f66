"""What stays true of people, and what passes: the worth that a statement has by what it tells of.

A row of ``rules.lasting_table`` is a way in which people tell of something: of their health, their home, a plan with a
date; or of how they are just now. The first row that fits decides, and the fitted salience only nudges: an allergy
matters in any talk, however far from its subject it is said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.rules import cue_words
from reverie.rules.label_words import WEAK
from reverie.rules.lasting_row import Row
from reverie.rules.lasting_table import ROWS
from reverie.rules.sentences import split

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# Begins with one set of signs: then Python jumps from one to the next
_CLAUSE = re.compile(r"[.!?;:\u2026,]\s(?:(?<!,\s)|(?:and|but|so|because)\s)")
_CLAUSE_OF_OWN = re.compile(
    r",\s+(?:(?:and|but|so|because)\s+)?(?=(?:i|i['\u2019]\w+|we|we['\u2019]\w+|my|our)\b)", re.IGNORECASE
)
_NUDGE, _USUAL, _MOST_NUDGED = 0.25, -1.5, 2.5
"""How much of the fitted log odds counts beside a row's worth, above which, and between which limits."""
_OF_OTHERS, _OF_SOMEBODY = 1.5, 0.5
"""Log odds that a statement loses which tells of nobody who belongs to its speaker; and where it tells of somebody by
name, who likely does.
"""
_SOON = 7
"""Words of a clause that may stand before what a row looks for: what comes later is mentioned, not told."""
_BRIEF, _PER_WORD = 18, 0.05
"""From how many words on a statement tells of more than its row sees, and the log odds that each further one takes."""
_UNTOLD, _UNTOLD_AMONG_PEOPLE = 0.8, 0.2
"""Log odds that a statement loses of which no row tells what it is about: with an agent that is mostly the task."""
_OWN = cue_words.FIRST | cue_words.TOGETHER
_SOMEBODY = re.compile(r"(?:(?:And|But|So|Also),? )?([A-Z][a-z]+)(?:'s)? [a-z]")
_LONGEST = 600  # characters; a row may take the square of them
_MOST_READ = 12  # sentences of a line


def _rows_of() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for place, row in enumerate(ROWS):
        for word in row.words:
            found[word] = found.get(word, 0) | 1 << place
    return found


_ROWS_OF = _rows_of()
"""The rows that a word is one of, as the bits of a number: the lowest bit is the first row's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lasting:
    """What a statement tells of; ``own`` whether of its speaker, or who or what belongs to him; ``named`` whether it
    begins with the name of somebody; ``words`` how many it has.
    """

    row: Row
    own: bool
    named: bool
    words: int


def lasting(text: str) -> Lasting | None:
    """What a statement tells of, in the first person or the third; None where no row fits. Its first 600 characters
    are read.
    """
    text = text[:_LONGEST]
    low = text.lower().replace("\u2019", "'")
    read = _words(low)
    places = 0
    for word in _ROWS_OF.keys() & read:
        places |= _ROWS_OF[word]
    while places:
        row = ROWS[(places & -places).bit_length() - 1]
        places &= places - 1
        if row.most and len(read) > row.most:
            continue
        for found in row.says.finditer(low):
            before = _CLAUSE.split(low[: found.start()])[-1]
            if before.count(" ") <= _SOON:
                if row.passes and lasts(further := _further(text, found.end() - 1)):
                    return further
                own = not _OWN.isdisjoint(_words(low[: found.end()]))
                return Lasting(row=row, own=own, named=_names(text), words=len(read))
    return None


def _words(low: str) -> list[str]:
    return (_ASCII_WORD if low.isascii() else _WORD).findall(low)


def _further(text: str, at: int) -> Lasting | None:
    """What is told behind what passes: "I'm tired, my daughter was born last night"."""
    own = _CLAUSE_OF_OWN.search(text, at)
    return None if own is None else lasting(text[own.end() :])


def _names(text: str) -> bool:
    found = _SOMEBODY.match(text)
    return found is not None and found[1].casefold() not in WEAK


def lasts(told: Lasting | None) -> bool:
    """Whether a row fits, and not one of what passes."""
    return told is not None and not told.row.passes


def weighed_by(told: Lasting | None, log_odds: float, *, among_people: bool = False) -> float:
    """The log odds of a statement, from those that its cues gave; ``among_people`` whether no agent talks there."""
    if told is None:
        return log_odds - (_UNTOLD_AMONG_PEOPLE if among_people else _UNTOLD)
    nudge = _NUDGE * max(-_MOST_NUDGED, min(_MOST_NUDGED, log_odds - _USUAL))
    odds = math.log(told.row.worth / (1.0 - told.row.worth)) + nudge
    odds -= _PER_WORD * max(0, told.words - _BRIEF)
    if told.own or told.row.of_anyone:
        return odds
    return odds - (_OF_SOMEBODY if told.named else _OF_OTHERS)


def most_lasting(text: str) -> Lasting | None:
    """Of a whole message: what the statement of most worth tells of; questions tell nothing. None too where nothing
    lasts and something stands there that no row fits.
    """
    found = [
        lasting(piece)
        for line in text.splitlines()
        for piece in split(line)[:_MOST_READ]
        if not piece.endswith("?") and _WORD.search(piece)
    ]
    told = [one for one in found if one is not None and not one.row.passes]
    if told:
        return max(told, key=lambda one: (one.own or one.row.of_anyone, one.row.worth))
    return None if None in found or not found else found[0]
