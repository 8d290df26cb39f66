"""Accounts: texts that tell hardly more than the number of a card or a bank account.

Cards are taken out of what is stored like any secret; IBANs only where marks of persons are
(``Settings.privacy.redact_pii``). Neither is a fact to learn, or to show among what is known of somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reverie.language import terms
from reverie.memory.privacy.redaction import Found, personal

_GROUP = re.compile(r"[0-9]{2,}")
_FEWEST, _MOST = 13, 19
_MOST_GROUPS = _MOST // 2
_APART = frozenset(" -.")
_WIDEST = 6  # what stands between two lines of a number, with their indentation
# First digits and lengths as issuers have them: Visa, Mastercard, American Express, Discover, UnionPay, JCB, Diners
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d{2})\d{12}(?:\d{3})?|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
)


def cards(text: str) -> Iterator[Found]:
    """Yield the payment cards' numbers in a text (ISO/IEC 7812-1), in one piece or in groups of digits.

    Groups stand apart by the same sign throughout: a space, a hyphen or a dot. One line may end in between.
    """
    groups = [match.span() for match in _GROUP.finditer(text)]
    at = 0
    while at < len(groups):
        last = _last_group(text, groups, at)
        if last is None:
            at += 1
            continue
        yield Found(start=groups[at][0], end=groups[last][1], type="card-number", rank=1)
        at = last + 1


def _last_group(text: str, groups: Sequence[tuple[int, int]], first: int) -> int | None:
    """Return the place of the last group of the longest number that begins with one; None where none does."""
    start, before = groups[first][0], groups[first][0]
    if text[start] not in "23456" or not _is_open(text[start - 1 : start]):
        return None
    digits, apart, found, lines = "", "", None, 0
    for at in range(first, min(first + _MOST_GROUPS, len(groups))):
        gap = text[before : groups[at][0]]
        if gap in _APART and apart in {"", gap}:
            apart = gap
        elif gap:
            lines += 1
            if lines > 1 or len(gap) > _WIDEST or gap.strip(" \t\r") != "\n":
                break
        before = groups[at][1]
        digits += text[groups[at][0] : before]
        if len(digits) > _MOST:
            break
        if len(digits) >= _FEWEST and _is_closed(text[before : before + 2]) and _is_card(digits):
            found = at
    return found


def _is_open(before: str) -> bool:
    """Return whether a number may begin behind a sign."""
    return not before or not ((before.isascii() and before.isalnum()) or before in "_.,+-")


def _is_closed(after: str) -> bool:
    """Return whether a number may end in front of two signs."""
    if not after or after[0] in ".,":
        return not after[1:].isdigit()
    return not ((after[0].isascii() and after[0].isalnum()) or after[0] in "_-")


def _is_card(digits: str) -> bool:
    return _ISSUED.fullmatch(digits) is not None and is_luhn(digits)


def is_luhn(digits: str) -> bool:
    """Return whether the last digit is the check digit of the others (Luhn)."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


_DIGIT = re.compile(r"\d")
_FEWEST_DIGITS = 8
"""Every card and every country's IBAN has more."""
_FEW = 4
"""So many telling words beside it make no statement."""


def has_account(text: str) -> bool:
    """Return whether a card's number or an IBAN stands in it, whose check digits are right."""
    return any(True for _ in _numbers(text))


def is_account(text: str) -> bool:
    """Return whether it tells hardly more than such numbers."""
    found = [*_numbers(text)]
    if not found:
        return False
    for start, end in sorted(found, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return len(set(terms(text))) <= _FEW


def _numbers(text: str) -> Iterator[tuple[int, int]]:
    if len(_DIGIT.findall(text)) < _FEWEST_DIGITS:
        return
    for one in cards(text):
        yield one.start, one.end
    for one in personal(text):
        if one.type == "iban":
            yield one.start, one.end
