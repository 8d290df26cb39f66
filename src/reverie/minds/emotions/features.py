"""What the classifier sees of a text beside its vector: hashed n-grams, and how it is typed.

N-grams are runs of 1 to 5 characters and of 1 or 2 words of the lowered text, each hashed to a row of one table
(Weinberger et al. 2009, without signs). Every hash is that of a substring, so prefix sums of a polynomial
hash (modulo 2**64) give those of a whole batch at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ROW_BITS = 16
TYPED = 5
"""How many numbers ``typed`` gives a text."""
MOST_CHARACTERS = 4_096
"""What is read of a text; the rest is left out, so that a huge one costs no more than a long one."""

_CHARACTERS = (1, 2, 3, 4, 5)
_WORDS = (1, 2)
_WORD_SALT = 100
_CHUNK = 8_192
_BASE = 0xD6E8FEB86659FD93
_INVERSE = pow(_BASE, -1, 1 << 64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SPACE, _APOSTROPHE = 32, 39
# Letters beyond ASCII, roughly: what lies between and above are punctuation and pictures, emoji among them.
_FURTHER_LETTERS = ((0xC0, 0x2000), (0x2E80, 0x1F000))
_RUN = re.compile(r"(.)\1{3,}", re.DOTALL)
_THREE = r"\1\1\1"
# Labels in the training texts where a name stood: their capitals say nothing.
_LABEL = re.compile(r"\[[A-Z]+\]")
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NO_CAPITALS = bytes(set(range(256)) - set(_CAPITALS))
_NO_LETTERS = bytes(set(_NO_CAPITALS) - set(_CAPITALS.lower()))
_SHOUTED = re.compile(r"\b[A-Z]{3,}\b")
_MOST_SHOUTED = 5

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """Table rows of a few texts: text i has ``rows[starts[i]:starts[i + 1]]``, distinct and at least one."""

    rows: NDArray[np.uint32]
    starts: NDArray[np.intp]
    counts: NDArray[np.intp]


def rows_of(texts: Sequence[str]) -> Iterator[Rows]:
    """Yield the rows of each text's n-grams, some texts at a time, in order. Any string is welcome."""
    plain: list[str] = []
    size = 0
    for text in texts:
        one = _plain(text)
        if plain and size + len(one) > _CHUNK:
            yield _hashed(plain)
            plain, size = [], 0
        plain.append(one)
        size += len(one)
    if plain:
        yield _hashed(plain)


def typed(text: str) -> tuple[float, ...]:
    """Return how it is typed, TYPED numbers in about [0, 2]: share of capitals, words in capitals, !, ?, length."""
    read = text[:MOST_CHARACTERS]
    if "[" in read:
        read = _LABEL.sub("", read)
    signs = read.encode(errors="replace")
    letters = len(signs.translate(None, _NO_LETTERS))
    return (
        len(signs.translate(None, _NO_CAPITALS)) / max(letters, 1),
        min(len(_SHOUTED.findall(read)), _MOST_SHOUTED) / _MOST_SHOUTED,
        math.log1p(read.count("!")) / 2,
        math.log1p(read.count("?")) / 2,
        math.log1p(len(read.split())) / 4,
    )


def _plain(text: str) -> str:
    """Lowered, with single spaces inside and around it, and no character more than three times in a row."""
    words = text[:MOST_CHARACTERS].lower().replace("\u2019", "'").split()
    return f" {_RUN.sub(_THREE, ' '.join(words))} "


def _hashed(plain: Sequence[str]) -> Rows:
    signs = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), "<u4")
    lengths = np.array([len(text) for text in plain])
    owner = np.repeat(np.arange(len(plain), dtype=np.uint32), lengths)
    powers, inverses = _powers()
    sums = np.zeros(len(signs) + 1, np.uint64)
    np.cumsum((signs.astype(np.uint64) + np.uint64(1)) * powers[: len(signs)], out=sums[1:])
    found = [_runs(sums, signs, owner, size) for size in _CHARACTERS]
    begins, ends = _words(signs)
    for size in _WORDS:
        first, stop = begins[: max(len(begins) - size + 1, 0)], ends[size - 1 :]
        inside = owner[first] == owner[stop - 1]
        first, stop = first[inside], stop[inside]
        hashes = (sums[stop] - sums[first]) * inverses[first]
        found.append(_keys(hashes, owner[first], _WORD_SALT + size))
    keys = np.concatenate(found)
    keys.sort()
    distinct = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
    counts = np.bincount(distinct >> np.uint32(ROW_BITS), minlength=len(plain))
    return Rows(
        rows=distinct & np.uint32((1 << ROW_BITS) - 1), starts=np.cumsum(counts) - counts, counts=counts
    )


def _runs(
    sums: Hashes, signs: NDArray[np.uint32], owner: NDArray[np.uint32], size: int
) -> NDArray[np.uint32]:
    """Return the keys of all runs of so many characters within a text; a space alone is none."""
    count = max(len(sums) - size, 0)
    hashes = (sums[size:] - sums[:count]) * _powers()[1][:count]
    inside: NDArray[np.bool_] = signs != _SPACE if size == 1 else owner[:count] == owner[size - 1 :]
    return _keys(hashes, owner[:count], size)[inside]


def _keys(hashes: Hashes, owner: NDArray[np.uint32], salt: int) -> NDArray[np.uint32]:
    """Return the table rows of hashes, each behind the number of its text."""
    # A polynomial hash is weak in its low bits: what is known of a few characters is spread over all 64.
    mixed = hashes + np.uint64(salt)
    mixed ^= mixed >> np.uint64(32)
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX
    keys: NDArray[np.uint32] = (mixed >> np.uint64(64 - ROW_BITS)).astype(np.uint32)
    keys |= owner << np.uint32(ROW_BITS)
    return keys


def _words(signs: NDArray[np.uint32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where words begin and end; a sign that is neither letter, digit nor space is a word by itself."""
    within = (
        ((signs >= ord("a")) & (signs <= ord("z")))
        | ((signs >= ord("0")) & (signs <= ord("9")))
        | (signs == _APOSTROPHE)
    )
    for first, beyond in _FURTHER_LETTERS:
        within |= (signs >= first) & (signs < beyond)
    alone = ~within & (signs != _SPACE)
    # Texts begin and end with a space, so no word touches an end of the batch.
    before, after = np.roll(within, 1), np.roll(within, -1)
    return np.flatnonzero((within & ~before) | alone), np.flatnonzero((within & ~after) | alone) + 1


@lru_cache(1)
def _powers() -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse, as far as a chunk may reach."""
    longest = max(_CHUNK, 4 * MOST_CHARACTERS) + 2

    def of(base: int) -> Hashes:
        factors = np.full(longest, base, np.uint64)
        factors[0] = 1
        return np.cumprod(factors)

    return of(_BASE), of(_INVERSE)
