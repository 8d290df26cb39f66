"""Who said a statement is told from what was said, by whatever name he goes."""

from __future__ import annotations

import pytest

from reverie.rules.before import lead_of
from reverie.rules.claims import claims
from reverie.rules.claims_telling import named_after
from reverie.rules.heard import bare, is_in_own_words
from reverie.rules.slots import slot_of

NAMES = ["Rosa", "rosa", "\u00c9mile", "\u0141ukasz", "Rosa-Marie van der Berg de la Cruz y Montoya", "Rosa (mum)",
         "Dr. O\u2019Neil", "R2", "\u041c\u0430\u0440\u0438\u044f", "user_17", "The user"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_the_same_whoever_said_it(name: str) -> None:
    said = f"{name} said: they moved to Hull."
    assert bare(said) == "they moved to Hull."
    assert is_in_own_words(said)
    assert slot_of(said) == slot_of("they moved to Hull.")
    assert [one.value for one in claims(said)] == [
        one.value for one in claims("Rosa said: they moved to Hull.")
    ]
    assert lead_of(said) == ""
    assert named_after("Rosa's sister's name is Karin.", f"{name} said: her name is Katrin") == (
        "Rosa's sister's name is Katrin"
    )


@pytest.mark.parametrize(
    "text",
    ["Anna lives in Hull.", "Anna lives in Hull: they said: Hull", " said: no", "One line.\nAnna said: no"],
)
def test_what_says_it_later_or_of_nobody_is_no_speaker(text: str) -> None:
    assert bare(text) == text
    assert not is_in_own_words(text)
