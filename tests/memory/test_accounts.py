"""Texts that tell hardly more than the number of a card or an account."""

from __future__ import annotations

import pytest

from reverie.memory.privacy.accounts import has_account, is_account

IBAN = "DE89 3704 0044 0532 0130 00"


@pytest.mark.parametrize(
    "text",
    [
        f"My IBAN is {IBAN}.",
        f"Anna's bank account: {IBAN}",
        "GB29NWBK60161331926819",
        "my card is 4111-1111-1111-1111",
    ],
)
def test_a_number_with_a_few_words_is_no_statement(text: str) -> None:
    assert has_account(text)
    assert is_account(text)


def test_a_statement_that_names_an_account_is_one_all_the_same() -> None:
    text = f"The rent of 900 euros for the flat in Porto goes to {IBAN} on the third of each month"
    assert has_account(text)
    assert not is_account(text)


@pytest.mark.parametrize(
    "text",
    [
        "My IBAN is DE89 3704 0044 0532 0130 01.",
        "order 4111 1111 1111 1112",
        "call 0151 23456789",
        "Anna keeps bees",
        "",
    ],
)
def test_where_the_check_digits_are_wrong_it_is_none(text: str) -> None:
    assert not has_account(text)
    assert not is_account(text)
