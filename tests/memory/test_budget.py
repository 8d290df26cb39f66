"""Token counts, and what fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.memory.prompt.budget import LineEstimate, checked_count, estimated_tokens, fit


@given(st.text(), st.integers(0, 1000))
def test_the_estimate_covers_model_tokens_and_bytes(text: str, counted: int) -> None:
    assert estimated_tokens(text, lambda _: counted) == max(counted, -(-len(text.encode()) // 3))


def test_a_long_unspaced_text_is_no_single_token() -> None:
    assert estimated_tokens("x" * 10_000, lambda _: 1) == 3334


def test_a_text_too_long_by_bytes_is_not_tokenized() -> None:
    def slow(text: str) -> int:
        raise AssertionError(text)

    assert estimated_tokens("x" * 10_000, slow, enough=100) == 3334
    assert estimated_tokens("x" * 300, lambda _: 7, enough=100) == 100


texts = st.lists(st.text(max_size=30), max_size=20)


@given(texts, st.integers(0, 200), st.integers(0, 50))
def test_a_budget_is_never_exceeded_and_tells_what_it_spends(
    given_texts: list[str], budget: int, base: int
) -> None:
    def cost(text: str, _left: int) -> int:
        return base + len(text)

    chosen, spent = fit(given_texts, budget, cost)
    assert spent == sum(cost(given_texts[place], budget) for place in chosen) <= budget
    assert list(chosen) == sorted(set(chosen))


@given(texts, st.integers(0, 200))
def test_what_is_left_out_would_not_have_fitted(given_texts: list[str], budget: int) -> None:
    chosen, _ = fit(given_texts, budget, lambda text, _: len(text))
    for place, text in enumerate(given_texts):
        before = sum(len(given_texts[other]) for other in chosen if other < place)
        assert (before + len(text) <= budget) == (place in chosen)


def test_a_counter_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        fit(["a"], 5, lambda _text, _left: -1)


@pytest.mark.parametrize("price", [-1, 1.5, True, "7", None])
def test_a_callers_counter_must_count_from_nought(price: object) -> None:
    assert checked_count(len, "four") == 4
    with pytest.raises(InvalidInput) as refused:
        checked_count(lambda _: price, "text")  # type: ignore[arg-type, return-value]
    assert refused.value.field == "tokens"


@given(st.lists(st.text(max_size=9), max_size=9), st.none() | st.integers(0, 40))
def test_an_estimate_by_lines_reads_each_line_once(lines: list[str], enough: int | None) -> None:
    read: list[str] = []

    def words(text: str) -> int:
        read.append(text)
        return len(text.split())

    text = "\n".join(lines)
    estimate = LineEstimate(words)
    expected = estimated_tokens(text, lambda whole: len(whole.split()), enough=enough)
    assert estimate(text, enough) == estimate(text, enough) == expected
    assert len(read) == len(set(read))
