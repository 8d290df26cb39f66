"""What of a sentence is said to the assistant: "I'm vegan, don't ever suggest steak" tells and orders.

An order has no subject and is for who listens: it says please, does something to or for the speaker ("call me", "send
us"), or is what assistants do ("suggest", "remind"). "I'm vegan and never eat honey" goes on telling.
"""

from __future__ import annotations

import re

_SERVES = (
    r"(?:suggest|recommend|remind|propose|advise|nag|quote|summari[sz]e|translate|autocorrect|recap)(?:s|ing)?"
    r"|(?:bring|bringing) (?:\w+ )?up"
)
"""What people hardly say of themselves."""
_DOES = (
    r"(?:tell|give|send|show|call|ring|text|phone|wake|ask|put|book|buy|order|get|find|bring|take|invite|address"
    r"|offer"
    r"|schedule|sign|message|e-?mail|add|read|write|make|let|leave|keep|treat|correct|interrupt|disturb|bother"
    r"|ping|notify"
    r"|alert|refer to|help|answer|drop|move|plan|use|include|mention|assume|pick|choose|play|start|stop|suggest"
    r"|recommend"
    r"|remind|propose)(?:ing)?"
)
_NEGATED = r"(?:don't|do not|dont|never|always|stop|only|no longer)"
_SOFT = r"(?:(?:please|pls|just|also|kindly|then|therefore|from now on|in future)[ ,]+)*"
_FOR_ME = r"(?:\s+\w+){0,3}?\s+(?:me|us)\b(?!\s+(?:and|or)\s+I\b)"
_ORDER = (
    rf"{_SOFT}(?:{_NEGATED}\s+(?:ever\s+)?)?{_SOFT}"
    rf"(?:(?:{_SERVES})\b|(?:{_DOES}){_FOR_ME}|(?:leave|keep|make)\s+(?:it|them|that|those|answers|replies)\b"
    rf"|(?:update|save|note|log)\s+(?:my|our|this|that|it)\b|(?:{_DOES})\b(?=[^.!?]*\b(?:please|pls)\b)"
    rf"|(?<=please )(?!(?:no|not|note|and|or|the|a|an|god|all|my)\b)[a-z]+\b|(?:don't|do not) ever\s+[a-z]+\b)"
    r"|(?:don't|do not|dont) ever\s+(?!I\b)[a-z]+\b"
    rf"|{_NEGATED}\s+(?:ever\s+)?[a-z]+\b(?=[^.!?]*\b(?:please|pls)\b)"
)
_JOINED = re.compile(
    rf"(?P<join>\s*[,;\u2013\u2014]\s*(?:(?:so|and|but|then)\s+)?|\s+so\s+|\s+-\s+)(?P<order>{_ORDER})",
    re.IGNORECASE,
)
_AND = re.compile(
    rf"(?P<join>\s+(?:and|but)\s+)(?P<order>{_SOFT}{_NEGATED}\s+(?:ever\s+)?(?:{_DOES}){_FOR_ME}"
    rf"|please\s+(?!(?:no|not|note|the|a|god)\b)[a-z]+\b)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:I|I'm|I've|I'd|i|i'm|i've|im|we|we're|we've|my|our|[Mm]y|[Ww]e)\b(?!.*\b(?:said|told|asked|says|tells"
    r"|asks|want you"
    r"|need you|like you|if)\b)"
)
_ASKS = re.compile(
    r"^\W*(?:can|could|would|will|do|does|did|should|what|how|when|where|why|who|which|if)\b", re.IGNORECASE
)
_FIRST = re.compile(rf"^\W*(?P<order>{_ORDER}|{_NEGATED}\s+[a-z]+\b)", re.IGNORECASE)
_BEHIND = re.compile(
    r",\s+(?:(?:because|since|as)\s+)?(?=(?:I'm|I am|I've|I have|I work|I live|I can't|I get|I go|I hate|I don't"
    r"|we're|my)\b)",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?\n]")
_MAY = re.compile(
    r"\b(?:don't|dont|never|always|stop|please|pls|me|us|only|so|suggest|recommend|remind|keep"
    r"|leave|make|update|save|note|log)\b",
    re.IGNORECASE,
)


def parted(text: str) -> str:
    """The text with a full stop between what a sentence tells and what it orders."""
    if not _MAY.search(text):
        return text
    text = text.replace("\u2019", "'")
    for pattern in (_JOINED, _AND):
        for found in reversed(list(pattern.finditer(text))):
            start = max((one.end() for one in _END.finditer(text, 0, found.start())), default=0)
            before, end = text[start : found.start()], _END.search(text, found.end())
            if (
                _TELLS.search(before) is None
                or _ASKS.match(before)
                or (end is not None and end.group() == "?")
            ):
                continue
            order = text[found.start("order") :]
            text = f"{text[: found.start()]}. {order[:1].upper()}{order[1:]}"
    return _told_behind(text)


def _told_behind(text: str) -> str:
    """ "Always answer briefly, I'm dyslexic": what is told stands behind."""
    first = _FIRST.match(text)
    behind = _BEHIND.search(text, first.end()) if first is not None else None
    end = _END.search(text)
    if behind is None or (end is not None and end.start() < behind.start()):
        return text
    told = text[behind.end() :]
    return f"{text[: behind.start()]}. {told[:1].upper()}{told[1:]}"
