"""Pattern capture (s2): what people state for good, found in their own words without a model.

Nearly every message states nothing for good, so the way there is cheap: the gate (``patterns_gate``) for the message,
then for its sentences, and only then the rows' patterns. ``docs/why/capture.md``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.domain.capture import Capture, CapturePattern
from reverie.domain.kinds import Kind, Priority
from reverie.rules import jest, quoting
from reverie.rules.addressed import part
from reverie.rules.edited import Edited
from reverie.rules.figurative import figurative
from reverie.rules.patterns_clause import (
    begins,
    follows,
    mocking,
    opens,
    passing,
    stated,
    trimmed,
    unfilled,
)
from reverie.rules.patterns_gate import Gate, Ready, gate
from reverie.rules.patterns_own import MOST_FIRST, MOST_READ, leave_own, quotations, sentences
from reverie.rules.patterns_reject import explains, reacts, refused, refused_told, shortened
from reverie.rules.patterns_row import Row, Subject
from reverie.rules.patterns_standing import persons, standing

THIS = "remember this"
"""The pattern that captures what was said before it."""
MOST_CAPTURES = 8
"""A message that states more is a document, or an attempt to flood the memory."""
_LEAST_WORDS = 2
_MOST_CHARACTERS = 300

_STRONG = re.compile(
    r"\b(?:always|never|strictly|strongly|strict|refuse|hate|detest|despise|loathe|abhor|(?:strong|deep|intense|severe)"
    r"\s+(?:\w+\s+)?(?:aversion|dislike|distaste|hatred|fear)|aversion|allerg\w*|intoleran\w*|celiac|coeliac|\w*phobia"
    r"|(?:can't|cannot|can not|cant)\s+(?:\w+\s+)?(?:stand|bear|tolerate|abide|eat|drink|consume|have))\b",
    re.IGNORECASE,
)
# Every "I", "we" and "my"
_STARTS = re.compile(
    r"[IiWwMm\u0130\u0131](?<![\w'].)(?i:(?<=I)(?=\s|'(?:m|ve|ll))|(?<=W)e(?=\s|'ll)|(?<=M)y\b)", re.DOTALL
)
# These two begin with a set of signs, in which case counts: then Python jumps from one to the next
_BEHIND = re.compile(r"[,;:!(\u2013\u2014-](?<!(?<!\s)-)\s+(?i:(?:and|but|so|because)\s+)?")
_BEHIND_WORD = re.compile(
    r"[AaBbSs\u017f](?<!\w.)(?i:(?<=a)nd|(?<=b)ut|(?<=s)o)\s+"
    r"(?i:(?=(?:always|never|please|don't|do not|remember|must)\b))",
    re.DOTALL,
)
_SHORT = 80
_STRAIGHT = str.maketrans("\u2019", "'")
_THIS_BEFORE = re.compile(
    r"\W*(?:(?:ok|okay|please|so|and|also|yes|great|thanks)\W+)*"
    r"(?:(?:always\s+)?remember|don't\s+(?:ever\s+)?forget|do not forget|never forget|keep|note|save|memori[sz]e)"
    r"\s+(?:this|that|it)(?:\s+in mind|\s+down)?(?:\s+for (?:later|next time|the future))?(?:\W+please)?\W*",
    re.IGNORECASE,
)


def captures(
    text: str, speaker: str | None = None, extra: Sequence[CapturePattern] = ()
) -> tuple[Capture, ...]:
    """What the speaker of a message states for good, in its order, at most MOST_CAPTURES; mostly nothing.

    ``speaker``: the name that the statements bear. ``extra``: patterns that are tried before the table's own.
    """
    table = gate(tuple(extra))
    begun = text if len(text) <= MOST_READ else text[:MOST_FIRST]
    hints = table.telling(begun.lower())
    if hints is None:
        return ()
    said = _meant(text, speaker)
    return tuple(_placed(one, said) for one in _Reading(said.text, speaker, table).captures(hints))


def _meant(text: str, speaker: str | None) -> Edited:
    """What of a message its speaker says himself and doesn't take back, its orders and questions parted from it."""
    said = Edited(text[: quoting.MOST_READ])
    said.put((start, end, "") for start, end in quoting.others(said.text, speaker or ""))
    said.put((start, end, "") for start, end in jest.taken_back(said.text))
    part(said)
    leave_own(said)
    return said


def _placed(one: Capture, said: Edited) -> Capture:
    """With where it stands in the message as it was written."""
    start, end = said.stood(one.start, one.end)
    return replace(one, start=start, end=end)


def recalls_before(text: str) -> bool:
    """Whether a message may say no more than that what was said before it shall be remembered: "Remember this!" """
    return len(text) <= _SHORT and bool(_THIS_BEFORE.fullmatch(text.translate(_STRAIGHT)))


class _Reading:
    """One message that may state something."""

    def __init__(self, text: str, speaker: str | None, table: Gate) -> None:
        self._text, self._speaker, self._table = text, speaker, table
        self._quoted: list[tuple[int, int]] | None = None
        self._found: list[Capture] = []

    def captures(self, hints: Sequence[str]) -> list[Capture]:
        """Sentence after sentence, those alone that have one of the ``hints`` (``Gate.telling``)."""
        low = self._text.lower()
        if len(low) != len(self._text):  # a letter whose small form is two
            low = self._text
        previous: tuple[int, int] | None = None
        told = sorted(place for hint in hints for place in _places_of(hint, low))
        for start, end in sentences(self._text):
            if hints and (not told or told[-1] < start):
                break
            if not hints or bisect_left(told, start) < bisect_left(told, end):
                rows = self._table.rows(low[start:end])
                if rows and (said := stated(self._text[start:end])):
                    self._read(start, said, rows, previous)
                    if len(self._found) >= MOST_CAPTURES:
                        break
            previous = (start, end)
        return self._found[:MOST_CAPTURES]

    def _read(
        self, start: int, sentence: str, rows: Sequence[Ready], previous: tuple[int, int] | None
    ) -> None:
        taken = 0
        for place in _places(sentence, rows):
            if place < taken:
                continue
            for capture in self._captures_at(start, place, sentence, rows, previous):
                self._found.append(capture)
                taken = capture.end - start
                break

    def _captures_at(
        self,
        start: int,
        place: int,
        sentence: str,
        rows: Sequence[Ready],
        previous: tuple[int, int] | None,
    ) -> Iterator[Capture]:
        """What rows catch of a clause that begins there."""
        for one in rows:
            match = one.pattern.match(sentence, place)
            if match is None:
                continue
            before = begins(sentence, place)
            if before is None or self._is_quoted(start + place):
                return
            if not self._may_begin(one.row, sentence, place):
                continue
            if one.row.name == THIS:
                capture = self._meant_before(start, sentence[:place], one.row, previous)
            else:
                capture = self._capture(start, sentence, before, match, one.row)
            if capture is not None and not mocking(sentence) and not figurative(sentence):
                yield capture

    def _may_begin(self, row: Row, sentence: str, place: int) -> bool:
        """Whether a row's clause may stand there: what doesn't tell of the speaker opens its sentence."""
        match row.subject:
            case Subject.SPEAKER | Subject.TOLD:
                return True
            case Subject.THEIRS:
                return opens(sentence, place) or follows(sentence, place)
            case Subject.ORDER | Subject.THING:
                return opens(sentence, place)

    def _is_quoted(self, place: int) -> bool:
        if self._quoted is None:
            self._quoted = quotations(self._text)
        return any(start <= place < end for start, end in self._quoted)

    def _capture(
        self, start: int, sentence: str, before: str, match: re.Match[str], row: Row
    ) -> Capture | None:
        if row.subject is Subject.SPEAKER and reacts(row, sentence, match.start(), match.end()):
            return None
        inside = "said" in match.re.groupindex
        said = match.start("said") if inside else match.start()
        clause = trimmed(sentence[said:], whole=row.subject is Subject.TOLD or row.name == "not but")
        if (not inside and said + len(clause) < match.end()) or not _is_whole(clause):
            return None
        if row.subject is Subject.SPEAKER:
            clause = shortened(clause, match.end() - said)
        if row.subject is Subject.TOLD:
            capture = self._told(clause, row, sentence, said)
        elif row.name == "actually" and (inner := stated_by(clause, self._speaker, self._table)):
            capture = inner
        elif refused(row, clause, clause if inside else clause[match.end() - said :]):
            return None
        else:
            capture = _made(row, clause, self._statement(before, clause))
        return capture and replace(capture, start=start + match.start(), end=start + said + len(clause))

    def _statement(self, before: str, clause: str) -> str:
        told = standing(clause, self._speaker)
        if not before:
            return told
        circumstance = persons(before.strip(" ,"))
        return f"{told} {circumstance[:1].lower()}{circumstance[1:]}"

    def _told(self, clause: str, row: Row, sentence: str, said: int) -> Capture | None:
        """What is to be remembered, as the kind of statement that it is."""
        if refused_told(clause, sentence[:said]):
            return None
        inner = stated_by(clause, self._speaker, self._table)
        if inner is None and explains(sentence, said + len(clause)):
            return None
        if inner is None:
            return _made(row, clause, standing(clause, self._speaker))
        return replace(inner, importance=row.importance, pattern=row.name)

    def _meant_before(
        self, start: int, before: str, row: Row, previous: tuple[int, int] | None
    ) -> Capture | None:
        """ "Remember this": the clause before it, or else the sentence before."""
        clause = trimmed(before.strip(), whole=True)
        if not clause and previous is not None:
            start = previous[0]
            clause = trimmed(stated(self._text[slice(*previous)]).strip(), whole=True)
        end = start + len(before) if clause and before.strip() else start + len(clause)
        if not _is_whole(clause) or self._is_quoted(start):
            return None
        known = [one for one in self._found if start <= one.start < start + len(clause) + 2]
        if known:
            self._found.remove(known[-1])
            return replace(
                known[-1], importance=row.importance, pattern=row.name, end=max(end, known[-1].end)
            )
        capture = self._told(clause, row, clause, 0)
        return capture and replace(capture, start=start, end=end)


def _places_of(hint: str, text: str) -> Iterator[int]:
    place = text.find(hint)
    while place >= 0:
        yield place
        place = text.find(hint, place + 1)


def stated_by(clause: str, speaker: str | None, table: Gate) -> Capture | None:
    """What a single clause states by one of the rows, other than that it is to be remembered."""
    for one in table.rows(clause.lower()):
        if one.row.subject is Subject.TOLD or one.row.name == "actually":
            continue
        match = one.pattern.match(clause)
        if match is not None and not refused(one.row, clause, clause[match.end() :]):
            return _made(one.row, clause, standing(clause, speaker))
    return None


def _made(row: Row, clause: str, statement: str) -> Capture:
    strong = row.kind is Kind.PREFERENCE and _STRONG.search(clause)
    return Capture(
        essence=statement,
        kind=row.kind,
        priority=Priority.HIGH if strong else row.priority,
        importance=row.importance,
        pattern=row.name,
        start=0,
        end=len(clause),
    )


def _is_whole(clause: str) -> bool:
    """Whether a clause is long enough to say something, short enough to be one, and holds beyond this moment."""
    return len(clause.split()) >= _LEAST_WORDS and len(clause) <= _MOST_CHARACTERS and not passing(clause)


def _places(sentence: str, rows: Sequence[Ready]) -> Sequence[int]:
    """Where a clause may begin: at every "I", "we" and "my"; for rows that don't tell of the speaker also at the first
    word and behind commas and conjunctions.
    """
    places = {match.start() for match in _STARTS.finditer(sentence)}
    if any(one.row.subject is not Subject.SPEAKER for one in rows):
        places.add(len(sentence) - len(sentence.lstrip(' \t\n*_-\u2022"(\u2013\u2014')))
        places.add(unfilled(sentence))
        places.update(match.end() for match in _BEHIND.finditer(sentence))
        places.update(match.end() for match in _BEHIND_WORD.finditer(sentence))
    return sorted(places)
