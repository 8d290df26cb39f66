"""Sentences of a message, byte for byte."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.segments import MOST_READ, MOST_SENTENCES, sentences


def texts(message: str) -> list[str]:
    return [one.text for one in sentences(message)]


@given(st.text(max_size=400))
def test_each_sentence_is_a_slice_of_its_message(message: str) -> None:
    found = sentences(message)
    assert all(message[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(message.count("\n", 0, one.start) == one.line for one in found)


@given(st.text(max_size=300))
def test_no_letter_and_no_digit_is_lost(message: str) -> None:
    kept = "".join(texts(message))
    assert [sign for sign in message if sign.isalnum()] == [sign for sign in kept if sign.isalnum()]


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("I moved. It's Leith now!", ["I moved.", "It's Leith now!"]),
        ("ask Dr. Okafor at 9 a.m. tomorrow", ["ask Dr. Okafor at 9 a.m. tomorrow"]),
        ("i quit. they were fine with it", ["i quit.", "they were fine with it"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("version 3.11 is out", ["version 3.11 is out"]),
        (
            "\u4eca\u65e5\u306f\u6674\u308c\u3002\u660e\u65e5\u306f\u96e8\u3002",
            ["\u4eca\u65e5\u306f\u6674\u308c\u3002", "\u660e\u65e5\u306f\u96e8\u3002"],
        ),
        ("---\n...\n", []),
    ],
)
def test_where_a_sentence_ends(message: str, wanted: list[str]) -> None:
    assert texts(message) == wanted


def test_a_huge_message_is_read_so_far_and_no_further() -> None:
    found = sentences("An egg. " * 100_000)
    assert len(found) == MOST_SENTENCES
    assert sentences("x" * (MOST_READ + 5))[0].end == MOST_READ


@pytest.mark.parametrize("piece", [". ", "a.", "?!", '." ', "\n", "e.g. ", "3. "])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    def cost(size: int) -> float:
        message = piece * (size // len(piece))
        started = time.process_time()
        for _ in range(5):
            sentences(message)
        return time.process_time() - started

    cost(2_000)
    assert cost(MOST_READ) <= 60 * max(cost(MOST_READ // 10), 1e-4)
