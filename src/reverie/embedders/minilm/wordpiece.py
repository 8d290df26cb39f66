"""BERT's uncased WordPiece tokenizer in pure Python, held equal by test to the ``tokenizers`` library.

It stands in for that library because the library brings some 290 MB with it. The rules are those of the
model's own ``tokenizer.json``: clean the text, set ideographs apart, drop accents, lower the case, split at
spaces and punctuation, then cut each word greedily into the longest pieces that the vocabulary holds (Wu et
al. 2016, "Google's Neural Machine Translation System"; Devlin et al. 2018, "BERT").
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from reverie.embedders.minilm.characters import Folding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_WORD_CHARACTERS = 100
_MOST_CACHED_WORDS = 30_000
_FIRST_CHUNK = 2_048
_LARGEST_CHUNK = 16_384
# The library recognises these in any text before it normalises; so do we.
_MARKS = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]")
# Most lines that are counted are plain: their words can be had at a third of what folding each character takes.
_PLAIN = re.compile(r"[\t\r -~]*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """Texts to token ids, for a vocabulary given in id order.

    Thread-safe. ``ids`` stops reading as soon as it has enough tokens, so a huge text costs no more than a
    long one. Words once seen are kept in a bounded cache.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(map(len, self._ids), default=0)
        self._unknown = (self._ids["[UNK]"],)
        self._first = self._ids["[CLS]"]
        self._last = self._ids["[SEP]"]
        self._folding = Folding()
        self._cache: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str, most: int) -> list[int]:
        """Return the text's token ids between [CLS] and [SEP], truncated to ``most`` ids in all (at least 2)."""
        found = [self._first]
        found.extend(islice(self._all_ids(text), max(most - 2, 0)))
        found.append(self._last)
        return found

    def count(self, text: str) -> int:
        """Return the number of tokens in the whole text, without truncation and without [CLS] and [SEP]."""
        return sum(map(self._count_line, text.split("\n")))

    def _count_line(self, text: str) -> int:
        if not _PLAIN.fullmatch(text) or _MARKS.search(text):
            return sum(len(pieces) for pieces in self._pieces(text))
        words = _PLAIN_WORD.findall(text.lower())
        try:
            return sum(map(len, map(self._cache.__getitem__, words)))
        except KeyError:
            return sum(len(self._cache.get(word) or self._cut_and_keep(word)) for word in words)

    def _all_ids(self, text: str) -> Iterator[int]:
        for pieces in self._pieces(text):
            yield from pieces

    def _pieces(self, text: str) -> Iterator[tuple[int, ...]]:
        """Yield the pieces of each word and mark, in order, read as far as the caller asks."""
        start = 0
        for mark in _MARKS.finditer(text):
            yield from self._plain_pieces(text, start, mark.start())
            yield (self._ids[mark.group()],)
            start = mark.end()
        yield from self._plain_pieces(text, start, len(text))

    def _plain_pieces(self, text: str, start: int, stop: int) -> Iterator[tuple[int, ...]]:
        for word in self._words(text, start, stop):
            pieces = self._cache.get(word)
            yield self._cut_and_keep(word) if pieces is None else pieces

    def _words(self, text: str, start: int, stop: int) -> Iterator[str]:
        """Folds chunk by chunk; the word that a chunk's end cuts through is carried into the next."""
        carried = ""
        size = _FIRST_CHUNK
        while start < stop:
            end = min(start + size, stop)
            folded = carried + text[start:end].translate(self._folding)
            start, size = end, min(size * 4, _LARGEST_CHUNK)
            words = folded.split()
            # Only a space proves that the last word is whole.
            carried = words.pop() if words and start < stop and not folded[-1].isspace() else ""
            # A word too long is [UNK] whatever follows, so no more of it need be kept.
            carried = carried[: MOST_WORD_CHARACTERS + 1]
            yield from words
        if carried:
            yield carried

    def _cut_and_keep(self, word: str) -> tuple[int, ...]:
        pieces = self._cut(word)
        if len(word) <= MOST_WORD_CHARACTERS:
            if len(self._cache) >= _MOST_CACHED_WORDS:
                self._cache.clear()
            self._cache[word] = pieces
        return pieces

    def _cut(self, word: str) -> tuple[int, ...]:
        """Greedy longest match first; a word with any part outside the vocabulary is [UNK] as a whole."""
        if len(word) > MOST_WORD_CHARACTERS:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return self._unknown
        return tuple(pieces)
