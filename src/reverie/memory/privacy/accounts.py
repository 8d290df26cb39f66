"""Accounts: texts that tell hardly more than the number of a card or a bank account.

Cards are taken out of what is stored like any secret; IBANs only where marks of persons are
(``Settings.privacy.redact_pii``). Neither is a fact to learn, or to show among what is known of somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.language import terms
from reverie.memory.privacy.payment_cards import cards
from reverie.memory.privacy.redaction import personal

_DIGIT = re.compile(r"\d")
_FEWEST_DIGITS = 8
"""Every card and every country's IBAN has more."""
_FEW = 4
"""So many telling words beside it make no statement."""


def has_account(text: str) -> bool:
    """Whether a card's number or an IBAN stands in it, whose check digits are right."""
    return any(True for _ in _numbers(text))


def is_account(text: str) -> bool:
    """Whether it tells hardly more than such numbers."""
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
