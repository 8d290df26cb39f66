"""The fence around what Reverie itself puts into a prompt, so that it is never taken for something that was said.

A block that we made is known by the digest in its closing marker, and by nothing else: a marker that somebody wrote is
text like any other. In a block of ours no text can look like a marker, however it is disguised: by capitals, spaces,
attributes, full-width forms, invisible characters or letters of other scripts that look alike.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from reverie.domain.text import UNSEEN
from reverie.language import visible

NAME = "reverie-context"
FENCE_OPEN = f"<{NAME}>"
FENCE_CLOSE = f"</{NAME}"
"""How the closing marker begins: the digest is behind it."""
_DIGITS = 8
_OURS = re.compile(rf"{FENCE_OPEN}|{FENCE_CLOSE} (?P<digest>[0-9a-f]{{{_DIGITS}}})>")

# Invisible characters, and marks that combine with the letter before them
_UNSEEN = re.compile(f"[{UNSEEN}\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
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
_BREAKS = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_GAP = rf"[^\S{_BREAKS}]*+"
# Within one line, so that lines without a marker have none together either
_MARKER = re.compile(rf"<{_GAP}(?P<close>/?){_GAP}reverie{_GAP}-?{_GAP}context\b[^<>{_BREAKS}]{{0,200}}>?")


def fenced(text: str) -> str:
    """Return the text between our markers; what in it looks like one is made harmless.

    The closing marker carries the digest: the same text gives the same block, and blocks that begin alike share their
    beginning, so that prompt caches hold.
    """
    inside = defused(text)
    return f"{FENCE_OPEN}\n{inside}\n{FENCE_CLOSE} {_digest(inside)}>"


def _digest(inside: str) -> str:
    """Return the digest of the words: white space may be changed on the way."""
    return hashlib.sha256(" ".join(inside.split()).encode(errors="surrogatepass")).hexdigest()[:_DIGITS]


def own_blocks(text: str) -> list[tuple[int, int]]:
    """Return where whole blocks that we made stand: start and end of each, in order. Of blocks in a block the outer
    counts, if it is whole without them. Time is linear.
    """
    found: list[tuple[int, int]] = []
    if FENCE_OPEN not in text:
        return found
    # Start and end of each marker, and how many blocks stand before it
    opened: list[tuple[int, int, int]] = []
    for marker in _OURS.finditer(text):
        if marker["digest"] is None:
            opened.append((marker.start(), marker.end(), len(found)))
            continue
        if not opened:
            continue
        start, end, before = opened.pop()
        if _digest(without_spans(text, found[before:], end, marker.start())) == marker["digest"]:
            found[before:] = [(start, marker.end())]
        else:
            opened.clear()  # the text of a block of ours holds no marker
    return found


def without_spans(text: str, spans: Sequence[tuple[int, int]], start: int = 0, end: int | None = None) -> str:
    """Return the text from one place to another without these spans, and a line break in the place of each."""
    kept = []
    for first, last in spans:
        kept.append(text[start:first])
        start = last
    return "\n".join((*kept, text[start:end]))


def forged_blocks(text: str) -> list[tuple[int, int]]:
    """Return where a text that isn't ours pretends to be a block: from each marker, disguised or not, to the next
    closing one or to the end. Nobody is to take it for the writer's own words.
    """
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for start, end, closes in _markers(text):
        if not closes:
            begun = start if begun is None else begun
        else:
            found.append((start if begun is None else begun, end))
            begun = None
    return found if begun is None else [*found, (begun, len(text))]


def defused(text: str) -> str:
    """Return the text without a marker: the brackets of what looks like one become round, and every word stays.
    What can't be seen goes (``language.visible_text``).
    """
    text = visible(text)
    kept, at = [], 0
    for start, end, _ in _markers(text):
        inside = text[start + 1 : end]
        closed = f"{inside[:-1]})" if _folded(inside[-1:])[0] == ">" else inside
        kept += [text[at:start], "(", closed]
        at = end
    return "".join((*kept, text[at:])) if kept else text


def _markers(text: str) -> list[tuple[int, int, bool]]:
    """Return where markers stand: start, end, and whether they close."""
    if not _hinted(text):
        return []
    folded, places = _folded(text)
    return [
        (places[match.start()], places[match.end() - 1] + 1, bool(match["close"]))
        for match in _MARKER.finditer(folded)
    ]


def _hinted(text: str) -> bool:
    """Return whether a closer look pays; told without one for nearly every text."""
    if text.isascii():
        return "<" in text and "rever" in text.lower()
    if not _BRACKET.search(text):
        return False
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
    return "reverie" in _small(_UNSEEN.sub("", plain))


def _small(text: str) -> str:
    """Return the text in the small Latin letters that it looks like; the Greek capital of n looks like it, the
    small one doesn't.
    """
    return text.replace("\u039d", "n").lower().translate(_ALIKE)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return the text as it looks, and for each of its characters the place in the text that it comes from."""
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
