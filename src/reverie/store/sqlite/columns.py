"""Columns beside the vectors and postings of a corpus: numbers, ids, labels, and names by number."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from reverie.store.sqlite.appendable import Appendable

Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]

_FEW = 8  # so many values are looked for one by one; more are looked for together

T = TypeVar("T", bound=Hashable)


class Steady:
    """A column whose rows all hold one number: it takes no memory, and becomes an Appendable for another.

    In most banks most columns are like that: nothing was revised, has an end or a scope, or was reinforced.
    """

    __slots__ = ("rows",)

    def __init__(self, value: NDArray[Any], length: int) -> None:
        self.rows: NDArray[Any] = np.ndarray(length, value.dtype, value, strides=(0,))
        self.rows.flags.writeable = False

    def append(self, values: NDArray[Any]) -> Steady | Appendable:
        """These rows and then `values`."""
        added = values.astype(self.rows.dtype)
        if not len(added):
            return self
        value = (self.rows if len(self.rows) else added)[:1].copy()
        if (added == value).all():
            return Steady(value, len(self.rows) + len(added))
        return Appendable.of(self.rows.copy()).append(added)

    def take(self, rows: Rows) -> Self:
        """Only `rows`, in their order."""
        return type(self)(self.rows[:1].copy() if len(rows) else np.zeros(1, self.rows.dtype), len(rows))


class Table:
    """Number columns of one length by name, immutable: `append` and `take` return new values."""

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Appendable | Steady]) -> None:
        self._columns = columns

    @classmethod
    def empty(cls, dtypes: Mapping[str, DTypeLike]) -> Self:
        """No rows yet of these columns."""
        return cls({name: Steady(np.zeros(1, dtype), 0) for name, dtype in dtypes.items()})

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name].rows

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def append(self, values: Mapping[str, NDArray[Any]]) -> Self:
        """These rows and then `values`, which has an array of one length for each column."""
        return type(self)({name: column.append(values[name]) for name, column in self._columns.items()})

    def take(self, rows: Rows) -> Self:
        """Only `rows`, in their order."""
        return type(self)(
            {
                name: column.take(rows) if isinstance(column, Steady) else Appendable.of(column.rows[rows])
                for name, column in self._columns.items()
            }
        )


class Ids:
    """Ids of any text, a row each, as fixed-width bytes: 37 bytes a row for UUIDs, where a str takes 85.

    Each ends in a mark of its own, because numpy drops trailing zero bytes.
    """

    __slots__ = ("_texts",)

    def __init__(self, texts: Appendable) -> None:
        self._texts = texts

    @classmethod
    def empty(cls) -> Self:
        """No ids yet."""
        return cls(Appendable.empty("S1"))

    def append(self, ids: Sequence[str]) -> Self:
        """These rows and one for each of `ids`."""
        added = np.array([_marked(id) for id in ids], np.bytes_)
        texts = self._texts
        if added.dtype.itemsize > texts.rows.dtype.itemsize:
            texts = Appendable.of(texts.rows.astype(added.dtype))
        return type(self)(texts.append(added))

    def take(self, rows: Rows) -> Self:
        """Only `rows`, in their order."""
        return type(self)(Appendable.of(self._texts.rows[rows]))

    def of(self, rows: Rows) -> list[str]:
        """Return the ids of `rows`."""
        return [_unmarked(text) for text in self._texts.rows[rows].tolist()]

    def to_be_read(self, rows: Rows) -> Sequence[str]:
        """Return the same, each made when it is asked for: of the candidates most are never."""
        return _Unread(self._texts.rows[rows])

    def among(self, ids: Collection[str]) -> Mask:
        """Return which rows have one of these ids."""
        wanted = {_marked(id) for id in ids}
        texts = self._texts.rows
        if len(wanted) > _FEW:
            return np.fromiter((text in wanted for text in texts.tolist()), np.bool_, len(texts))
        mask = np.zeros(len(texts), np.bool_)
        for text in wanted:
            mask |= texts == text
        return mask


class _Unread(Sequence[str]):
    """Ids by place."""

    __slots__ = ("_texts",)

    def __init__(self, texts: NDArray[np.bytes_]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return _Unread(self._texts[place]) if isinstance(place, slice) else _unmarked(self._texts[place])

    def __iter__(self) -> Iterator[str]:
        return map(_unmarked, self._texts.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)


def _unmarked(text: bytes) -> str:
    return text[:-1].decode("utf-8", "surrogatepass")


def _marked(id: str) -> bytes:
    return id.encode("utf-8", "surrogatepass") + b"."


class Ragged:
    """A set of 64-bit keys a row: hashes of labels or of words. No text is kept.

    Two of 100,000 keys are the same by chance with a probability below 10⁻⁹.
    """

    __slots__ = ("_ends", "_keys")

    def __init__(self, ends: Appendable, keys: Appendable) -> None:
        self._ends, self._keys = ends, keys

    @classmethod
    def empty(cls) -> Self:
        """No rows yet."""
        return cls(Appendable.empty(np.int32), Appendable.empty(np.int64))

    def append(self, sets: Sequence[Collection[int]]) -> Self:
        """These rows and one for each set of keys."""
        sizes = np.fromiter(map(len, sets), np.int64, len(sets))
        keys = np.fromiter(chain.from_iterable(sets), np.int64, int(sizes.sum()))
        return type(self)(self._ends.append(len(self._keys) + np.cumsum(sizes)), self._keys.append(keys))

    def take(self, rows: Rows) -> Self:
        """Only `rows`, in their order."""
        places, sizes = self._places(rows)
        return type(self)(
            Appendable.of(np.cumsum(sizes, dtype=np.int32)), Appendable.of(self._keys.rows[places])
        )

    def with_any(self, keys: Collection[int]) -> Mask:
        """Return which rows hold one of these keys."""
        ends = self._ends.rows
        mask = np.zeros(len(ends), np.bool_)
        found = [np.flatnonzero(self._keys.rows == key) for key in keys]
        if found:
            mask[ends.searchsorted(np.concatenate(found), side="right")] = True
        return mask

    def count(self, keys: Collection[int], rows: Rows) -> NDArray[np.int64]:
        """Return how many of these keys each of `rows` holds."""
        places, sizes = self._places(rows)
        held = self._keys.rows[places]
        hit = np.zeros(len(held), np.bool_)
        for key in set(keys):
            hit |= held == key
        owners = np.repeat(np.arange(len(rows)), sizes)
        return np.bincount(owners[hit], minlength=len(rows)).astype(np.int64)

    def _places(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return where the keys of `rows` lie, one row's behind the other's, and how many each has."""
        ends = self._ends.rows
        starts = np.where(rows > 0, ends[rows - 1], 0)
        sizes = ends[rows] - starts
        shifts = starts - (np.cumsum(sizes) - sizes)
        return np.repeat(shifts, sizes) + np.arange(int(sizes.sum())), sizes


class Names(Generic[T]):
    """Numbers for values that many rows share. It only grows, by one writer; readers look at it freely."""

    __slots__ = ("_codes", "values")

    def __init__(self) -> None:
        self._codes: dict[T, int] = {}
        self.values: list[T] = []

    def code(self, value: T) -> int:
        """Return the number of `value`, a new one if it has none yet."""
        known = self._codes.get(value)
        if known is None:
            known = len(self.values)
            self.values.append(value)
            self._codes[value] = known
        return known

    def codes(self, values: Collection[T]) -> list[int]:
        """Return the numbers of those values that have one."""
        return [code for value in values if (code := self._codes.get(value)) is not None]


def any_of(column: NDArray[Any], codes: Sequence[int]) -> Mask:
    """Return which rows of an integer column hold one of `codes`."""
    if len(codes) > _FEW:
        wanted = np.sort(np.asarray(codes, column.dtype))
        at = np.minimum(wanted.searchsorted(column), len(wanted) - 1)
        found: Mask = wanted[at] == column
        return found
    mask = np.zeros(len(column), np.bool_)
    for code in codes:
        mask |= column == code
    return mask
