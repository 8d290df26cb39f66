"""Sentences of a message, byte for byte."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.segments import (
    LONGEST,
    MOST_READ,
    MOST_SENTENCES,
    quotation_span,
    refers_back,
    sentences,
)


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


@pytest.mark.parametrize(
    ("sentence", "leaning"),
    [
        ("Keep it like that.", True),
        ("And never before nine.", True),
        ("I prefer them short.", True),
        ("I prefer trains.", False),
        ("Never call before nine.", False),
    ],
)
def test_what_points_back_leans_on_the_sentence_before(sentence: str, leaning: bool) -> None:
    assert refers_back(sentence) is leaning


LONG = "We walked on. " * 50


@pytest.mark.parametrize(
    ("message", "foreign", "place", "wanted"),
    [
        ("Hi. I moved to Graz. It's quiet.", None, 1, (0, 2)),  # short, and all their own
        ("Hi. I moved to Graz. It's quiet. Bob wrote no.", 3, 1, (0, 1)),
        ("Hi. I moved to Graz.\nIt's quiet.\nBob wrote no.", 3, 2, (1, 2)),
        ("Hi.\nI moved to Graz.\nBob wrote no.", 2, 1, (1, 1)),
        ("Bob wrote no. It's fine.", 0, 1, (1, 1)),  # never somebody else's
        (f"{LONG}\nIt's quiet.", None, 50, (49, 50)),
        (f"{LONG}\nOslo is quiet.", None, 50, (50, 50)),
    ],
)
def test_a_quotation_is_a_run_that_is_understood_alone(
    message: str, foreign: int | None, place: int, wanted: tuple[int, int]
) -> None:
    parts = sentences(message)
    assert quotation_span(parts, [at != foreign for at in range(len(parts))], place) == wanted


@given(st.text(max_size=900), st.data())
def test_a_run_holds_its_sentence_and_is_never_long(message: str, data: st.DataObject) -> None:
    parts = sentences(message)
    if parts:
        own = data.draw(st.lists(st.booleans(), min_size=len(parts), max_size=len(parts)))
        place = data.draw(st.integers(0, len(parts) - 1))
        first, last = quotation_span(parts, own, place)
        assert first <= place <= last
        assert first == last or parts[last].end - parts[first].start <= LONGEST
