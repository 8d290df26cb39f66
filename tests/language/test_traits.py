"""What kind of utterance a text is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.lexical_terms import terms
from reverie.language.utterances import asks, asks_before, asks_when, says_when

CLOSERS = "\"'”’)] \t\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "Do you like tea?",
        "Do you like tea ?  \n",
        'He said: "Do you like tea?"',
        "(Do you like tea?)",
        "“Do you like tea?”",
        "I have a dog now. Do you like dogs? [shares a photo of a dog]",
        "你喜欢茶吗\uff1f",
        "هل تحب الشاي\u061f",
        "?",
    ],
)
def test_a_text_that_ends_in_a_question_asks(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "I like tea.",
        "Do you like tea? I do.",
        "Do you like tea? 🙂 I do",
        "tell me whether you like tea",
        "see https://example.org/?q=tea",
        "[shares a photo of tea]",
        "",
    ],
)
def test_a_text_that_ends_in_anything_else_asks_nothing(text: str) -> None:
    assert not asks(text)


@given(st.text(), st.text(st.sampled_from(CLOSERS)), st.text())
def test_closing_signs_and_brackets_behind_change_nothing(text: str, closers: str, shown: str) -> None:
    assert asks(f"{text}?{closers}")
    assert asks(f"{text}?{closers}[{shown}")


@given(st.text().filter(lambda text: not set(text) & set("?\uff1f\u061f")))
def test_a_text_without_a_question_mark_never_asks(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "I moved last week",
        "Yesterday we met",
        "two years ago",
        "on Monday",
        "in December",
        "next month",
        "tonight!",
        "the nights are cold",
    ],
)
def test_a_text_with_a_word_of_time_says_when(text: str) -> None:
    assert says_when(terms(text))


@pytest.mark.parametrize(
    "text", ["I may come", "they march on", "we met in a bar", "the second door", "the weaker one", ""]
)
def test_a_text_without_one_says_nothing_of_when(text: str) -> None:
    assert not says_when(terms(text))


def test_words_of_time_are_known_in_all_their_forms() -> None:
    for one, other in (("week", "weeks"), ("Monday", "mondays"), ("weekend", "Weekend's"), ("year", "YEARS")):
        assert says_when(terms(one))
        assert says_when(terms(other))


@pytest.mark.parametrize(
    "question",
    [
        "When did Anna move?",
        "since when does she live there",
        "WHEN?",
        "How long have they been married?",
        "how   recently did they meet",
        "What year was it?",
        "In which month does she travel?",
        "at what time does the train leave",
    ],
)
def test_a_question_for_a_time_asks_when(question: str) -> None:
    assert asks_when(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where did Anna move?",
        "whenever",
        "How many dogs has she?",
        "What did she do last year?",
        "which weekly?",
        "",
    ],
)
def test_a_question_for_anything_else_does_not(question: str) -> None:
    assert not asks_when(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where did Anna use to live before?",
        "Where Anna used  to live",
        "What was her PREVIOUS job?",
        "who was formerly the boss",
        "what did they originally plan?",
        "What did she say earlier?",
        "Where did they meet back then?",
        "what did he like at first",
        "what does she no longer eat?",
        "What was the old code?",
    ],
)
def test_a_question_for_what_was_so_once_asks_before(question: str) -> None:
    assert asks_before(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where does Anna live?",
        "How many beforehand?",
        "Is it cold?",
        "when is the first train",
        "What is Anna used for?",
        "How old is Anna?",
        "",
    ],
)
def test_a_question_for_what_is_so_now_does_not(question: str) -> None:
    assert not asks_before(question)
