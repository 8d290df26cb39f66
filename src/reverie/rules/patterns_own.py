"""The speaker's own words: what in a message was said by whoever wrote it, and not pasted, quoted or programmed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules.edited import Edited
from reverie.rules.fence import fenced_off

MOST_READ = 2_000
"""So many characters are read."""
MOST_FIRST = 600
"""Of a message that is longer only the first paragraph, and of it so much, is taken as the speaker's own."""
MOST_SENTENCE = 600

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|^(?:\t| {4}).*$", re.DOTALL | re.MULTILINE)
_LINES = re.compile(r"^\s*[>|#].*$", re.MULTILINE)  # quoted lines, rows of tables, headings
_DIRECTIONS = re.compile(r"\[(?!redacted: )[^\]\n]* [^\]\n]*\](?!\()")  # [shares a photo]
_TAGGED = re.compile(r"<(?P<tag>[a-zA-Z][\w:-]*)\b[^>]*>.*?</(?P=tag)\s*>|<[^>\n]{1,200}>", re.DOTALL)
_MARKS = (
    (("`", "~", "\t", "    "), _CODE),
    ((">", "|", "#"), _LINES),
    (("[",), _DIRECTIONS),
    (("<",), _TAGGED),
)
# Each part begins with the sign itself: then Python jumps from one to the next
_QUOTED = re.compile(
    r"\"[^\"\n]*(?:\"|$)|\u201c[^\u201d]*(?:\u201d|\Z)|\u00ab[^\u00bb]*(?:\u00bb|\Z)"
    r"|\u201e[^\u201c\u201d]*(?:[\u201c\u201d]|\Z)|'(?<![\w']')(?=[^\s'])[^'\n]*(?:'[^\s'.,;!?][^'\n]*)*[^\s]'(?!\w)",
    re.MULTILINE,
)
# What begins like this asks for a piece of work; behind a line that ends in a colon, or a blank one, comes its material
_TASK = re.compile(
    r"\s*(?:please\s+|can you\s+|could you\s+|now\s+|ok(?:ay)?,?\s+)*(?:re)?(?:write|translate|summari[sz]e|proofread"
    r"|paraphrase|phrase|edit|correct|polish|improve|explain|analy[sz]e|make|create|generate|draft|convert|turn|act"
    r"|pretend|imagine|respond|reply|answer|compose|list|give me|describe|expand|shorten|check|review|read|complete"
    r"|you are|you're|your task|your role|i want you to act|from now on you are)\b",
    re.IGNORECASE,
)
_MATERIAL = re.compile(r":[ \t]*\n|\n[ \t]*\n")
_UNDERLINED = re.compile(r"(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_STARS = re.compile(r"\*+")
_END = re.compile(
    r"[.!?\u2026\n\u3002\uff01\uff1f]+[\"'\u201d)\]*_]*(?:(?=\s|$)|(?<=[\n\u3002\uff01\uff1f]))"
)


def own(text: str) -> str:
    """The text without what isn't the speaker's own words, and without marks of emphasis; apostrophes are plain."""
    edited = Edited(text)
    leave_own(edited)
    return edited.text


def leave_own(edited: Edited) -> None:
    """Leaves of a text the speaker's own words."""
    long = len(edited.text) > MOST_READ
    edited.cut(MOST_READ)
    if not edited.text.isascii():
        edited.spelled(edited.text.replace("\u2019", "'").replace("\u2018", "'").replace("\u02bc", "'"))
    edited.put((start, end, " ") for start, end in fenced_off(edited.text))
    for marks, pattern in _MARKS:
        if any(mark in edited.text for mark in marks):
            edited.put((one.start(), one.end(), " ") for one in pattern.finditer(edited.text))
    if "*" in edited.text:
        edited.put((one.start(), one.end(), "") for one in _STARS.finditer(edited.text))
    if " _" in edited.text:
        edited.put((one.start(), one.end(), "") for one in _UNDERLINED.finditer(edited.text))
    edited.cut(_length_of_own(edited.text, long=long))


def _length_of_own(said: str, *, long: bool) -> int:
    if "\n" not in said:
        return MOST_FIRST if long else len(said)
    if long or _TASK.match(said):
        material = _MATERIAL.search(said)
        return min(material.start() if material else said.index("\n"), MOST_FIRST)
    before, colon, _ = said.partition(":\n")
    return len(before) if colon else len(said)


def quotations(text: str) -> list[tuple[int, int]]:
    """Where somebody else's words stand within quotation marks: start and end of each."""
    return [match.span() for match in _QUOTED.finditer(text)]


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, its closing marks included; none that is longer than ``MOST_SENTENCE``."""
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        if 3 < end - start <= MOST_SENTENCE:
            yield start, end
        start = end
    if 3 < len(text) - start <= MOST_SENTENCE:
        yield start, len(text)
