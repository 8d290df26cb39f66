"""What a forgotten memory takes with it: the sentences that hold it, and the mark that keeps it from coming
back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

from reverie.rules.terms import shortened_marks, terms

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
    return _Told(essence).by(sentence)


def without(text: str, essence: str) -> str:
    """The text without the sentences that hold the essence; empty if none is left."""
    told = _Told(essence)
    return "".join(part for part in sentences(text) if not told.by(part)).strip()


class _Told:
    """What an essence tells, read once for many sentences."""

    def __init__(self, essence: str) -> None:
        self._terms = set(terms(essence))
        self._canonical = _canonical(essence)

    def by(self, sentence: str) -> bool:
        """See ``holds``."""
        said = set(terms(sentence))
        if not said or not self._terms:
            return bool(_WORDS.findall(sentence)) and _canonical(sentence) == self._canonical
        shared = len(said & self._terms)
        fewer = min(len(said), len(self._terms))
        return shared >= min(2, fewer) and shared >= HOLDS_SHARE * fewer


def tombstone(secret: bytes, text: str) -> bytes:
    """The keyed digest (HMAC-SHA-256, 32 bytes) under which a forgotten text is known again, whatever its
    case, spacing and punctuation.
    """
    return hmac.new(secret, _canonical(text).encode(), hashlib.sha256).digest()


def message_tombstone(secret: bytes, conversation: str, name: str, content: str) -> bytes:
    """The digest under which one forgotten message of a conversation is known again: ``name`` is its ref, or
    its time where it has none. Other messages with the same words are not it.
    """
    mark = "\0".join(("message", conversation, name, _canonical(content)))  # no text of ours holds a \0
    return hmac.new(secret, mark.encode(), hashlib.sha256).digest()


def _canonical(text: str) -> str:
    folded = unicodedata.normalize("NFKC", shortened_marks(text)).casefold()
    return " ".join(_WORDS.findall(folded)) or folded
