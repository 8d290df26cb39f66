"""Read the numbers of a text as values, in any script and however a country writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from reverie.memory.dedupe import read_text

_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:[.,'\u2019 \u00a0\u2009\u202f]\d{3})+(?!\d)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<!\d)\d{1,9}(?=[kK]\b| thousand\b)")
_TIME = re.compile(r"(?<!\d)([01]?\d|2[0-4])[:h]([0-5]\d)(?![\d.])")
_ROUND_MINUTES = frozenset((0, 15, 30, 45))
ROUND_PARTS = frozenset(("15", "3", "45"))  # of 8.15, 8.30 and 8.45
_HAN = {
    character: value
    for value, character in enumerate("\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d")
}
_HAN_UNITS = {
    "\u5341": 10,
    "\u767e": 100,
    "\u5343": 1_000,
    "\u4e07": 10_000,
    "\u842c": 10_000,
    "\u5104": 10**8,
}
_HAN_RUN = re.compile(f"[\\d.,{''.join((*_HAN, *_HAN_UNITS))}]{{1,20}}")


def numbers_in(text: str) -> Iterator[str]:
    """Yield the numbers of a text as digits: of 42,000 and 42 000 the same; of a clock's time each part, but for the
    round minutes, which people say in words.
    """
    text = unicodedata.normalize("NFKC", text)
    text = _GROUPED.sub(lambda found: re.sub(r"\D", "", found[0]), text)
    for found in _TIME.finditer(text):
        yield _digits(found[1])
        if int(found[2]) not in _ROUND_MINUTES:
            yield _digits(found[2])
    for found in _NUMBER.finditer(_TIME.sub(" ", text)):
        yield _value(found[0])


def _value(number: str) -> str:
    """Return a number without what groups its thousands; decimals stand behind a point."""
    whole, *parts = re.split(r"[.,]", number)
    grouped = bool(parts) and all(len(one) == len("000") for one in parts)
    decimals = "" if grouped or not parts else _ascii_digits(parts.pop()).rstrip("0")
    integer = _digits("".join((whole, *parts)))
    return f"{integer}.{decimals}" if decimals else integer


def numbers_told(text: str) -> Iterator[str]:
    """Yield what numbers a text tells otherwise: in English words, in Chinese signs, by its parts."""
    plain = unicodedata.normalize("NFKC", text)
    yield from (number for number in read_text(text).numbers if number.isdigit())
    yield from (_digits(part) for part in re.findall(r"\d+", plain))
    yield from (f"{_digits(part)}000" for part in _THOUSANDS.findall(plain))
    for run in _HAN_RUN.findall(plain):
        value = _han(run)
        if value is not None:
            yield str(value)


def _han(run: str) -> int | None:
    """Return the value of Chinese numerals, also mixed with digits: 4\u4e072\u5343 is 42000."""
    total, section, number = 0, 0, ""
    for character in run:
        if character in _HAN_UNITS:
            unit = _HAN_UNITS[character]
            digits = re.sub(r"\D", "", number)
            if unit < 10_000:
                section += (int(digits) if digits else 1) * unit
            else:
                total += (section + (int(digits) if digits else 0) or 1) * unit
                section = 0
            number = ""
        else:
            number += str(_HAN[character]) if character in _HAN else character
    digits = re.sub(r"\D", "", number)
    if not digits and not total and not section:
        return None
    return total + section + (int(digits) if digits else 0)


def _digits(text: str) -> str:
    """Return decimal digits of any script as ASCII, without zeros in front."""
    return _ascii_digits(text).lstrip("0") or "0"


def _ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(one)) for one in text)
