"""Chance: whether a value looks like one that somebody made up or drew, and not like a word, a name or a reference."""

from __future__ import annotations

import math
import re
from collections import Counter

_FEWEST = 4
_LONGEST = 4_000
_SHORTEST_CHOSEN = 5
_SHORTEST_DRAWN = 16
_LEAST_ENTROPY = 3.0  # bits a character; hexadecimal digits by chance have 3.5 and more
_LEAST_TURNS = 0.1
# Characters that passwords have and words haven't, but at their end
_SIGN = re.compile(r"[!@#$%^&*+=~?](?=.)")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[^\W\d_]")
_TURN = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])|[a-z](?=[A-Z])")
# What stands for a value: a variable, a template, a call, an item of a list or an attribute, stars
_STANDS_FOR = re.compile(
    r"[$%]?\{|[(<\[]|\$\(|\$[A-Za-z_]\w{0,60}(?:$|[^\w!#%&*+=?@^~$])|%[A-Za-z_]+%|%[sd]|[*x.\u2022_-]{3,}$"
    r"|[A-Za-z_]\w{0,60}=[A-Za-z_.]{1,60}$|[A-Za-z_][\w.]{0,60}[(\[]|(?:[A-Za-z_]\w{0,60}\.){1,9}[A-Za-z_]\w{0,60}$"
)
# "12-character", "2fa", "3rd", "90days", "v2.1", "10:30", "2024-05-03", "5432/tcp": numbers and what they count
_COUNTS = re.compile(
    r"[v~<>=$\u20ac\u00a3+-]?[0-9]+(?:[.,:/x-][0-9]+)*(?:[-/]?[A-Za-z]{1,12})?%?$", re.IGNORECASE
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{0,20}://", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\.{0,2}/|~/|[A-Z]:\\|[\w.-]{1,64}:[0-9]{1,5}$|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}$", re.IGNORECASE
)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_OF_SECRETS = re.compile(
    r"pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|api[_-]?key|credential|placeholder|example|your|changeme",
    re.IGNORECASE,
)


def is_said(value: str) -> bool:
    """Return whether a value may be a secret at all: it stands for no other, and isn't a word for secrets."""
    if not _FEWEST <= len(value) <= _LONGEST or _STANDS_FOR.match(value):
        return False
    return _DIGIT.search(value) is not None or _OF_SECRETS.search(value) is None


def is_numbered(value: str) -> bool:
    """Return whether a value may be a secret and has a digit, which what programs call things seldom has."""
    return is_said(value) and _DIGIT.search(value) is not None


def is_chosen(value: str) -> bool:
    """Return whether a value looks like a password: letters with digits or signs among them, and no number that
    counts.
    """
    if len(value) < _SHORTEST_CHOSEN or not is_said(value) or not _LETTER.search(value):
        return False
    if _COUNTS.match(value) or _ADDRESS.match(value) or _ELSEWHERE.match(value):
        return False
    return _DIGIT.search(value) is not None or _SIGN.search(value) is not None


def is_drawn(value: str) -> bool:
    """Return whether a value looks like one that a machine drew: long, and letters and digits in no order."""
    if not _SHORTEST_DRAWN <= len(value) <= _LONGEST or not is_said(value) or _ADDRESS.match(value):
        return False
    return (
        len(_TURN.findall(value)) >= _LEAST_TURNS * len(value)
        and _DIGIT.search(value) is not None
        and entropy(value) >= _LEAST_ENTROPY
    )


def is_uuid(value: str) -> bool:
    """Return whether it is a UUID, which names more often than it opens."""
    return _UUID.fullmatch(value) is not None


def entropy(text: str) -> float:
    """Return Shannon's entropy of its characters, in bits."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
