"""JSON values of a stream, one at a time: JSON Lines, the items of one list, or one object. Memory holds one value."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator, Mapping

from reverie.services.exchange.foreign.items import Skip, broken

MOST_VALUE = 64 << 20
"""Characters of one item of a list, or of one line."""
MOST_OBJECT = 256 << 20
"""Characters of a file that is one object: it is read as a whole."""
_AT_ONCE = 1 << 20
_NEAR_END = 16
"""An error of the parser that stands before so many last characters isn't due to their end."""
_LISTS = (
    "results", "relations", "entities", "edges", "facts", "passages", "items", "conversations", "memories", "messages",
)  # fmt: skip
"""Fields of an object that holds nothing but lists of what is to be read."""

Read = Callable[[int], bytes]
Placed = tuple[str, object]
"""Where a value stands, such as "line 3" or "item 3", and the value."""
_decoder = json.JSONDecoder()
_CANT = "it can't be read as JSON"


def values(read: Read) -> Iterator[Placed | Skip]:
    """Yield the values of a stream with their places, and what can't be read of it. ``read`` gives at most so many
    bytes, none at the end.
    """
    buffer = _Buffer(read)
    try:
        if buffer.next() == "[":
            yield from _items(buffer)
        else:
            yield from _lines(buffer)
    except UnicodeDecodeError as error:
        yield broken(f"byte {buffer.bytes_before(error) + 1}", "it is not UTF-8")


def contained(place: str, value: object) -> Iterator[Placed]:
    """Yield the items of the lists that an object is there for; the value itself where it isn't such a one."""
    given = value if isinstance(value, Mapping) else {}
    lists = [name for name in _LISTS if isinstance(given.get(name), list)]
    if not lists or "mapping" in given or "content" in given:
        yield place, value
        return
    for name in lists:
        for number, one in enumerate(given[name]):
            yield f"{place}, {name}[{number}]", one


class _Buffer:
    """What was read and not yet taken, as text."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self.text, self.at, self.ended = "", 0, False
        self._bytes = 0

    def more(self, size: int = _AT_ONCE) -> bool:
        """Read on, and forget what was taken. Whether there was more."""
        raw = self._read(size)
        self.ended = not raw
        new = self._decode.decode(raw, final=self.ended)
        self._bytes += len(raw)
        self.text, self.at = self.text[self.at :] + new, 0
        return not self.ended

    def bytes_before(self, error: UnicodeDecodeError) -> int:
        """Return how many bytes stand before the one that isn't UTF-8."""
        return self._bytes + error.start

    def next(self) -> str:
        """Return the next character that is no white space, without taking it; "" at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at].isspace():
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if self.ended or not self.more():
                return ""

    def value(self, most: int) -> object:
        """Take one value. Raise _Broken where there is none."""
        while True:
            try:
                found, end = _decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                # A string that has no end yet is reported at its beginning.
                open_ended = error.msg.startswith("Unterminated") or error.pos > len(self.text) - _NEAR_END
                if self.ended:
                    problem = "the file ends within it" if open_ended else f"{_problem(error)} in it"
                    raise _Broken(problem) from None
                if not open_ended:
                    raise _Broken(f"{_problem(error)} at its character {error.pos - self.at + 1}") from None
            except (
                ValueError,
                RecursionError,
            ):  # numbers of thousands of digits, brackets nested by the thousand
                raise _Broken(_CANT) from None
            else:
                if end < len(self.text) or self.ended:  # else a number may go on
                    self.at = end
                    return found
            if len(self.text) - self.at > most:
                raise _Broken(f"it is longer than {most >> 20} Mi characters")
            self.more(
                max(_AT_ONCE, len(self.text) - self.at)
            )  # doubled: every text is looked through twice at most

    def line(self) -> str:
        """Take what is left of the line, with its end. Raise _Broken for one that is too long, once it is behind us."""
        is_long = False
        while (end := self.text.find("\n", self.at)) < 0 and not self.ended:
            if len(self.text) - self.at > MOST_VALUE:
                is_long, self.at = True, len(self.text)
            self.more(max(_AT_ONCE, len(self.text) - self.at))
        end = len(self.text) if end < 0 else end + 1
        found, self.at = self.text[self.at : end], end
        if is_long:
            raise _Broken(f"it is longer than {MOST_VALUE >> 20} Mi characters")
        return found


class _Broken(Exception):
    """Some text is no JSON."""


def _items(buffer: _Buffer) -> Iterator[Placed | Skip]:
    buffer.at += 1
    number = 0
    while (one := buffer.next()) != "]":
        place = f"item {number + 1}"
        if not one:
            yield broken(place, "the file ends before it")
            return
        try:
            yield place, buffer.value(MOST_VALUE)
        except _Broken as error:
            yield broken(place, f"{error}; nothing behind it was read")
            return
        number += 1
        if (one := buffer.next()) == ",":
            buffer.at += 1
        elif one != "]":
            what = "another value follows it without a comma" if one else "the file ends behind it"
            yield broken(place, f"{what}; nothing behind it was read")
            return
    buffer.at += 1
    yield from _rest(buffer)


def _rest(buffer: _Buffer) -> Iterator[Skip]:
    """Report what stands behind a value that should be the file's last."""
    if buffer.next():
        yield broken("behind the end", "the file goes on; nothing there was read")


def _lines(buffer: _Buffer) -> Iterator[Placed | Skip]:
    number = 0
    while True:
        number += 1
        try:
            line = buffer.line()
        except _Broken as error:
            yield broken(f"line {number}", str(error))
            continue
        if not line:
            return
        if number == 1 and line.strip() == "{":  # an object laid out over several lines
            buffer.text, buffer.at = line + buffer.text[buffer.at :], 0
            try:
                yield from contained("object", buffer.value(MOST_OBJECT))
                yield from _rest(buffer)
            except _Broken as error:
                yield broken("object", str(error))
            return
        if line.strip():
            yield from _parsed(f"line {number}", line)


def _parsed(place: str, line: str) -> Iterator[Placed | Skip]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        yield broken(place, f"{_problem(error)} at character {error.pos + 1}")
    except (ValueError, RecursionError):
        yield broken(place, _CANT)
    else:
        yield from contained(place, found)


def _problem(error: json.JSONDecodeError) -> str:
    """Return what is wrong, to be followed by where."""
    return error.msg.removesuffix(" at")
