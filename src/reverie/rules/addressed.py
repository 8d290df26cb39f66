"""What of a sentence is said to the assistant: "I'm vegan, don't ever suggest steak" tells and orders.

An order has no subject and is for who listens: it says please, does something to or for the speaker ("call me", "send
us"), or is what assistants do ("suggest", "remind"). "I'm vegan and never eat honey" goes on telling. A question behind
what is told is a sentence of its own as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from reverie.rules.edited import Edit, Edited

_SERVES = (
    r"(?:(?:suggest|recommend|remind|propose|advise|nag|quote|summari[sz]e|translate|autocorrect|recap)(?:s|ing)?"
    r"|(?:bring|bringing) (?:\w{1,40} )?up)"
)
"""What people hardly say of themselves."""
_DOES = (
    r"(?:tell|give|send|show|call|ring|text|phone|wake|ask|put|book|buy|order|get|find|bring|take|invite|address|offer"
    r"|schedule|sign|message|e-?mail|add|read|write|make|let|leave|keep|treat|correct|interrupt|disturb|bother|ping"
    r"|notify|alert|refer to|help|answer|drop|move|plan|use|include|mention|assume|pick|choose|play|start|stop)(?:ing)?"
)
_NEGATED = r"(?:don't|do not|dont|never|always|stop|only|no longer)"
_SOFT = r"(?:(?:please|pls|just|also|kindly|then|therefore|from now on|in future)[ ,]{1,8}){0,4}"
_FOR_ME = r"(?:\s{1,8}\w{1,40}){0,3}?\s{1,8}(?:me|us)\b(?!\s{1,8}(?:and|or)\s{1,8}I\b)"
_SOON = r"(?=[^.!?]{0,200}\b(?:please|pls)\b)"
_ORDER = (
    rf"{_SOFT}(?:{_NEGATED}\s{{1,8}}(?:ever\s{{1,8}})?)?{_SOFT}"
    rf"(?:{_SERVES}\b|{_DOES}{_FOR_ME}|(?:leave|keep|make)\s{{1,8}}(?:it|them|that|those|answers|replies)\b"
    rf"|(?:update|save|note|log)\s{{1,8}}(?:my|our|this|that|it)\b|{_DOES}\b{_SOON}"
    r"|(?<=please )(?!(?:no|not|note|and|or|the|a|an|god|all|my)\b)[a-z]{1,30}\b)"
    r"|(?:don't|do not|dont) ever\s{1,8}(?!I\b)[a-z]{1,30}\b"
    rf"|{_NEGATED}\s{{1,8}}(?:ever\s{{1,8}})?[a-z]{{1,30}}\b{_SOON}"
)
# Each begins where a run of spaces does: else every space of a long one would be tried
_JOINED = re.compile(
    rf"(?P<join>(?<!\s)\s*+[,;\u2013\u2014]\s{{0,8}}(?:(?:so|and|but|then)\s{{1,8}})?|(?<!\s)\s++so\s{{1,8}}"
    rf"|(?<!\s)\s++-\s{{1,8}})(?P<order>{_ORDER})",
    re.IGNORECASE,
)
_AND = re.compile(
    rf"(?P<join>(?<!\s)\s++(?:and|but)\s{{1,8}})(?P<order>{_SOFT}{_NEGATED}\s{{1,8}}(?:ever\s{{1,8}})?"
    rf"(?:{_DOES}|{_SERVES}){_FOR_ME}"
    rf"|please\s{{1,8}}(?!(?:no|not|note|the|a|god)\b)[a-z]{{1,30}}\b)",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\b(?:I|I'm|I've|I'd|i|i'm|i've|im|we|we're|we've|my|our|[Mm]y|[Ww]e)\b")
_OF_SAYING = re.compile(r"\b(?:said|told|asked|says|tells|asks|want you|need you|like you|if)\b")
_ASKS = re.compile(
    r"^\W*(?:can|could|would|will|do|does|did|should|what|how|when|where|why|who|which|if)\b", re.IGNORECASE
)
_FIRST = re.compile(rf"^\W*+(?P<order>{_ORDER}|{_NEGATED}\s{{1,8}}[a-z]{{1,30}}\b)", re.IGNORECASE)
_BEHIND = re.compile(
    r",\s{1,8}(?:(?:because|since|as)\s{1,8})?(?=(?:I'm|I am|I've|I have|I work|I live|I can't|I get|I go|I hate"
    r"|I don't|we're|my)\b)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?P<join>[,;\u2013\u2014]\s{1,8}|\s-\s)(?P<order>(?:(?:so|and|but) )?(?:(?:what|how|why)\b"
    r"|(?:is|are|do|does|did|can|could|will|would|should|shall|must|have|has|am)"
    r" (?!(?:I|you|he|she|it|we|they|that)\b(?=\s*\?))))",
    re.IGNORECASE,
)
_NO_TELLING = re.compile(
    r"^\W*(?:(?:and|but|so|or|well|oh|ok|okay|hey|hi|also)\b\W*)*(?:is|are|do|does|did|can|could|will|would|should|shall"
    r"|may|must|have|has|am|was|were|isn't|aren't|don't|doesn't|didn't|what|which|who|whose|how|why|where|when|whenever"
    r"|if|unless|since|because|while|after|before|once|suppos\w*|imagine|say|let's|let|please|you|your|you're|any"
    r"|in case|given|assuming|someone|somebody|they say|i wonder|i'm wondering|just wondering|quick question)\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"(?<=\w)(?:'s|'m|'re|'ve)\b|\b(?:is|are|am|im|was|has|have|had|got|lives?|works?|takes?|eats?|hates?|loves?|prefers?"
    r"|moved|started|quit|bought|can't|cannot|don't|doesn't|never|always|won't)\b"
)
_END = re.compile(r"[.!?\n]")
_MAY = re.compile(
    r"\b(?:don't|dont|never|always|stop|please|pls|me|us|only|so|suggest|recommend|remind|keep"
    r"|leave|make|update|save|note|log)\b|\?",
    re.IGNORECASE,
)
_MOST_READ = 12_000  # characters
_FEWEST = 1  # spaces of a clause that tells something
_LONGEST = 600
"""Characters of a sentence, from which on it isn't parted: nobody writes such a one."""


def parted(text: str) -> str:
    """The text with a full stop between what a sentence tells and what it orders or asks. Its first 12,000 characters
    are read, in time linear in them.
    """
    edited = Edited(text)
    part(edited)
    return edited.text


def part(edited: Edited) -> None:
    """Puts these full stops."""
    if not _MAY.search(edited.text, 0, _MOST_READ):
        return  # most messages
    edited.spelled(edited.text.replace("\u2019", "'"))
    for pattern in (_JOINED, _AND):
        edited.put(_orders(edited.text, pattern))
    if "?" in edited.text:
        edited.put(_questions(edited.text))
    edited.put(_told_behind(edited.text))


def _orders(text: str, pattern: re.Pattern[str]) -> Iterator[Edit]:
    ends = [one.end() for one in _END.finditer(text, 0, _MOST_READ)]
    for found in pattern.finditer(text, 0, _MOST_READ):
        at = bisect_right(ends, found.start())
        start = ends[at - 1] if at else 0
        before, behind = text[start : found.start()], bisect_right(ends, found.end() - 1)
        asks = behind < len(ends) and text[ends[behind] - 1] == "?"
        if len(before) <= _LONGEST and _is_told(before) and not (_ASKS.match(before) or asks):
            yield from _full_stop(text, found.start(), found.start("order"))


def _is_told(text: str) -> bool:
    """Whether the speaker tells of himself, and nobody of what was said."""
    tells = [one.end() for one in _TELLS.finditer(text)]
    return bool(tells) and _OF_SAYING.search(text, tells[-1]) is None


def _full_stop(text: str, start: int, end: int) -> Iterator[Edit]:
    """A full stop instead of what joins two sentences, the second of which begins at ``end``."""
    yield start, end, ". "
    yield end, end + 1, text[end].upper()


def _questions(text: str) -> Iterator[Edit]:
    """ "Tobias is allergic to latex, can I use gloves?": what stands before a question is told."""
    start = 0
    for end in _END.finditer(text, 0, _MOST_READ):
        if end.group() == "?" and 0 < end.start() - start <= _LONGEST:
            found = _ASKED.search(text, start, end.end())
            if found is not None and _states(text[start : found.start()].strip()):
                yield from _full_stop(text, found.start(), found.start("order"))
        start = end.end()


def _states(clause: str) -> bool:
    """Whether a clause, which stands before a question, tells something by itself."""
    if clause.count(" ") < _FEWEST or _NO_TELLING.match(clause) or _OF_SAYING.search(clause):
        return False
    return _STATED.search(clause) is not None


def _told_behind(text: str) -> Iterator[Edit]:
    """ "Always answer briefly, I'm dyslexic": what is told stands behind."""
    first = _FIRST.match(text)
    behind = _BEHIND.search(text, first.end()) if first is not None else None
    end = _END.search(text)
    if behind is not None and not (end is not None and end.start() < behind.start()):
        yield from _full_stop(text, behind.start(), behind.end())
