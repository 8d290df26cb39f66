"""What a forgotten memory takes with it: the sentences that hold it, and the mark that keeps it from coming
back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

from reverie.rules.terms import terms

_SENTENCE = re.compile(
    r"[^.!?\n\u3002\uff01\uff1f]*(?:[.!?\u3002\uff01\uff1f]+[\"'\u201d\u2019)\]]*\s*|\n+\s*|$)"
)
_WORDS = re.compile(r"\w+")
HOLDS_SHARE = 0.5


def sentences(text: str) -> list[str]:
    """The text in sentences, each with the white space behind it; joined they are the text."""
    return [part for part in _SENTENCE.findall(text) if part]


def holds(sentence: str, essence: str) -> bool:
    """Whether a sentence tells what the essence tells: it shares at least half of the essence's distinct
    content words, or at least half of its own, and at least two (or all, where there are fewer).
    """
    said, known = set(terms(sentence)), set(terms(essence))
    if not said or not known:
        return bool(_WORDS.findall(sentence)) and _canonical(sentence) == _canonical(essence)
    shared = len(said & known)
    needed = min(2, len(said), len(known))
    return shared >= needed and shared >= HOLDS_SHARE * min(len(said), len(known))


def without(text: str, essence: str) -> str:
    """The text without the sentences that hold the essence; empty if none is left."""
    return "".join(part for part in sentences(text) if not holds(part, essence)).strip()


def tombstone(secret: bytes, text: str) -> bytes:
    """The keyed digest (HMAC-SHA-256, 32 bytes) under which a forgotten text is known again, whatever its
    case, spacing and punctuation.
    """
    return hmac.new(secret, _canonical(text).encode(), hashlib.sha256).digest()


def _canonical(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORDS.findall(folded)) or folded
