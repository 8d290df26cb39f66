"""By which words a text tells of what was forgotten still."""

from __future__ import annotations

from reverie.language.lexical_terms import terms
from reverie.memory.forgetting.remnants import FEW, gone_of, still_telling
from reverie.memory.forgetting.traces import telling

MANY = 10_000
"""Messages of a bank in which a word of 20 is rare."""


def test_half_of_the_telling_words_say_the_same() -> None:
    gone = [gone_of("Rosa's tomcat Biscuit sleeps in Brno")]
    left = {f"{place}": "Biscuit, Brno, Rosa: all three." for place in range(10)}
    assert still_telling(gone, left, len(left)) == tuple(left)
    assert still_telling(gone, dict.fromkeys(left, "Rosa likes him."), len(left)) == ()


def test_a_rare_word_is_enough_and_the_bank_decides_rarity() -> None:
    gone = [gone_of("She has lupus")]
    left = {f"{place}": "Is it lupus?" for place in range(20)}
    assert still_telling(gone, left, MANY) == tuple(left)
    assert still_telling([gone_of("She likes the zorbing, curling, lupus, hockey club")], left, 20) == ()


def test_of_much_that_went_at_once_a_single_word_says_nothing() -> None:
    gone = [gone_of(f"word{place} zorbing hockey") for place in range(FEW + 1)]
    assert still_telling(gone, {"a": "word3 it was"}, MANY) == ()
    assert still_telling(gone, {"a": "zorbing and hockey"}, MANY) == ("a",)


def test_names_of_speakers_and_everyday_words_tell_nothing() -> None:
    assert telling("Anna makes the tea every morning for Tom", {*terms("Anna Tom")}) == frozenset()
