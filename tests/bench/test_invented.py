"""Invented texts: the same for the same seed, and unlike enough not to be taken for one another."""

from __future__ import annotations

from collections import Counter
from statistics import mean

from bench.invented import MOST_KINDS, invent

MANY = list(invent(1, 0, 2000))


def test_the_same_seed_and_number_give_the_same_text_whatever_came_before() -> None:
    assert list(invent(1, 1990, 10)) == MANY[1990:]
    assert next(invent(2, 0, 1)) != MANY[0]


def test_texts_and_questions_are_nearly_all_distinct() -> None:
    assert len({one.text for one in MANY}) == len(MANY)
    assert len({one.question for one in MANY}) > 0.99 * len(MANY)


def test_texts_are_about_as_long_as_turns_of_a_conversation() -> None:
    assert 20 < mean(len(one.text.split()) for one in MANY) < 26
    assert 8 < mean(len(one.question.split()) for one in MANY) < 14


def test_a_code_stands_in_its_own_text_and_question_alone() -> None:
    coded = list(invent(1, 0, 200, coded=True))
    assert all(one.code in one.text and one.code in one.question for one in coded)
    assert Counter(one.code for one in coded).most_common(1)[0][1] == 1


def test_the_filter_on_kinds_passes_most_texts_but_not_all() -> None:
    share = mean(str(one.kind) in MOST_KINDS for one in MANY)
    assert 0.8 < share < 0.97
