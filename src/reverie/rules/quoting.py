"""What in a message others wrote or said: quotations, pasted texts, letters, transcripts. An "I" in it isn't the
speaker.

Whose words they are shows in what leads to them: a verb of saying whose subject isn't "I", a word for a text, an order
to work on one, a name before a colon, a greeting to the speaker himself, another's name at the end. Without quotation
marks what is introduced ends with its sentence; a text that is plainly pasted, with its paragraph. What is only guessed
to be another's takes no plain word of an allergy, a medicine or a standing rule with it (``rules.vital``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

from reverie.rules import quoting_words as words
from reverie.rules.fence import fenced_off
from reverie.rules.label_words import OPENERS, WEAK
from reverie.rules.vital import vital

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
_TEXT = re.compile(
    rf"\b(?:{words.BEARING})\b"
    rf"|\b(?:from|in|on) (?:the|this|that|an?|some)(?: [\w-]+)? (?:{words.TEXTS})\b"
    rf"|(?:\b(?:his|her|their)|(?<!let)(?<!here)(?<!it)(?<!that)'s)(?: [\w-]+)? (?:{words.TEXTS})\b"
    rf"|\b(?:got|get|received|saw|seen|found|read|reading|had) (?:an?|this|some|the)(?: [\w-]+)? (?:{words.TEXTS})\b"
    rf"|\b(?:{words.TEXTS}) (?:from|by|with)\b",
    re.IGNORECASE,
)
_PASTED = re.compile(rf"\b{words.PASTED}\b", re.IGNORECASE)
_NAMED_TEXT = re.compile(rf"\W*(?:my |our |the )?[\w-]+'s (?:[\w-]+ )?(?:{words.TEXTS})\W*", re.IGNORECASE)
_TO_KEEP = re.compile(words.TO_KEEP, re.IGNORECASE)
_MY_TEXT = re.compile(
    rf"\b(?:my|our|me an?|us an?|for me|of (?:me|mine))(?: [\w-]+)? (?:{words.OWN_TEXTS})\b", re.IGNORECASE
)
_ORDER = re.compile(
    rf"^\W*(?:(?:please|pls|can you|could you|would you|will you|hey|hi|ok|okay|now|quick(?:ly)?|just|help me)\W+)*"
    rf"(?:{words.WORKS_ON})\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^[ \t]{0,8}(?P<time>\[?[\d/.:, -]{4,24}(?: ?[ap]m)?\]?[ \t]{0,4}(?:- )?)?(?P<label>[A-Z][\w'-]{1,30}+"
    r"(?: [A-Z][\w'-]{1,30}+){0,2}|me|him|her|them|us|mam|mum|mom|dad|boss)(?: \([^)\n]{1,20}\))?:[ \t]++"
    r"(?P<said>\S.*)$",
    re.MULTILINE,
)
_LIKE = re.compile(
    rf"(?<![\w'-])(?P<who>[\w'-]++) (?:(?:{words.LIKE}),?|(?:just |then |always |suddenly )*(?:goes|go|went),?)"
    r" (?=(?:oh |no |well |so )*(?:I|I'm|I've|I'd|I'll|we|we're|my)\b)",
)
_RETELL = ("like", "goes", " go", "went")
_SAYS_I = re.compile(
    r"[\"'\u201c]?(?:(?:oh|no|yes|well|so|ok|hi|hey|lol)\b[ ,!]*+)*+(?:I|I'm|I've|I'd|I'll|i|i'm|i've|im)\b",
    re.IGNORECASE,
)
_ONESELF = frozenset({"me", "us"})
_BY_PRONOUN = frozenset({"him", "her", "them", *_ONESELF})
_NO_TELLER = frozenset("i we it this that there what which as so and but not".split())
_GREETED = re.compile(
    r"(?:^|\n|(?<=[.:!?]) )[ \t]{0,8}(?:Dear|Hi|Hello|Hey|Dearest|Good (?:morning|evening|afternoon))"
    r" (?P<to>(?:Mr|Mrs|Ms|Dr|my|all|both)?\.?(?: ?[\w'-]{1,30}+){1,3})[ \t]{0,8}[,!\u2013\u2014\n]"
)
_CLOSED = re.compile(
    rf"(?:^|[\n.!?])\s*(?:{words.CLOSINGS})[ \t]*(?:,\s*|\n\s*)(?P<by>(?:(?:Auntie|Aunt|Uncle|Your|Dr|Mr|Mrs|Ms)\.? )?"
    r"[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})[\s.!x\u2764]*$"
)
_LONGEST_END = 160  # characters that close a letter
_TOLD_BY_ONESELF = re.compile(r"\b(?:I|I'm|I've|i'm|i've|i|we|we're|we've)\b")
_END = re.compile(r"(?<![.!?])[.!?]++(?=\s|$)|\n")
_BLANK = re.compile(r"\n[ \t]*\n")
_NEAR = 80  # characters before a quotation
_FEWEST = 3  # spaces of a quotation
_FROM = re.compile(
    r"^(?:From|Sender|Von|De):[ \t]*+(?P<by>[A-Z][\w.'-]{1,30}+(?: [A-Z][\w.'-]{1,30}+){0,3}(?: ?<[^>\n]{3,80}>)?"
    r"|[^\s@]{1,60}@\S{1,60})[ \t]*$",
    re.MULTILINE,
)
_NAME_PART = re.compile(r"[^\W\d_]+")
_NO_NAME = re.compile(r"[\d_@+#]")
_LEAST_ALIKE = 3  # letters that two forms of a name share at least: Rob, Robert


class _Lead(Enum):
    """What leads to words behind a colon: nothing, somebody who says them, a text that was pasted."""

    NONE, SAID, TEXT = range(3)


def others(text: str, speaker: str = "") -> list[tuple[int, int]]:
    """Where in a message what others wrote was pasted or retold word by word: start and end of each, in order, apart.
    The first 12,000 characters are read, in time linear in them.
    """
    read = text[:MOST_READ].replace("\u2019", "'")
    forged = fenced_off(read)
    if _FIRST.search(read) is None:
        return forged
    ends = [one.end() for one in _END.finditer(read)]
    found = [
        *forged,
        *_letters(read, speaker, ends),
        *(_transcript(read, speaker, ends) if ":" in read else ()),
        *(_introduced(read, ends) if ":" in read else ()),
        *(_retold(read, ends) if any(map(read.__contains__, _RETELL)) else ()),
        *_mostly(read, ends),
    ]
    return _joined(found)


def is_to_keep(text: str) -> bool:
    """Whether somebody says why he pastes what others wrote: to find it again."""
    return _TO_KEEP.search(text) is not None and _PASTED.search(text) is not None


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


def _parts(name: str) -> list[str]:
    return [one for one in _NAME_PART.findall(name.casefold()) if one not in words.TITLES]


def _is(name: str, speaker: str) -> bool:
    """Whether a name may be the speaker's: a part of it is one of his, or begins like one."""
    return any(
        one == two
        or (min(len(one), len(two)) >= _LEAST_ALIKE and (one.startswith(two) or two.startswith(one)))
        for one in _parts(name)
        for two in _parts(speaker)
    )


def _is_named(speaker: str) -> bool:
    """Whether the speaker's name is known, so that another name isn't his. "user" and "rl_92" are none."""
    parts = _parts(speaker)
    return bool(parts) and words.GENERIC.isdisjoint(parts) and _NO_NAME.search(speaker) is None


def _letters(text: str, speaker: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """A letter to the speaker, or one that another signed. Without a name of the speaker that is known it proves
    nothing.
    """
    if not _is_named(speaker):
        return
    sender = _FROM.search(text)
    if sender is not None and not _is(sender["by"], speaker) and _is_called(sender["by"]):
        yield sender.start(), len(text)
    greeted = _GREETED.search(text)
    end = len(text.rstrip())
    closed = _CLOSED.search(text, max(0, end - _LONGEST_END), end)
    by_speaker = closed is not None and _is(closed["by"], speaker)
    by_another = closed is not None and not by_speaker and not _is_thanks(closed)
    to_speaker = greeted is not None and bool(set(_parts(greeted["to"])[-1:]) & set(_parts(speaker)))
    if greeted is not None and to_speaker and by_another:
        yield greeted.start(), len(text)
    elif greeted is not None and to_speaker and not by_speaker:
        yield from _unsure(text, greeted.start(), len(text), ends)
    elif by_another:
        yield from _unsure(text, greeted.start() if greeted is not None else 0, len(text), ends)


def _is_thanks(closed: re.Match[str]) -> bool:
    """Whether it thanks whom it names rather than names who wrote it, on a line of his own."""
    return (
        re.match(r"\W*(?:Thanks|Thank you|Cheers|Many thanks)", closed.group()) is not None
        and "\n" not in closed.string[closed.start() : closed.start("by")].lstrip()
    )


def _unsure(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """A part of a text sentence by sentence, without those that are vital: it is only likely that another wrote it."""
    while start < end:
        stop = min(end, _end_of(text, start, ends))
        if not vital(text[start:stop]):
            yield start, stop
        start = stop


def _end_of(text: str, start: int, ends: Sequence[int]) -> int:
    """Where the sentence ends that holds a place."""
    place = bisect_right(ends, start)
    return ends[place] if place < len(ends) else len(text)


def _start_of(place: int, ends: Sequence[int]) -> int:
    """Where the sentence begins that holds a place."""
    at = bisect_right(ends, place)
    return ends[at - 1] if at else 0


def _transcript(text: str, speaker: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Lines behind names: "Pat: I got divorced". Of a talk of several all of them, whoever speaks, but what is vital of
    the speaker himself. A talk shows in times, in turns, or in that the speaker is one of those who talk.
    """
    lines = [one for one in _LABEL.finditer(text) if _is_called(one["label"])]
    labels = [one["label"].casefold() for one in lines]
    oneself = [low in _ONESELF or _is(low, speaker) for low in labels]
    turns = sum(one != two for one, two in pairwise(labels)) >= len(set(labels))
    is_talk = len(set(labels)) > 1 and (turns or any(oneself) or all(one["time"] for one in lines))
    for one, is_own in zip(lines, oneself, strict=True):
        if is_talk and not is_own:
            yield one.start(), one.end()
        elif is_talk or (not is_own and _SAYS_I.match(one["said"])):
            yield from _unsure(text, one.start(), one.end(), ends)


def _is_called(label: str) -> bool:
    """Whether what stands before a colon is who speaks, and not what is spoken of."""
    low = label.casefold()
    if low in _BY_PRONOUN:
        return True
    return not (words.TOPICS | OPENERS | WEAK).intersection(low.split()) and not low.endswith(
        ("tion", "ment", "ness", "ing", "day", "ies")
    )


def _introduced(text: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """What stands behind a colon, where what leads to it says that it is another's."""
    last, done = max((one.start() for one in _FIRST.finditer(text)), default=-1), 0
    for colon in _COLON.finditer(text):
        if colon.end() > last:
            return
        start = max(done, _start_of(colon.start(), ends))
        lead = _leads(text[start : colon.start()]) if colon.start() >= done else _Lead.NONE
        if lead is _Lead.NONE:
            continue
        first = colon.end() + len(text[colon.end() :][:_NEAR]) - len(text[colon.end() :][:_NEAR].lstrip())
        quoted = _QUOTED.match(text, first)
        said = start if _TOLD_BY_ONESELF.search(text, start, colon.start()) is None else colon.end()
        if quoted is not None:
            done = quoted.end()
            if _FIRST.search(quoted.group()):
                yield said, done
        elif lead is _Lead.SAID:
            done = _end_of(text, first, ends)
            if not vital(text[first:done]):
                yield said, done if said == start else first + len(text[first:done].rstrip(" .!?\n"))
        else:
            blank = _BLANK.search(text, colon.end()) if "\n" not in text[colon.end() : first] else None
            done = blank.start() if blank is not None else len(text)
            if _PASTED.search(text, start, colon.start()):
                yield said, done
            else:
                yield from _unsure(text, said, done, ends)


def _leads(head: str) -> _Lead:
    """Whether somebody else's words, or a text, are announced."""
    if len(head) > words.MOST_BEFORE or _OWN_SAYS.search(head) or _MY_TEXT.search(head):
        return _Lead.NONE
    if re.search(words.OWN_HEADS, head, re.IGNORECASE):
        return _Lead.NONE
    if (words.TOPICS | words.FILLING).issuperset(_NAME_PART.findall(head.casefold())):
        return _Lead.NONE
    if _PASTED.search(head) or _ORDER.search(head) or _NAMED_TEXT.fullmatch(head):
        return _Lead.TEXT
    return _Lead.SAID if _SAYS.search(head) or _TEXT.search(head) else _Lead.NONE


def _mostly(text: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Sentences that are for the most part quoted between single marks; ``rules.sentences`` sees to the others."""
    for start, end in speech(text):
        if text[start] != "'" or text[start:end].count(" ") < _FEWEST:
            continue
        first = _start_of(start, ends)
        last = end if text[end - 2] in ".!?" else _end_of(text, end, ends)
        if 2 * (end - start) > last - first:
            yield first, last


def _retold(text: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """ "Anna was like I'm so tired", "the song goes I shot the sheriff": to the end of the sentence."""
    for found in _LIKE.finditer(text):
        if found["who"].lower().removesuffix("'s") not in _NO_TELLER:
            said = text[found.end() : _end_of(text, found.end(), ends)]
            yield found.end(), found.end() + len(said.rstrip(" .!?\n"))
