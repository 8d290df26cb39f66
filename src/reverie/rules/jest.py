"""What its own speaker takes back: "… kidding", "jk", "just joking", "/s" hold for what stands before them."""

from __future__ import annotations

import re
from bisect import bisect_right

from reverie.rules.vital import vital

_JEST = re.compile(
    r"(?<![\w'])(?P<plain>(?:(?:i'm|im|i am|i was|we're) )?(?:(?:just|only|totally|obviously|so) )?)"
    r"(?P<word>kidding|joking|jk|j/k)\b"
    r"(?! (?:aside|around|about|apart|not|myself|me|you|him|her|them|us|that|when|if)\b)(?!\s{0,4}\?)|(?<!\S)/s(?!\S)",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"([\w']+)\s*$")
_NO_JEST = frozenset(
    "not no ever never always stop you you're he he's she she's they they're is are was were isn't wasn't aren't be"
    " been all must keep keeps kept of don't he'd she'd".split()
)
"""Behind these it is told that somebody jokes, or that nobody does."""
_NEAR = 24  # characters
_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]++(?=\s|$)|\n")
_CLOSES = re.compile(r"[)\s.!?,\u2026]*+")
_WORD = re.compile(r"\w+")
_FEWEST = 3  # words
_HINTS = ("kidding", "joking", "jk", "j/k", "/s")
_MOST_READ = 12_000  # characters


def taken_back(text: str) -> list[tuple[int, int]]:
    """Where in a message stands what is taken back, with the words that take it back: start and end of each, in order,
    apart. What is vital is taken back only by what stands right behind it, or in its sentence.
    """
    jests = _jests(text)
    if not jests:
        return []
    ends = [one.end() for one in _END.finditer(text, 0, jests[-1][1])]
    found, start, near = list[tuple[int, int]](), 0, {_behind(text, place, ends) for place, _ in jests}
    while start < jests[-1][1]:
        at = bisect_right(ends, start)
        stop = ends[at] if at < len(ends) else jests[-1][1]
        spared = (
            start not in near and vital(text[start:stop]) and not any(start <= one < stop for one, _ in jests)
        )
        if not spared:
            found = (
                [*found[:-1], (found[-1][0], stop)]
                if found and found[-1][1] == start
                else [*found, (start, stop)]
            )
        start = stop
    return found


def is_jest(text: str) -> bool:
    """Whether a message does nothing but take back what was said before it: "haha kidding!" """
    jests = _jests(text)
    return bool(jests) and len(_WORD.findall(text, 0, jests[0][0])) < _FEWEST


def _jests(text: str) -> list[tuple[int, int]]:
    read = text[:_MOST_READ].replace("\u2019", "'")
    low = read.lower()
    if not any(map(low.__contains__, _HINTS)):
        return []
    return [(one.start(), _closed(read, one.end())) for one in _JEST.finditer(read) if _takes_back(one, read)]


def _closed(text: str, end: int) -> int:
    """Where ends what takes something back: with its sentence, unless that goes on with what is vital."""
    rest = _CLOSES.match(text, end)
    end = end if rest is None else rest.end()
    if not text[max(0, end - _NEAR) : end].rstrip(" ").endswith(","):
        return end
    stop = _END.search(text, end)
    last = len(text) if stop is None else stop.end()
    return end if vital(text[end:last]) else last


def _takes_back(found: re.Match[str], text: str) -> bool:
    before = text[max(0, found.start() - _NEAR) : found.start()]
    last = _LAST_WORD.search(before)
    if last is not None and last[1].lower() in _NO_JEST:
        return False
    return (
        last is None or bool(found["plain"]) or (found["word"] or "/s").lower() not in ("kidding", "joking")
    )


def _behind(text: str, place: int, ends: list[int]) -> int:
    """Where the sentence before a place begins that has words."""
    at = bisect_right(ends, place)
    while at:
        start = ends[at - 2] if at > 1 else 0
        if _WORD.search(text, start, ends[at - 1]):
            return start
        at -= 1
    return 0
