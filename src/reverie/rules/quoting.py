"""What in a message others wrote or said: quotations, pasted texts, letters, transcripts. An "I" in it isn't the"
" speaker.

Whose words they are shows in what leads to them: a verb of saying whose subject isn't "I", a word for a text, an order
to work on one, a name before a colon, a greeting to the speaker himself, another's name at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import quoting_words as words
from reverie.rules.label_words import OPENERS, WEAK

MOST_READ = 12_000  # characters
_FIRST = re.compile(rf"\b(?:{words.FIRST}|{words.SECOND})\b")
_I = re.compile(rf"\b(?:{words.FIRST})\b")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,2000}\"|\u201c[^\u201d\n]{1,2000}\u201d|\u00ab[^\u00bb\n]{1,2000}\u00bb"
    r"|(?<![\w'])'(?=[^\s'])[^'\n]{0,600}(?:'(?=\w)(?<=\w')[^'\n]{0,300}){0,30}(?<=[^\s])'(?!\w)"
)
_OWN_SAYING = re.compile(
    rf"\b(?:I|we)(?:'d|'ve|'m| have| had| am| was)?(?: \w+ly| just| always| also| even| then)? ?(?:{words.SAYS}"
    rf"|{words.LIKE})"
    r"\b[^.!?\"\u201c]{0,30}$",
    re.IGNORECASE,
)
_COLON = re.compile(r":(?=\s|[\"'\u201c]|$)")
_SAYS = re.compile(
    rf"\b(?:{words.SAYS})(?: (?!(?:no|yes|so|it|that|goodbye|bye|hello|hi|sorry"
    rf"|thanks)\b)[\w'-]+){{0,5}}\s*$",
    re.IGNORECASE,
)
_OWN_SAYS = re.compile(
    rf"\b(?:I|we|I'm|I've|I'd|we've|we're)\b(?: \w+){{0,2}}? (?:{words.SAYS})\b", re.IGNORECASE
)
_TEXT = re.compile(rf"\b(?:{words.TEXTS})\b", re.IGNORECASE)
_MY_TEXT = re.compile(
    rf"\b(?:my|our|me an?|us an?|for me|of (?:me|mine))(?: [\w-]+)? (?:{words.OWN_TEXTS})\b", re.IGNORECASE
)
_ORDER = re.compile(
    rf"^\W*(?:(?:please|pls|can you|could you|would you|will you|hey|hi|ok|okay|now|quick(?:ly)?|just|help me)\W+)*"
    rf"(?:{words.WORKS_ON})\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^[ \t]*(?:\[?[\d/.:, -]{4,24}(?: ?[ap]m)?\]?\s*(?:- )?)?(?P<label>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}"
    r"|me|him|her|them|us|mam|mum|mom|dad|boss)(?: \([^)\n]{1,20}\))?:[ \t]+(?P<said>\S.*)$",
    re.MULTILINE,
)
_LIKE = re.compile(
    rf"(?P<who>[\w'-]+) (?:(?:{words.LIKE}),?|(?:just |then |always |suddenly )*(?:goes|go|went),?) (?=(?:oh |no "
    rf"|well |so )*"
    r"(?:I|I'm|I've|I'd|I'll|we|we're|my)\b)",
)
_SAYS_I = re.compile(
    r"[\"'\u201c]?(?:(?:oh|no|yes|well|so|ok|hi|hey|lol)\b[ ,!]*)*(?:I|I'm|I've|I'd|I'll|i|i'm|i've|im)\b",
    re.IGNORECASE,
)
_BY_PRONOUN = frozenset({"me", "him", "her", "them", "us"})
_NO_TELLER = frozenset("i we it this that there what which as so and but not".split())
_GREETED = re.compile(
    r"(?:^|\n|(?<=[.:!?]) )[ \t]*(?:Dear|Hi|Hello|Hey|Dearest|Good (?:morning|evening|afternoon))"
    r" (?P<to>(?:Mr|Mrs|Ms|Dr|my|all|both)?\.?(?: ?[\w'-]+){1,3})[ \t]*[,!\u2013\u2014\n]"
)
_CLOSED = re.compile(
    rf"(?:^|[\n.!?])\s*(?:{words.CLOSINGS})[ \t]*[,\n\u2013\u2014-]\s*(?P<by>(?:(?:Auntie|Aunt|Uncle|Your|Dr|Mr"
    rf"|Mrs|Ms)\.? )?"
    r"[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})[\s.!x\u2764]*$"
)
_TOLD_BY_ONESELF = re.compile(r"\b(?:I|I'm|I've|i'm|i've|i|we|we're|we've)\b")
_END = re.compile(r"[.!?\n]+(?=\s|$)|\n")
_NEAR = 80  # characters before a quotation
_FEWEST = 3  # spaces of a quotation
_FROM = re.compile(r"^(?:From|Sender|Von|De):[ \t]*(?P<by>.+)$", re.MULTILINE)


def others(text: str, speaker: str = "") -> list[tuple[int, int]]:
    """Where in a message what others wrote was pasted or retold word by word: start and end of each, in order,"
    " apart."""
    read = text[:MOST_READ].replace("\u2019", "'")
    if _FIRST.search(read) is None:
        return []
    found = [
        *_letters(read, speaker),
        *_transcript(read, speaker),
        *_introduced(read),
        *_retold(read),
        *_mostly(read),
    ]
    return _joined(found)


def own(text: str, speaker: str = "") -> str:
    """The message without them."""
    kept, start = [], 0
    for first, end in others(text, speaker):
        kept.append(text[start:first])
        start = end
    return "".join((*kept, text[start:])) if start else text


def speech(text: str) -> list[tuple[int, int]]:
    """Where somebody else than the speaker is quoted, the marks included: start and end of each."""
    if not any(mark in text for mark in "\"'\u201c\u00ab"):
        return []
    return [
        found.span()
        for found in _QUOTED.finditer(text.replace("\u2019", "'"))
        if _FIRST.search(found.group())
        and not _OWN_SAYING.search(text[max(0, found.start() - _NEAR) : found.start()])
    ]


def unquoted(text: str) -> str:
    """The text with what others are quoted with left out, the marks still standing."""
    for start, end in reversed(speech(text)):
        text = f"{text[: start + 1]}\u2026{text[end - 1 :]}"
    return text


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    done: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if done and start <= done[-1][1]:
            done[-1] = (done[-1][0], max(done[-1][1], end))
        elif start < end:
            done.append((start, end))
    return done


def _is(name: str, speaker: str) -> bool:
    """Whether a name is the speaker's, his first name perhaps."""
    return bool(speaker) and name.casefold().split()[:1] == speaker.casefold().split()[:1]


def _letters(text: str, speaker: str) -> Iterator[tuple[int, int]]:
    """A letter to the speaker, or one that another signed."""
    sender = _FROM.search(text)
    if sender is not None and not (speaker and speaker.casefold() in sender["by"].casefold()):
        yield sender.start(), len(text)
    greeted = next(iter(_GREETED.finditer(text)), None)
    closed = _CLOSED.search(text)
    by_speaker = closed is not None and _is(closed["by"], speaker)
    if greeted is not None and not by_speaker and _is(greeted["to"].split()[-1], speaker):
        yield greeted.start(), len(text)
    elif closed is not None and not by_speaker and not _is_thanks(closed):
        yield (greeted.start() if greeted is not None else 0), len(text)


def _is_thanks(closed: re.Match[str]) -> bool:
    """Whether it thanks whom it names rather than names who wrote it, on a line of his own."""
    return (
        re.match(r"\W*(?:Thanks|Thank you|Cheers|Many thanks)", closed.group()) is not None
        and "\n" not in closed.string[closed.start() : closed.start("by")].lstrip()
    )


def _transcript(text: str, speaker: str) -> Iterator[tuple[int, int]]:
    """Lines behind names: "Pat: I got divorced". Of a talk of several all of them, whoever speaks."""
    lines = [one for one in _LABEL.finditer(text) if _is_called(one["label"])]
    several = len({one["label"].casefold() for one in lines}) > 1
    for one in lines:
        if several or (not _is(one["label"], speaker) and _SAYS_I.match(one["said"])):
            yield one.start(), one.end()


def _is_called(label: str) -> bool:
    """Whether what stands before a colon is who speaks, and not what is spoken of."""
    low = label.casefold()
    if low in _BY_PRONOUN:
        return True
    return not (words.TOPICS | OPENERS | WEAK).intersection(low.split()) and not low.endswith(
        ("tion", "ment", "ness", "ing", "day", "ies")
    )


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    """What stands behind a colon, where what leads to it says that it is another's."""
    for colon in _COLON.finditer(text):
        start = max(text.rfind(mark, 0, colon.start()) for mark in ".!?\n") + 1
        head = text[start : colon.start()]
        if not _leads(head):
            continue
        body = text[colon.end() :]
        if not _FIRST.search(body):
            return
        quoted = _QUOTED.match(body.lstrip())
        if quoted is not None:
            first = colon.end() + len(body) - len(body.lstrip())
            yield first, first + quoted.end()
        else:
            yield start if _TOLD_BY_ONESELF.search(head) is None else colon.end(), len(text)
        return


def _leads(head: str) -> bool:
    """Whether somebody else's words, or a text, are announced."""
    if len(head) > words.MOST_BEFORE or _OWN_SAYS.search(head) or _MY_TEXT.search(head):
        return False
    if re.search(words.OWN_HEADS, head, re.IGNORECASE):
        return False
    return any(leads.search(head) is not None for leads in (_SAYS, _TEXT, _ORDER))


def _mostly(text: str) -> Iterator[tuple[int, int]]:
    """Sentences that are for the most part quoted between single marks; ``rules.sentences`` sees to the others."""
    for start, end in speech(text):
        if text[start] != "'" or text[start:end].count(" ") < _FEWEST:
            continue
        first = max((one.end() for one in _END.finditer(text, 0, start)), default=0)
        stop = _END.search(text, end)
        last = stop.start() if stop is not None else len(text)
        if 2 * (end - start) > last - first:
            yield first, last


def _retold(text: str) -> Iterator[tuple[int, int]]:
    """ "Anna was like I'm so tired", "the song goes I shot the sheriff": to the end of the sentence."""
    for found in _LIKE.finditer(text):
        if found["who"].lower().removesuffix("'s") in _NO_TELLER:
            continue
        end = _END.search(text, found.end())
        yield found.end(), end.start() if end is not None else len(text)
