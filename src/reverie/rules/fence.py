"""The fence around what Reverie itself puts into a prompt, so that it is never taken for something that was said.

A marker is known however it is disguised: by capitals, spaces, attributes, full-width forms, invisible characters or
letters of other scripts that look alike.
"""

from __future__ import annotations

import re
import unicodedata

from reverie.domain.text import unturned

NAME = "reverie-context"
FENCE_OPEN = f"<{NAME}>"
FENCE_CLOSE = f"</{NAME}>"

# Invisible characters, and marks that combine with the letter before them
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# Letters and signs that look like those of a marker and that no normalization maps to them
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2039\u27e8\u3008\u2329\u276c\u2770\u02c2\u1438\u2264", "<"),
        **dict.fromkeys("\u203a\u27e9\u3009\u232a\u276d\u2771\u02c3\u1433\u2265", ">"),
        **dict.fromkeys("\u2044\u2215\u29f8\u2571\u27cb\\", "/"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00b7_\u2043\u02d7\u30fc", "-"),
        **dict.fromkeys("\u0433\u027c\u0280\u1d26\u2c85\ua783\uab47\uab48\ua4e3", "r"),
        **dict.fromkeys("\u0435\u0451\u0454\u0117\u00e9\u00e8\u00ea\u00eb\u03b5\u212e\u04bd\uab32\u0113", "e"),
        **dict.fromkeys("\u03bd\u0475\u05d8\u1d20\u22c1\u2228\ua6cf", "v"),
        **dict.fromkeys("\u0456\u0457\u03b9\u0131\u00ed\u00ec\u00ee\u00ef\u04cf\u0269\u1d7b\u0142|", "i"),
        **dict.fromkeys("\u0441\u03f2\u03c2\u1d04\u2ca5\u00e7\u0188", "c"),
        **dict.fromkeys("\u043e\u03bf\u0585\u00f3\u00f2\u00f4\u00f6\u1d0f\u2c9f\u04e7\u0e50\u0ed0\u06f50", "o"),
        **dict.fromkeys("\u0578\u057c\u0274\u043f\u00f1\u03b7", "n"),
        **dict.fromkeys("\u0442\u03c4\u1d1b\u01ad", "t"),
        **dict.fromkeys("\u0445\u03c7\u04b3\u00d7", "x"),
        "1": "i",
    }
)  # fmt: skip
_BRACKET = re.compile(
    "[<\u2039\u27e8\u3008\u2329\u276c\u2770\u02c2\u1438\u2264\u226e\u2270\ufe3f\ufe64\uff1c]"
)
_MOST_NESTED = 8
_BREAKS = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_GAP = rf"[^\S{_BREAKS}]*+"
# Within one line, so that lines without a marker have none together either
_MARKER = re.compile(rf"<{_GAP}(?P<close>/?){_GAP}reverie{_GAP}-?{_GAP}context\b[^<>{_BREAKS}]{{0,200}}>?")


def fenced(text: str) -> str:
    """The text between our markers; what in it looks like one is made harmless."""
    return f"{FENCE_OPEN}\n{defused(text)}\n{FENCE_CLOSE}"


def defused(text: str) -> str:
    """The text without a marker: the brackets of what looks like one become round, and every word stays. Marks that
    turn the order in which a text is shown go.
    """
    text = unturned(text)
    for start, end, _ in reversed(_markers(text)):
        inside = text[start + 1 : end]
        closed = f"{inside[:-1]})" if _folded(inside[-1:])[0] == ">" else inside
        text = f"{text[:start]}({closed}{text[end:]}"
    return text


def stripped(text: str) -> str:
    """The text without our blocks: from each opening marker to the next closing one, or to the end where none closes
    it, and without a closing marker that stands alone. A text without markers comes back as it is.

    What is joined may read as a marker again. That is taken out too, a few times; markers nested deeper than anybody
    writes them are made harmless instead.
    """
    for _ in range(_MOST_NESTED):
        spans = _markers(text)
        if not spans:
            return text
        text = _outside(text, spans)
    return defused(text)


def _outside(text: str, spans: list[tuple[int, int, bool]]) -> str:
    kept: list[str] = []
    at = 0
    inside = False
    for start, end, closes in spans:
        if not inside:
            kept.append(text[at:start])
            inside = not closes
        elif closes:
            inside = False
        at = end
    if not inside:
        kept.append(text[at:])
    return "".join(kept)


def _markers(text: str) -> list[tuple[int, int, bool]]:
    """Where markers stand: start, end, and whether they close."""
    if not _hinted(text):
        return []
    folded, places = _folded(text)
    return [
        (places[match.start()], places[match.end() - 1] + 1, bool(match["close"]))
        for match in _MARKER.finditer(folded)
    ]


def _hinted(text: str) -> bool:
    """Whether a closer look pays; told without one for nearly every text."""
    if text.isascii():
        return "<" in text and "rever" in text.lower()
    if not _BRACKET.search(text):
        return False
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
    return "reverie" in _small(_UNSEEN.sub("", plain))


def _small(text: str) -> str:
    """In the small Latin letters that it looks like; the Greek capital of n looks like it, the small one doesn't."""
    return text.replace("\u039d", "n").lower().translate(_ALIKE)


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as it looks, and for each of its characters the place in the text that it comes from."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if _UNSEEN.match(letter):
            continue
        plain = letter if letter.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKD", letter))
        for one in _small(plain):
            letters.append(one)
            places.append(place)
    return "".join(letters), places
